"""Overloads for types that CUDA tells apart and HIP does not: CUresult and cudaError_t, say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import word_before
from hipify.context import Context
from hipify.definitions import Definition, definition_at, guarded, is_in_class
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_GUARD = b"#if !defined(__HIP_PLATFORM_AMD__)  // HIP has one type for both"
# The driver's types that become the runtime's.
_DRIVER = re.compile(
    rb"\b(?:CUresult|CUstream|CUevent|CUgraph|CUgraphExec|CUgraphNode|CUmemoryPool)\b"
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Leaves the driver's overload to NVIDIA where the runtime's has the same types in HIP."""
    code = context.lexed.code
    # A name stands before the bracket in which a driver's type is a parameter.
    brackets = {code.rfind(b"(", 0, match.start()) for match in _DRIVER.finditer(code)}
    names = {word_before(code, at) for at in brackets if at >= 0} - {b""}
    if not names:
        return
    function = re.compile(rb"\b(%s)\s*(?=\()" % b"|".join(map(re.escape, sorted(names))))
    seen: dict[tuple[bytes, ...], Definition] = {}
    driver: list[tuple[tuple[bytes, ...], Definition]] = []
    for match in function.finditer(code):
        definition = definition_at(code, Span(*match.span(1)))
        if definition is None or is_in_class(code, match.start()):
            continue
        types = tuple(_hip_type(p.type, context) for p in definition.parameters)
        key = (match[1], *types)
        if _DRIVER.search(code, match.end(), definition.body.start):
            driver.append((key, definition))
        else:
            seen[key] = definition
    spans = [definition.span for key, definition in driver if key in seen]
    spans = [span for span in spans if not _is_guarded(context, span.start)]
    if spans:
        edits = tuple(guarded(context.source, code, spans, _GUARD))
        yield Finding(RULE.id, Severity.NOTE, spans[0], "", "", edits)


def _hip_type(type_: bytes, context: Context) -> bytes:
    """A parameter's type with its CUDA names as HIP has them."""

    def renamed(match: re.Match[bytes]) -> bytes:
        entry = context.database.get(match[0].decode())
        name = context.resolve(entry).name if entry is not None else None
        return name.encode() if name else match[0]

    return re.sub(rb"[A-Za-z_]\w*", renamed, type_)


def _is_guarded(context: Context, at: int) -> bool:
    line = context.source.line_span(at)
    before = context.data[max(0, line.start - 100) : line.start]
    return b"__HIP_PLATFORM_AMD__" in before


RULE = Rule(
    id="merged-overload",
    summary="Of two overloads whose types are one in HIP, the driver API's is left to NVIDIA.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nstatic const char* name(cudaError_t e) { return cudaGetErrorName(e); }\n"
            "static const char* name(CUresult e) {\n  return text(e);\n}\nvoid g(CUstream s) {}\n",
            "#include <hip/hip_runtime.h>\nstatic const char* name(hipError_t e) { return hipGetErrorName(e); }\n"
            "#if !defined(__HIP_PLATFORM_AMD__)  // HIP has one type for both\n"
            "static const char* name(hipError_t e) {\n  return text(e);\n}\n#endif\nvoid g(hipStream_t s) {}\n",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\nint name(hipError_t e) { return e; }\n",),
)
