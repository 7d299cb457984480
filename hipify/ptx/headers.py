"""Which of our headers a C++ expression needs, by the namespaces of the functions in it."""

from __future__ import annotations

import re

WARP_HEADER = "hipify/warp32.hpp"
_NAMESPACES = {
    "ptx": ("hipify/ptx.hpp",),
    "fp": ("hipify/ptx_float.hpp",),
    "fp16": ("hipify/ptx_half.hpp",),
    "fp8": ("hipify/ptx_fp8.hpp", "hipify/ptx_half.hpp"),
    "video": ("hipify/ptx_video.hpp",),
}
_ROUNDING = ("hipify/rounding.hpp", "hipify/ptx_float.hpp")
_QUALIFIED = re.compile(r"hipify::(\w+)::")
_UNQUALIFIED = re.compile(r"hipify::(\w+)\(")


def headers_of(text: str) -> set[str]:
    """The headers that declare the functions of ours in an expression, with what those include."""
    found: set[str] = set()
    for namespace in _QUALIFIED.findall(text):
        found.update(_NAMESPACES[namespace])
    for name in _UNQUALIFIED.findall(text):
        found.update(_ROUNDING if name.endswith(("_rz", "_rd", "_ru")) else (WARP_HEADER,))
    return found
