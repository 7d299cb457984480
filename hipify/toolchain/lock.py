"""The lock file: which versions of which packages a private toolchain was tried with."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

from hipify.errors import ToolchainError

SHA256 = re.compile(r"[0-9a-f]{64}")


class Pin(NamedTuple):
    """One package at one version, and the SHA-256 of its file in hexadecimal."""

    name: str
    version: str
    sha256: str


def parse_lock(text: str, where: str = "rocm.lock") -> dict[str, Pin]:
    """Pins by package from lines of `package version sha256`; `#` starts a comment.

    Raises ToolchainError for any other line and for a package named twice.
    """
    pins: dict[str, Pin] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].split()
        if not line:
            continue
        if len(line) != 3 or not SHA256.fullmatch(line[2]):
            raise ToolchainError(f"{where}:{number}: expected `package version sha256`: {raw!r}")
        pin = Pin(*line)
        if pin.name in pins:
            raise ToolchainError(f"{where}:{number}: {pin.name} is named twice")
        pins[pin.name] = pin
    return pins


def shipped_lock() -> dict[str, Pin]:
    """The pins that come with hipify."""
    return parse_lock((files("hipify.toolchain") / "rocm.lock").read_text("utf-8"))
