"""cuBLAS functions on half: hipBLAS has a half type of its own, bits in an integer, unless it is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from hipify.context import Context
from hipify.edits import Edit, wrap
from hipify.finding import Finding, Severity
from hipify.mapping import is_reached
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_SWITCH = b"HIPBLAS_USE_HIP_HALF"
_SWITCH_SINCE = "5.5.0"
_SOURCES = frozenset((".cu", ".cpp", ".cc", ".cxx", ".c++"))
_NULL = frozenset((b"nullptr", b"NULL", b"0"))
# The places of alpha, A, B, beta and C among the arguments.
_PLACES = {
    "": (6, 7, 9, 11, 12),
    "Batched": (6, 7, 9, 11, 12),
    "StridedBatched": (6, 7, 10, 13, 14),
}
_KINDS = {f"cublasHgemm{kind}{wide}": kind for kind in _PLACES for wide in ("", "_64")}


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Asks for HIP's half before all includes of a source; in a header, casts the arguments."""
    entry = context.database.get(site.name)
    if entry is None or context.resolve(entry).name is None:
        return
    if _can_switch(context):
        if not context.state.get(RULE.id) and _SWITCH not in context.data:
            context.state[RULE.id] = True
            line = b"#define " + _SWITCH + b"  // hipBLAS takes __half" + context.source.newline
            at = _before_includes(context)
            yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(at, at, line),))
        return
    call = context.call_after(site.span)
    if call is None or _are_library_types(context):
        return
    half = b"hipblasHalf" if context.options.target == "hip" else b"rocblas_half"
    edits: list[Edit] = []
    for type_, index in zip(
        _types(half, _KINDS[site.name]), _PLACES[_KINDS[site.name]], strict=True
    ):
        if index < len(call.args) and context.text(call.args[index]) not in _NULL:
            edits += wrap(*call.args[index], b"reinterpret_cast<" + type_ + b">(", b")")
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", tuple(edits))


def _are_library_types(context: Context) -> bool:
    """Whether `__half` becomes the library's own type in this file, so that nothing need be cast."""
    entry = context.database.get("__half")
    if entry is None or context.resolve(entry).name == "__half":
        return False
    return any(name == "__half" for name, _ in context.used)


def _can_switch(context: Context) -> bool:
    """Whether a macro before the includes does it: not in a header, which is included after others."""
    return (
        context.options.target == "hip"
        and is_reached(context.options.rocm, _SWITCH_SINCE)
        and PurePath(context.source.path).suffix.lower() in _SOURCES
        and not context.nested
    )


def _types(half: bytes, kind: str) -> tuple[bytes, ...]:
    """The types that alpha, A, B, beta and C are cast to."""
    read = b"const " + half + b"*"
    if kind == "Batched":
        return read, read + b" const*", read + b" const*", read, half + b"* const*"
    return read, read, read, read, half + b"*"


def _before_includes(context: Context) -> int:
    """The start of the first include's line, or of the outermost condition around it."""
    outermost = 0
    for directive in context.lexed.directives:
        if not directive.around:
            outermost = directive.start
        if directive.name == b"include":
            break
    return context.source.line_span(outermost).start


RULE = Rule(
    id="half-blas",
    summary="hipBLAS takes HIP's half in cublasHgemm and its kin where a macro asks for that, else by casts.",
    visit=visit,
    names=frozenset(_KINDS),
    rewrites=(
        Rewrite(
            "#include <cstdio>\n#include <cublas_v2.h>\n"
            "void f() { cublasHgemm(h, n, n, 1, 2, 3, &a, A, 1, B, 2, &b, C, 3); }\n",
            "#define HIPBLAS_USE_HIP_HALF  // hipBLAS takes __half\n#include <hip/hip_runtime.h>\n#include <cstdio>\n"
            "#include <hipblas/hipblas.h>\n"
            "void f() { hipblasHgemm(h, n, n, 1, 2, 3, &a, A, 1, B, 2, &b, C, 3); }\n",
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\n#include <cublas_v2.h>\n"
            "void f() { cublasHgemmBatched(h, n, n, 1, 2, 3, &a, A, 1, B, 2, nullptr, C, 3, 4); }\n",
            "#include <hip/hip_runtime.h>\n#include <hipblas/hipblas.h>\n"
            "void f() { hipblasHgemmBatched(h, n, n, 1, 2, 3, reinterpret_cast<const hipblasHalf*>(&a), "
            "reinterpret_cast<const hipblasHalf* const*>(A), 1, reinterpret_cast<const hipblasHalf* const*>(B), 2, "
            "nullptr, reinterpret_cast<hipblasHalf* const*>(C), 3, 4); }\n",
            {"rocm": (5, 3)},
        ),
    ),
)
