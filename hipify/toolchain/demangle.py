"""Readable names of C++ functions, by the toolchain's own demangler."""

from __future__ import annotations

from collections.abc import Sequence

from hipify.toolchain.call import call
from hipify.toolchain.model import Toolchain

AT_A_TIME = 500


def demangled(names: Sequence[str], toolchain: Toolchain) -> dict[str, str]:
    """Readable forms by mangled name; empty when the toolchain has no `llvm-cxxfilt`."""
    program = toolchain.clang.resolve().parent / "llvm-cxxfilt"
    if not program.is_file():
        return {}
    found: dict[str, str] = {}
    unique = list(dict.fromkeys(names))
    for at in range(0, len(unique), AT_A_TIME):
        part = unique[at : at + AT_A_TIME]
        done = call([program, *part], timeout=60, check=False)
        lines = done.stdout.splitlines()
        if done.ok and len(lines) == len(part):
            found.update(zip(part, lines, strict=True))
    return found
