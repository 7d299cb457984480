"""The outside tools that the emulator needs, and where they are."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from hipify.emulator.errors import EmulatorError


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
    """The toolchain in `root`, else in ``$ROCM_PATH``, beside ``hipcc`` on PATH, or in /opt/rocm.

    Raises `EmulatorError` when there is none.
    """
    candidates = [root] if root else []
    if not root:
        candidates += [Path(v) for n in ("HIPIFY_ROCM", "ROCM_PATH") if (v := os.environ.get(n))]
        if hipcc := shutil.which("hipcc"):
            candidates.append(Path(hipcc).resolve().parent.parent)
        candidates.append(Path("/opt/rocm"))
    for candidate in candidates:
        if tools := _in_root(candidate):
            return tools
    tried = ", ".join(map(str, candidates))
    raise EmulatorError(f"no ROCm toolchain in {tried}: install one, or set ROCM_PATH")
