"""apt's own clients with lists, caches and state of ours: nothing of the system is written."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hipify.errors import ToolchainError
from hipify.toolchain.apt_sources import Archive
from hipify.toolchain.call import Finished, call, failure_text

REMEDY = (
    "this provisioning needs Debian's or Ubuntu's package tools; elsewhere install ROCm (its hipcc "
    "is found in /opt/rocm, $ROCM_PATH or on PATH), or install the distribution's apt and dpkg and "
    "give a Debian archive with --archive URL --keyring FILE"
)
DOWNLOAD_TIMEOUT = 3600.0


class Offer(NamedTuple):
    """One version of a package in the archive; sizes in bytes."""

    name: str
    version: str
    sha256: str
    size: int
    installed_size: int


def require(*programs: str) -> None:
    """Raises ToolchainError that names the missing programs and what to do."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        raise ToolchainError(f"{' and '.join(missing)} not found on PATH: {REMEDY}")


class AptClient:
    """Reads one archive; `folder` holds everything that apt writes."""

    def __init__(self, archive: Archive, folder: Path) -> None:
        require("apt-get", "apt-cache")
        self.archive = archive
        self.folder = folder
        for part in ("lists/partial", "cache/archives/partial", "state"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "state" / "status").touch()

    def _call(
        self, program: str, *words: str, cwd: Path | None = None, check: bool = True
    ) -> Finished:
        folder = self.folder
        options = (
            f"Dir::Etc::SourceList={folder / 'sources.list'}",
            "Dir::Etc::SourceParts=/dev/null",
            "Dir::Etc::Preferences=/dev/null",
            "Dir::Etc::PreferencesParts=/dev/null",
            f"Dir::State={folder / 'state'}",
            f"Dir::State::Lists={folder / 'lists'}",
            f"Dir::State::status={folder / 'state' / 'status'}",
            f"Dir::Cache={folder / 'cache'}",
            "APT::Architecture=amd64",
            "APT::Architectures::=amd64",
            "APT::Sandbox::User=",
            "APT::Update::Post-Invoke-Success=",
            "APT::Update::Post-Invoke=",
            "Acquire::Languages=none",
            "Acquire::Retries=3",
            "Debug::NoLocking=1",
        )
        argv = [program, *(word for option in options for word in ("-o", option)), *words]
        return call(argv, env={"LC_ALL": "C.UTF-8"}, cwd=cwd, timeout=DOWNLOAD_TIMEOUT, check=check)

    def update(self, suites: int) -> str:
        """Fetches the indexes of the first `suites` suites, which are those read from then on.

        Gives the text of apt's complaint when some of them have none.
        Raises ToolchainError when no index at all could be had.
        """
        archive = replace(self.archive, suites=self.archive.suites[:suites])
        (self.folder / "sources.list").write_text(archive.source_lines(), "utf-8")
        done = self._call("apt-get", "update", "-qq", check=False)
        if any((self.folder / "lists").glob("*_Packages*")):
            return "" if done.ok else _complaint(done)
        raise ToolchainError(
            f"no package index from {self.archive.uri} ({', '.join(self.archive.suites)}): "
            f"{_complaint(done)}"
        )

    def offers(self, names: Iterable[str]) -> dict[str, list[Offer]]:
        """What the archive has of each package, apt's preferred version first."""
        wanted = list(names)
        if not wanted:
            return {}
        done = self._call("apt-cache", "show", *wanted, check=False)
        found: dict[str, list[Offer]] = {}
        for offer in parse_offers(done.stdout):
            versions = found.setdefault(offer.name, [])
            if offer.version not in {other.version for other in versions}:
                versions.append(offer)
        return found

    def names_like(self, prefix: str) -> list[str]:
        """Every package name of the archive that starts with `prefix`."""
        return self._call("apt-cache", "pkgnames", prefix).stdout.split()

    def download(self, offers: Sequence[Offer], folder: Path) -> None:
        """Downloads packages into `folder`, continuing what a stopped run left there.

        Raises ToolchainError when one of them cannot be had.
        """
        words = [f"{offer.name}={offer.version}" for offer in offers]
        done = self._call("apt-get", "download", "-q", *words, cwd=folder, check=False)
        if not done.ok:
            raise ToolchainError(failure_text(done))


def _complaint(done: Finished) -> str:
    lines = [line for line in done.stderr.splitlines() if line.startswith(("E:", "W:"))]
    return " ".join(lines[:3]) or failure_text(done, lines=3)


def parse_offers(text: str) -> list[Offer]:
    """The offers in the output of `apt-cache show`."""
    offers = []
    for paragraph in text.split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z0-9-]+): (.*)$", paragraph, re.MULTILINE))
        if {"Package", "Version", "SHA256"} <= fields.keys():
            offers.append(
                Offer(
                    fields["Package"],
                    fields["Version"],
                    fields["SHA256"],
                    int(fields.get("Size", 0)),
                    int(fields.get("Installed-Size", 0)) * 1024,
                )
            )
    return offers
