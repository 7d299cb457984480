"""What a translation can be asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from hipify.errors import UsageError
from hipify.version import Version, parse_version

TARGETS = ("hip", "roc", "miopen")
LAUNCH_SYNTAXES = ("cuda", "hip")
WAVE_POLICIES = ("logical32", "native", "report")


@dataclass(frozen=True)
class Options:
    """Choices that change the translated text; equal options and bytes give equal results.

    `rocm` is the ROCm version whose names and headers are used (None: the newest known).
    `launch_syntax` keeps `<<<>>>` ("cuda") or asks for hipLaunchKernelGGL ("hip").
    `wave_policy` keeps warps of 32 lanes on every GPU ("logical32"), makes them as wide as the
    hardware's waves where that is safe ("native"), or only tells ("report").
    `strings` renames CUDA names in string literals, `always_header` adds the main header to CUDA
    files that do not need it, and `unfold_launches` writes out uses of macros that stand for any
    launch, with the HIP launch syntax: that is what AMD's translators do. `as_amd` asks for their
    text even where it does not compile: the header paths of before ROCm 5.2 (`hipblas.h` for
    `hipblas/hipblas.h`), `struct` before names that are typedefs in HIP, pointers that HIP does not
    convert.
    `active_only` leaves branches alone that `#if` leaves out, and `half2_members` casts the members
    of a half2 where HIP's are no halves (before ROCm 6.4): both with the AST engine only.
    `renamed_files` maps file extensions to those that translated files get, `.cu` to `.hip` say.
    """

    target: str = "hip"
    rocm: Version | None = None
    launch_syntax: str = "cuda"
    experimental: bool = False
    comments: bool = False
    strings: bool = False
    as_amd: bool = False
    always_header: bool = False
    unfold_launches: bool = False
    active_only: bool = False
    half2_members: bool = True
    wave_policy: str = "logical32"
    renamed_files: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise UsageError(f"unknown target {self.target!r}: choose one of {', '.join(TARGETS)}")
        if self.launch_syntax not in LAUNCH_SYNTAXES:
            raise UsageError(
                f"unknown launch syntax {self.launch_syntax!r}: "
                f"choose one of {', '.join(LAUNCH_SYNTAXES)}"
            )
        if self.wave_policy not in WAVE_POLICIES:
            raise UsageError(
                f"unknown wave policy {self.wave_policy!r}: "
                f"choose one of {', '.join(WAVE_POLICIES)}"
            )


def rocm_version(text: str) -> Version | None:
    """The ROCm version that a user names: `6.3`, or `newest` for None.

    Raises UsageError for anything else.
    """
    if text == "newest":
        return None
    try:
        return parse_version(text)
    except ValueError as error:
        raise UsageError(f"--rocm: {error}") from None
