"""Calls that leave out an argument which CUDA gives a default and HIP does not."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

# With how many arguments HIP's form misses one, and what CUDA takes then.
_DEFAULTS = {
    "cudaGraphInstantiate": (2, b"0"),
    "cudaGraphInstantiateWithFlags": (2, b"0"),
    "cudaMalloc3DArray": (3, b"hipArrayDefault"),
    "cudaMemcpy2DArrayToArray": (8, b"hipMemcpyDeviceToDevice"),
    "cudaSignalExternalSemaphoresAsync": (3, b"0"),
    "cudaWaitExternalSemaphoresAsync": (3, b"0"),
}


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Writes the default out."""
    entry, call = context.database.get(site.name), context.call_after(site.span)
    count, value = _DEFAULTS[site.name]
    if call is None or len(call.args) != count:
        return
    if entry is None or context.resolve(entry).name is None:
        return
    at = call.args[-1].end
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(at, at, b", " + value),))


RULE = Rule(
    id="default-argument",
    summary="Arguments that CUDA's functions have defaults for and HIP's have not are written out.",
    visit=visit,
    names=frozenset(_DEFAULTS),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaMalloc3DArray(&a, &d, e); cudaGraphInstantiate(&x, g); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipMalloc3DArray(&a, &d, e, hipArrayDefault); hipGraphInstantiateWithFlags(&x, g, 0); }\n",
        ),
    ),
)
