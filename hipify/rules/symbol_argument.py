"""Device symbols passed to the runtime: HIP takes their address through HIP_SYMBOL."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import wrap
from hipify.finding import Finding, Severity
from hipify.mapping import MappingEntry
from hipify.rules import Rewrite, Rule
from hipify.sites import Site


def _has_symbol(entry: MappingEntry) -> bool:
    return any(rule.action == "symbol" for rule in entry.args)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Wraps the argument that names a device variable."""
    entry, call = context.database.get(site.name), context.call_after(site.span)
    if entry is None or call is None:
        return
    for rule in context.argument_rules(entry):
        if rule.action == "symbol" and rule.index < len(call.args):
            argument = call.args[rule.index]
            if not context.text(argument).startswith(b"HIP_SYMBOL"):
                edits = wrap(argument.start, argument.end, b"HIP_SYMBOL(", b")")
                yield Finding(RULE.id, Severity.NOTE, argument, "", "", edits)


RULE = Rule(
    id="symbol-argument",
    summary="A device variable passed to a runtime function is wrapped in HIP_SYMBOL.",
    visit=visit,
    entry=_has_symbol,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaMemcpyToSymbol(c, h, n); cudaGetSymbolSize(&s, a[0]); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipMemcpyToSymbol(HIP_SYMBOL(c), h, n); "
            "hipGetSymbolSize(&s, HIP_SYMBOL(a[0])); }\n",
        ),
    ),
)
