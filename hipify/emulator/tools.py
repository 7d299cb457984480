"""The outside tools that the emulator needs, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hipify.emulator.errors import EmulatorError
from hipify.errors import ToolchainError
from hipify.toolchain.detect import Machine, find_toolchain


@dataclass(frozen=True)
class Tools:
    """A ROCm toolchain: ``clang`` compiles C++20 for this machine and HIP for AMD's."""

    clang: Path
    objdump: Path
    hip_include: Path


def _in_root(root: Path) -> Tools | None:
    for rocm in (root, root / "rocm"):
        for binaries in (root / "bin", rocm / "llvm" / "bin", rocm / "lib" / "llvm" / "bin"):
            tools = Tools(binaries / "clang++", binaries / "llvm-objdump", rocm / "include")
            if (
                tools.clang.exists()
                and tools.objdump.exists()
                and (rocm / "include" / "hip").exists()
            ):
                return tools
    return None


def find_tools(root: Path | None = None) -> Tools:
    """The toolchain in `root`, else the one that `hipify build` uses.

    Raises `EmulatorError` when there is none.
    """
    if root is None:
        try:
            root = find_toolchain(Machine()).root
        except ToolchainError as error:
            raise EmulatorError(str(error)) from None
    # A private toolchain has wrappers one folder above, which know its headers.
    for place in (root.parent, root) if root.name == "rocm" else (root,):
        if tools := _in_root(place):
            return tools
    raise EmulatorError(f"{root}: holds no clang++, llvm-objdump and HIP headers together")
