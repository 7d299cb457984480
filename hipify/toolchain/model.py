"""A compiler that can build HIP for AMD GPUs, and the candidates among which it was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hipify.version import Version

LIBRARY_HEADERS = {
    "hipBLAS": "hipblas/hipblas.h",
    "hipBLASLt": "hipblaslt/hipblaslt.h",
    "hipCUB": "hipcub/hipcub.hpp",
    "hipDNN": "hipdnn/hipdnn.h",
    "hipFFT": "hipfft/hipfft.h",
    "hipRAND": "hiprand/hiprand.h",
    "hipRTC": "hip/hiprtc.h",
    "hipSOLVER": "hipsolver/hipsolver.h",
    "hipSPARSE": "hipsparse/hipsparse.h",
    "hipTensor": "hiptensor/hiptensor.hpp",
    "MIOpen": "miopen/miopen.h",
    "RCCL": "rccl/rccl.h",
    "rocBLAS": "rocblas/rocblas.h",
    "rocFFT": "rocfft/rocfft.h",
    "rocPRIM": "rocprim/rocprim.hpp",
    "rocRAND": "rocrand/rocrand.h",
    "rocSOLVER": "rocsolver/rocsolver.h",
    "rocSPARSE": "rocsparse/rocsparse.h",
    "rocThrust": "thrust/rocthrust_version.hpp",
    "rocTX": "roctracer/roctx.h",
    "rocWMMA": "rocwmma/rocwmma.hpp",
}


@dataclass(frozen=True)
class Toolchain:
    """One usable compiler with its headers, device libraries and version numbers.

    `archs` are the processors that both the compiler and the device libraries know.
    `flags` go to every command, `link_flags` to the link only, after the objects.
    """

    origin: str
    root: Path
    clang: Path
    include: Path
    device_libs: Path
    hip_version: Version
    clang_version: Version
    archs: tuple[str, ...]
    libraries: tuple[str, ...]
    flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()

    @property
    def base_flags(self) -> tuple[str, ...]:
        """What every command of this toolchain needs, compiling or linking."""
        flags = [f"--rocm-path={self.root}", f"--rocm-device-lib-path={self.device_libs}"]
        if self.root.resolve().name != "usr":
            # clang itself adds ROCm's headers last, where those of a distribution in /usr/include
            # would win; naming /usr/include itself would break #include_next
            flags += ["-isystem", str(self.include)]
        return (*flags, *self.flags)


@dataclass(frozen=True)
class Candidate:
    """A place that was looked at; `toolchain`, or else `reason` why it is of no use."""

    origin: str
    where: str
    toolchain: Toolchain | None = None
    reason: str = ""
