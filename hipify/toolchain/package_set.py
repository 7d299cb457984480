"""Which Debian packages make a private toolchain, by what they are for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hipify.errors import UsageError


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LLVM_VERSIONS = (21, 22)
COMGR_LLVM = 21

LIBRARIES = {
    "rocblas": ("librocblas4",),
    "rocsolver": ("librocsolver0", "libfmt11", "librocblas4"),
    "rocsparse": ("librocsparse1",),
    "rocrand": ("librocrand1",),
    "hipblaslt": ("libhipblaslt1",),
}
"""Libraries so large that link stubs stand for them unless asked for: name to packages."""

COMPILER_RUNTIME = _names(
    "libc6 libgcc-s1 libstdc++6 zlib1g libzstd1 libxml2-16 libz3-4 libedit2 libffi8 libtinfo6 "
    "libbsd0 libmd0 libgmp10 liblzma5 libomp5 patchelf"
)

DEVELOPMENT = _names(
    "hipcc hip-utils hipify-perl rocm-device-libs-21 rocm-cmake libamdhip64-dev libamd-comgr-dev "
    "libhsa-runtime-dev libhipblas-dev libhipblas-common-dev librocblas-dev libhipblaslt-dev "
    "libhipfft-dev librocfft-dev libhipsolver-dev librocsolver-dev libhipsparse-dev "
    "librocsparse-dev libhiprand-dev librocrand-dev librocprim-dev libhipcub-dev librocthrust-dev "
    "libmiopen-dev librccl-dev librocalution-dev libroctx-dev librocm-smi-dev libamd-smi-dev "
    "amd-dbgapi-dev libdrm-dev"
)

RUNTIME = _names(
    "libamdhip64-6 libhiprtc6 libhiprtc-builtins6 libamd-comgr3 libhsa-runtime64-1 libdrm2 "
    "libdrm-amdgpu1 libelf1t64 libnuma1 libhipblas2 libhipfft0 librocfft0 libhipsolver0 "
    "libhipsparse1 libhiprand1 libroctx64-4 rocminfo"
)

NEEDED = _names(
    "hipcc libamdhip64-dev libamd-comgr-dev libhsa-runtime-dev rocm-device-libs-21 patchelf "
    "libc6 libgcc-s1 libstdc++6"
)
"""Without these there is no toolchain; a library that an archive lacks is only warned about."""


@dataclass(frozen=True)
class PackageSet:
    """Package names by the tree that they are unpacked into, each name once.

    `asked_for` are those, among `rocm`, that the user named.
    """

    compiler: tuple[str, ...]
    rocm: tuple[str, ...]
    asked_for: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return self.compiler + self.rocm

    def needed(self, name: str) -> bool:
        """Whether the toolchain is of no use without a package."""
        if name in self.asked_for or name in NEEDED:
            return True
        return name.startswith(("clang-", "lld-", "llvm-", "libllvm", "libclang"))


def package_set(llvm: int, libraries: Iterable[str] = ()) -> PackageSet:
    """The packages for a compiler version and for the large libraries that are wanted for real.

    Raises UsageError for a version or a library that is not offered.
    """
    if llvm not in LLVM_VERSIONS:
        raise UsageError(f"--llvm {llvm}: choose one of {', '.join(map(str, LLVM_VERSIONS))}")
    compiler = [
        f"clang-{llvm}",
        f"libclang-cpp{llvm}",
        f"libllvm{llvm}",
        f"libclang-common-{llvm}-dev",
        f"lld-{llvm}",
        f"llvm-{llvm}",
        f"clang-tools-{llvm}",
        f"libomp-{llvm}-dev",
        *COMPILER_RUNTIME,
    ]
    if llvm != COMGR_LLVM:
        compiler.append(f"libllvm{COMGR_LLVM}")
    large: list[str] = []
    for name in libraries:
        if name not in LIBRARIES:
            raise UsageError(f"--library {name}: choose among {', '.join(LIBRARIES)}")
        large += LIBRARIES[name]
    rocm = dict.fromkeys([*DEVELOPMENT, *RUNTIME, *large])
    return PackageSet(tuple(compiler), tuple(rocm), tuple(large))


def successor(name: str, offered: Iterable[str]) -> str | None:
    """The package that took the place of `name` when its library's number went up.

    `libhipblas2` gives `libhipblas3`, `libelf1t64` gives `libelf2`; None when nothing fits.
    """
    stem = re.sub(r"-?\d[\d.]*(t64)?$", "", name)
    if stem == name:
        return None
    pattern = re.compile(re.escape(stem) + r"-?(\d[\d.]*)(?:t64)?")
    found = []
    for other in offered:
        match = pattern.fullmatch(other)
        if match and other != name:
            found.append((tuple(int(n) for n in match[1].split(".") if n), other))
    return max(found)[1] if found else None
