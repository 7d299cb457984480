"""Kernels passed by name to the runtime: HIP's functions take `const void*` and convert nothing."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import wrap
from hipify.finding import Finding, Severity
from hipify.mapping import ArgumentRule, MappingEntry
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_CASTS = (b"(void", b"(const void", b"reinterpret_cast<", b"static_cast<")


def _casts(rule: ArgumentRule) -> bool:
    return rule.action == "reinterpret_cast" and rule.target == "hip"


def _has_function_pointer(entry: MappingEntry) -> bool:
    return any(map(_casts, entry.args))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Casts the argument that names a kernel, unless the user's code casts it already."""
    entry, call = context.database.get(site.name), context.call_after(site.span)
    if entry is None or call is None:
        return
    for rule in context.argument_rules(entry):
        if not _casts(rule) or rule.index >= len(call.args):
            continue
        argument = call.args[rule.index]
        if not context.text(argument).startswith(_CASTS):
            edits = wrap(argument.start, argument.end, b"reinterpret_cast<const void*>(", b")")
            yield Finding(RULE.id, Severity.NOTE, argument, "", "", edits)


RULE = Rule(
    id="function-pointer-argument",
    summary="A kernel passed to a runtime function is cast to `const void*`.",
    visit=visit,
    entry=_has_function_pointer,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaFuncSetAttribute(k<1, 2>, a, 3); "
            "cudaFuncGetAttributes(&b, (const void*)k); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { "
            "hipFuncSetAttribute(reinterpret_cast<const void*>(k<1, 2>), a, 3); "
            "hipFuncGetAttributes(&b, (const void*)k); }\n",
        ),
    ),
)
