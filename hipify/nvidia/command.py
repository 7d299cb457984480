"""nvcc's command lines: a unit to an object, objects to a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.nvidia.toolkit import Toolkit
from hipify.toolchain.build.units import Unit

LIBRARY_OF_HEADER = {
    "cublas_v2.h": "cublas",
    "cublas.h": "cublas",
    "cublasLt.h": "cublasLt",
    "cufft.h": "cufft",
    "cufftXt.h": "cufft",
    "curand.h": "curand",
    "cusparse.h": "cusparse",
    "cusolverDn.h": "cusolver",
    "cusolverSp.h": "cusolver",
    "nvrtc.h": "nvrtc",
    "nccl.h": "nccl",
    "cudnn.h": "cudnn",
    "nvml.h": "nvidia-ml",
    "cuda.h": "cuda",
}
"""Which library goes with which header of CUDA's."""


@dataclass(frozen=True)
class Nvcc:
    """Makes command lines.

    `headers` is the folder of the HIP-on-CUDA headers, None for CUDA code; `extra` holds headers
    that the toolkit lacks. `archs` are as nvcc takes them, `sm_90`.
    """

    toolkit: Toolkit
    archs: tuple[str, ...]
    headers: Path | None = None
    extra: Path | None = None
    debug: bool = False

    def compile(self, unit: Unit, output: Path) -> list[str]:
        """The command that compiles a unit into an object and lists the headers it read."""
        words = [str(self.toolkit.nvcc), "-c", str(unit.path), "-o", str(output)]
        words += ["-MD", "-MF", f"{output}.d", *self._archs()]
        if unit.language == "hip":
            words += ["-x", "cu", "-rdc=true"] if unit.rdc else ["-x", "cu"]
        if self.headers is not None:
            words += ["-I", str(self.headers), "-D__HIP_PLATFORM_NVIDIA__=1"]
        words += unit.flags
        if unit.language == "hip" and not any(flag.startswith("-std") for flag in unit.flags):
            words.append("-std=c++17")
        words += ["-g"] if self.debug else []
        if not any(flag.startswith("-O") for flag in unit.flags):
            words.append("-O3")
        if self.extra is not None and self.extra.is_dir():
            words += ["-isystem", str(self.extra)]
        if unit.language != "hip":  # nvcc hands these on to the host's compiler
            words += ["-isystem", str(self.toolkit.root / "include")]
        return words

    def link(
        self,
        objects: Sequence[Path],
        output: Path,
        libraries: Iterable[str] = (),
        flags: Sequence[str] = (),
        rdc: bool = False,
    ) -> list[str]:
        """The command that links objects to a program which finds its libraries by itself.

        `libraries` are CUDA's that it may need; `flags` come from the user.
        """
        words = [str(self.toolkit.nvcc), *self._archs(), *(["-rdc=true"] if rdc else [])]
        words += [*map(str, objects), "-o", str(output)]
        for folder in self.toolkit.all_libraries:
            words += ["-L", str(folder), "-Xlinker", "-rpath", "-Xlinker", str(folder)]
        words += ["-Xlinker", "--as-needed", *flags]
        # nvcc does not know files like libcublas.so.13 by their names
        return words + [part for file in self._files(libraries) for part in ("-Xlinker", str(file))]

    def _files(self, libraries: Iterable[str]) -> Iterator[Path]:
        """The libraries that are there; without one, the linker tells what is missing from it."""
        for name in libraries:
            path = self.toolkit.library(name)
            if path is not None:
                yield path

    def _archs(self) -> list[str]:
        pairs = (arch.partition("_")[2] for arch in self.archs)
        return [f"-gencode=arch=compute_{number},code=sm_{number}" for number in pairs]


def libraries_of(listed: Iterable[Path]) -> list[str]:
    """The CUDA libraries whose headers the units read.

    `listed` are the files in which nvcc noted what it read for each unit.
    """
    names: dict[str, None] = {}
    for path in listed:
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
        read = set(re.findall(r"([\w.+-]+\.h)\b", text))
        names |= dict.fromkeys(lib for header, lib in LIBRARY_OF_HEADER.items() if header in read)
    return list(names)
