"""Macros for Windows' calling conventions in CUDA's declarations, which HIP does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_NAMES = (
    "CUBLASWINAPI",
    "CUDAAPI",
    "CUDART_CB",
    "CUDARTAPI",
    "CUDA_CB",
    "CUDNNWINAPI",
    "CUFFTAPI",
    "CURANDAPI",
    "CUSPARSEAPI",
    "NVMLAPI",
)
_SPACE = re.compile(rb"[ \t]*")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes the macro with the space behind it; a directive about it stays."""
    if context.lexed.directive_at(site.span.start) is not None and site.certain:
        return
    if _defines_itself(site, context):
        return
    gap = _SPACE.match(context.data, site.span.end)
    end = gap.end() if gap else site.span.end
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(site.span.start, end, b""),))


def _defines_itself(site: Site, context: Context) -> bool:
    """Whether the file gives the macro a meaning of its own."""
    define = re.compile(rb"#[ \t]*define[ \t]+" + site.name.encode() + rb"\b")
    return define.search(context.lexed.macro_code) is not None


RULE = Rule(
    id="calling-convention",
    summary="CUDART_CB, CUDAAPI and the like, empty on all but 32-bit Windows, are removed.",
    visit=visit,
    names=frozenset(_NAMES),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nstatic void CUDART_CB f(void* p);\ntypedef CUresult (CUDAAPI *g)(int);\n",
            "#include <hip/hip_runtime.h>\nstatic void f(void* p);\ntypedef hipError_t (*g)(int);\n",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n#define CUDAAPI\nint CUDAAPI f();\n",),
)
