"""Texture references, which CUDA 12 removed and HIP has deprecated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_DECLARATION = re.compile(rb"(?<![\w:.])texture\s*<[^;{}()<>]*>\s*(\w+)\s*[;=,]")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each declaration of one."""
    code = context.lexed.macro_code
    if b"texture" not in code or b"hipReadMode" in code or b"hipTextureType" in code:
        return
    for match in _DECLARATION.finditer(code):
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*match.span(1)),
            f"{match[1].decode()} is a texture reference: deprecated in HIP, and gone from CUDA 12",
            "make it a hipTextureObject_t that the host creates and hands to the kernel; "
            "GPUs without image instructions (gfx90a, gfx942) need plain loads",
        )


RULE = Rule(
    id="texture-reference",
    summary="Texture references are reported: HIP has them deprecated, and texture objects are to replace them.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\ntexture<float, 2, cudaReadModeElementType> image;\n",
            "is a texture reference",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\ntexture<float, 2, hipReadModeElementType> image;\n",
        "#include <hip/hip_runtime.h>\nvoid f() { int texture = 3; gl::texture<int> t; }\n",
    ),
)
