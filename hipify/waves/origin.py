"""Whether a file's warp code was written for CUDA, for HIP or for both.

CUDA and HIP share most names of warp functions but not their meaning: those of HIP mean the whole
wave of 64 lanes. Code that is HIP already must stay, or a second run would spoil the first one's.
"""

from __future__ import annotations

import re
from enum import Enum

from hipify.context import Context

_HIP = re.compile(
    rb"\b(?:hip[A-Z]|HIP_|__HIP|hip(?:blas|fft|rand|sparse|solver)[A-Z]|hipify::)"
    rb"|\#[ \t]*include[ \t]*[<\"]hip(?:ify)?/"
)
_CUDA = re.compile(rb"\bcuda[A-Z_]|\bCUDA|\b__CUDA|\#[ \t]*include[ \t]*[<\"](?:cuda|cooperative_)")
_STATE = "waves-origin"


class Origin(Enum):
    """Whose warp functions a file means by the names that CUDA and HIP share."""

    CUDA = "cuda"
    HIP = "hip"
    BOTH = "both"
    """There are signs of both: only what cannot be HIP is CUDA's."""


def origin(context: Context) -> Origin:
    """The origin of the file, worked out once; without any sign it is CUDA's."""
    known: Origin | None = context.state.get(_STATE)
    if known is None:
        known = context.state[_STATE] = _origin(context)
    return known


def _origin(context: Context) -> Origin:
    if (b"hip" not in context.data and b"HIP" not in context.data) or not _HIP.search(
        _visible(context)
    ):
        return Origin.CUDA
    return Origin.BOTH if _CUDA.search(_visible(context)) else Origin.HIP


def _visible(context: Context) -> bytes:
    """The text without comments; paths of quoted includes are masked like other strings."""
    text = context.lexed.macro_code
    return text if b"hipify/" not in context.data else text + b"\n" + _quoted_includes(context)


def _quoted_includes(context: Context) -> bytes:
    lines = (
        context.data[d.start : d.end] for d in context.lexed.directives if d.name == b"include"
    )
    return b"\n".join(lines)
