"""Where the private toolchain lives, and the manifest that a finished one carries."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from hipify.errors import ToolchainError

MANIFEST = "hipify-toolchain.json"
FORMAT = 1


def default_prefix(env: Mapping[str, str] = os.environ) -> Path:
    """`$HIPIFY_TOOLCHAIN`, else `hipify/toolchain` in the user's data folder."""
    if chosen := env.get("HIPIFY_TOOLCHAIN"):
        return Path(chosen).absolute()
    return data_folder(env) / "hipify" / "toolchain"


def data_folder(env: Mapping[str, str] = os.environ) -> Path:
    """The folder for a user's application data, by the platform's custom."""
    if xdg := env.get("XDG_DATA_HOME"):
        return Path(xdg).absolute()
    if os.name == "nt" and (local := env.get("LOCALAPPDATA")):
        return Path(local)
    return Path(env["HOME"] if env.get("HOME") else Path.home()) / ".local" / "share"


@dataclass(frozen=True)
class InstalledPackage:
    """One Debian package inside a private toolchain."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a finished private toolchain says about itself.

    `prefix` is the path for which its executables were made: they hold it as the path of their
    program loader, so a moved folder has to be repaired before it works.
    """

    prefix: str
    llvm: int
    triple: str
    libraries: tuple[str, ...]
    stubs: tuple[str, ...]
    patches: tuple[str, ...]
    packages: tuple[InstalledPackage, ...]

    def to_json(self) -> str:
        """The manifest as text for `MANIFEST`."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def of(cls, prefix: Path) -> Manifest | None:
        """The manifest of a finished toolchain in `prefix`; None when there is none.

        Raises ToolchainError for one that cannot be read.
        """
        path = prefix / MANIFEST
        if not path.is_file():
            return None
        try:
            data = json.loads(path.read_text("utf-8"))
            if data.pop("format") != FORMAT:
                raise ValueError("another format")
            packages = tuple(InstalledPackage(**entry) for entry in data.pop("packages"))
            for name in ("libraries", "stubs", "patches"):
                data[name] = tuple(data[name])
            return cls(packages=packages, **data)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ToolchainError(
                f"{path} cannot be read ({error}): run `hipify toolchain remove`, then "
                "`hipify toolchain install`"
            ) from None
