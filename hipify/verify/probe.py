"""Libraries that the CUDA driver loads into a program, to see from within what it does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.nvidia.toolkit import Toolkit
from hipify.toolchain.call import call


@dataclass(frozen=True)
class Probe:
    """A library, and the variable that tells it where to write."""

    library: Path
    variable: str

    def environment(self, output: Path) -> dict[str, str]:
        """What has a program observed: `output` is there when it has ended."""
        output.unlink(missing_ok=True)
        return {"CUDA_INJECTION64_PATH": str(self.library), self.variable: str(output)}


def build_probe(toolkit: Toolkit, source: Path, variable: str, folder: Path) -> Probe:
    """Compiles the library, unless it is there.

    Raises ToolchainError where CUPTI is missing or the library does not compile.
    """
    library = folder / f"{source.stem}.so"
    if library.is_file() and library.stat().st_mtime >= source.stat().st_mtime:
        return Probe(library, variable)
    cupti = toolkit.library("cupti") or _in_extras(toolkit)
    if cupti is None:
        raise ToolchainError(
            "CUPTI is not there: it comes with the toolkit, or as nvidia-cuda-cupti"
        )
    include = toolkit.root / "extras" / "CUPTI" / "include"
    words: list[str | Path] = [toolkit.nvcc, "-shared", "-std=c++17", "-O2", "-Xcompiler", "-fPIC"]
    words += ["-I", include, "-I", toolkit.root / "include", source, "-o", library, "-ldl"]
    words += ["-Xlinker", cupti, "-Xlinker", "-rpath", "-Xlinker", cupti.parent]
    folder.mkdir(parents=True, exist_ok=True)
    call(words)
    return Probe(library, variable)


def _in_extras(toolkit: Toolkit) -> Path | None:
    path = toolkit.root / "extras" / "CUPTI" / "lib64" / "libcupti.so"
    return path if path.is_file() else None
