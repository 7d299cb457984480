"""The package archive that this system uses, read from apt's own source lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import ToolchainError

NEWER_SUITES = {"debian": ("sid", "forky", "trixie"), "ubuntu": ("devel",)}
COMPONENTS = {"debian": ("main",), "ubuntu": ("main", "universe")}
KEYRINGS = {
    "debian": "/usr/share/keyrings/debian-archive-keyring.gpg",
    "ubuntu": "/usr/share/keyrings/ubuntu-archive-keyring.gpg",
}
ONE_LINE = re.compile(r"(deb|deb-src)\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*(.*)")


@dataclass(frozen=True)
class AptSource:
    """One archive as apt's lists name it."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str = ""

    @property
    def distribution(self) -> str:
        """`debian` or `ubuntu` when the address ends like that one's archive, else empty."""
        name = self.uri.rstrip("/").rpartition("/")[2]
        return name if name in NEWER_SUITES else ""


@dataclass(frozen=True)
class Archive:
    """Where packages are fetched from: `uri` with all `suites`, the newest packages first."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    keyring: str

    def source_lines(self) -> str:
        """The archive as one-line source entries for apt."""
        options = f"[signed-by={self.keyring}] " if self.keyring else ""
        end = " ".join(self.components)
        return "".join(f"deb {options}{self.uri} {suite} {end}\n" for suite in self.suites)


def parse_one_line(text: str) -> Iterator[AptSource]:
    """The binary archives of a `.list` file."""
    for raw in text.splitlines():
        match = ONE_LINE.fullmatch(raw.partition("#")[0].strip())
        if match is None or match[1] != "deb":
            continue
        options = dict(part.partition("=")[::2] for part in (match[2] or "").split())
        yield AptSource(
            match[3], (match[4],), tuple(match[5].split()), options.get("signed-by", "")
        )


def parse_deb822(text: str) -> Iterator[AptSource]:
    """The enabled binary archives of a `.sources` file."""
    for paragraph in re.split(r"\n[ \t]*(?:\n|$)", text):
        fields = _deb822_fields(paragraph)
        if (
            "deb" not in fields.get("types", "").split()
            or fields.get("enabled", "").lower() == "no"
        ):
            continue
        signed_by = fields.get("signed-by", "")
        for uri in fields.get("uris", "").split():
            yield AptSource(
                uri,
                tuple(fields.get("suites", "").split()),
                tuple(fields.get("components", "").split()),
                signed_by if signed_by.startswith("/") else "",
            )


def _deb822_fields(paragraph: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in paragraph.splitlines():
        if line.startswith("#"):
            continue
        if line[:1] in (" ", "\t"):
            if name:
                fields[name] += " " + line.strip()
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields[name] = value.strip()
    return fields


def system_sources(etc: Path = Path("/etc/apt")) -> list[AptSource]:
    """Every archive in the lists below `etc`, in apt's own order of files."""
    found: list[AptSource] = []
    parts = etc / "sources.list.d"
    lists = [etc / "sources.list", *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources"))]
    for path in lists:
        try:
            text = path.read_text("utf-8", "replace")
        except OSError:
            continue
        found += parse_deb822(text) if path.suffix == ".sources" else parse_one_line(text)
    return found


def system_archive(sources: Iterable[AptSource]) -> Archive:
    """The distribution's main archive among `sources`, with its newer suites.

    Raises ToolchainError when there is neither a Debian nor an Ubuntu archive.
    """
    found = next((source for source in sources if source.distribution), None)
    if found is None:
        raise ToolchainError(
            "apt's source lists name no Debian or Ubuntu archive: give one with --archive URL, "
            "or install ROCm and put its hipcc on PATH"
        )
    return named_archive(found.uri, keyring=found.signed_by)


def named_archive(uri: str, suites: Iterable[str] = (), keyring: str = "") -> Archive:
    """The archive at an address that a user gives, or that the system uses."""
    distribution = AptSource(uri, (), ()).distribution or "debian"
    key = keyring or KEYRINGS[distribution]
    if not Path(key).is_file():
        raise ToolchainError(
            f"the key of the {distribution} archive is missing: install the package "
            f"{distribution}-archive-keyring (or ubuntu-keyring), or give its file with --keyring"
        )
    return Archive(
        uri.rstrip("/"),
        tuple(suites) or NEWER_SUITES[distribution],
        COMPONENTS[distribution],
        key,
    )
