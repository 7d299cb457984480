"""`struct cudaGraphicsResource*` and the like: HIP has a typedef, which must not be called a struct."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import skip_space_back, word_before
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site

# The tags of CUDA's structures and enumerations that have another or no tag in HIP.
_NAMES = (
    "cudaExternalMemoryBufferDesc cudaExternalMemoryHandleDesc cudaExternalMemoryHandleType "
    "cudaExternalSemaphoreHandleDesc cudaExternalSemaphoreHandleType "
    "cudaExternalSemaphoreSignalParams cudaExternalSemaphoreWaitParams cudaGraphicsResource "
    "CUgraphicsResource_st"
).split()


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes the keyword before a use of the type; a declaration of it is reported."""
    code, begin, end = context.lexed.code_around(site.span.start)
    keyword = word_before(code, site.span.start)
    if keyword not in (b"struct", b"enum") or context.options.as_amd:
        return
    if code[site.span.end : end].lstrip()[:1] in (b";", b"{"):
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            f"{site.name} is a typedef in HIP and cannot be declared again",
            "include <hip/hip_runtime_api.h> in place of the declaration",
        )
        return
    start = skip_space_back(code, site.span.start, begin) - len(keyword)
    edit = Edit(start, site.span.start, b"")
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


RULE = Rule(
    id="elaborated-type",
    summary="The keyword goes from `struct cudaGraphicsResource` and others that are typedefs in HIP.",
    visit=visit,
    names=frozenset(_NAMES),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nstruct cudaGraphicsResource* r;\ncudaGraphicsResource_t s;\n",
            "#include <hip/hip_runtime.h>\nhipGraphicsResource* r;\nhipGraphicsResource_t s;\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\nstruct cudaGraphicsResource;\n", "cannot be declared"
        ),
    ),
)
