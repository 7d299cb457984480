"""How long each kernel ran, measured by CUPTI in both programs alike."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.nvidia.toolkit import Toolkit
from hipify.toolchain.call import call

SOURCE = Path(__file__).resolve().parent / "cupti" / "kernel_times.cpp"


@dataclass(frozen=True)
class KernelTime:
    """All launches of one kernel; the name is as the linker has it."""

    name: str
    nanoseconds: int
    launches: int


@dataclass(frozen=True)
class Ratios:
    """Times of the port over those of the original: of all kernels together, and of each."""

    total: float
    kernels: dict[str, float]

    @property
    def median(self) -> float:
        """The median over the kernels."""
        return statistics.median(self.kernels.values())


def build_probe(toolkit: Toolkit, folder: Path) -> Path:
    """Compiles the library that measures, unless it is there.

    Raises ToolchainError where CUPTI is missing or the library does not compile.
    """
    library = folder / "kernel_times.so"
    if library.is_file() and library.stat().st_mtime >= SOURCE.stat().st_mtime:
        return library
    cupti = toolkit.library("cupti") or _in_extras(toolkit)
    if cupti is None:
        raise ToolchainError(
            "CUPTI is not there: it comes with the toolkit, or as nvidia-cuda-cupti"
        )
    include = toolkit.root / "extras" / "CUPTI" / "include"
    words: list[str | Path] = [toolkit.nvcc, "-shared", "-std=c++17", "-O2", "-Xcompiler", "-fPIC"]
    words += ["-I", include, "-I", toolkit.root / "include", SOURCE, "-o", library]
    words += ["-Xlinker", cupti, "-Xlinker", "-rpath", "-Xlinker", cupti.parent]
    folder.mkdir(parents=True, exist_ok=True)
    call(words)
    return library


def _in_extras(toolkit: Toolkit) -> Path | None:
    path = toolkit.root / "extras" / "CUPTI" / "lib64" / "libcupti.so"
    return path if path.is_file() else None


def environment(library: Path, output: Path) -> dict[str, str]:
    """What has a program measured: the times are in `output` when it has ended."""
    output.unlink(missing_ok=True)
    return {"CUDA_INJECTION64_PATH": str(library), "HIPIFY_KERNEL_TIMES": str(output)}


def read_times(output: Path) -> dict[str, KernelTime]:
    """The kernels by name; empty when nothing was written."""
    if not output.is_file():
        return {}
    found = {}
    for line in output.read_text("utf-8", "replace").splitlines():
        nanoseconds, launches, name = line.split("\t", 2)
        found[name] = KernelTime(name, int(nanoseconds), int(launches))
    return found


def ratios(original: dict[str, KernelTime], port: dict[str, KernelTime]) -> Ratios | None:
    """The ratios for the kernels that both sides ran; None when there are none."""
    common = [name for name in original if name in port and original[name].nanoseconds]
    if not common:
        return None
    each = {name: port[name].nanoseconds / original[name].nanoseconds for name in common}
    totals = [sum(side[name].nanoseconds for name in common) for side in (original, port)]
    return Ratios(totals[1] / totals[0], each)
