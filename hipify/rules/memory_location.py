"""Managed memory's hints: CUDA 13 names a place by cudaMemLocation, HIP by the number of a device."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit, replace_all
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site
from hipify.source import Span

_PREFETCH = frozenset(("cudaMemPrefetchAsync", "cuMemPrefetchAsync"))
_SIMPLE = re.compile(rb"\w+(?:(?:\.|->)\w+)*")
_LIST = re.compile(
    rb"(?:(?:struct\s+)?(?:cudaMemLocation|CUmemLocation)\s*)?\{[^,{}]*,\s*([^{},]+?)\s*\}"
)
_DEVICE = re.compile(rb"Location\w*Device\b|LOCATION_TYPE_DEVICE\b")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Gives the device of a location, or the CPU's number, in its place."""
    call = context.call_after(site.span)
    entry = context.database.get(site.name)
    if call is None or entry is None or context.resolve(entry).name is None:
        return
    args = call.args
    if site.name in _PREFETCH and len(args) == 5:
        # Flags, which must be 0, go with the location.
        edits = (replace_all(args[3].start, args[4].start, b""),)
        yield from _located(site, context, args[2], edits)
    elif site.name in _PREFETCH and len(args) == 4 and _is_location(args[2], context):
        # Here the stream is left out.
        edits = (replace_all(args[2].end, args[3].end, b""),)
        yield from _located(site, context, args[2], edits)
    elif site.name not in _PREFETCH and len(args) == 4 and _is_location(args[3], context):
        yield from _located(site, context, args[3], ())


def _is_location(argument: Span, context: Context) -> bool:
    """Whether an argument is a location: by a list, or a variable that the file declares so."""
    text = context.text(argument)
    if _LIST.fullmatch(text):
        return True
    last = re.search(rb"(\w+)\s*\Z", text)
    if last is None or not _SIMPLE.fullmatch(text):
        return False
    declared = rb"\b(?:cudaMemLocation|CUmemLocation)\b[^;(){}]*[\s&*]%s\b" % re.escape(last[1])
    return re.search(declared, context.lexed.macro_code) is not None


def _located(
    site: Site, context: Context, argument: Span, edits: tuple[Edit, ...]
) -> Iterator[Finding]:
    text = context.text(argument)
    given = _LIST.fullmatch(text)
    if given is not None:
        device = given[1] if _DEVICE.search(text) else b"hipCpuDeviceId"
    elif _SIMPLE.fullmatch(text):
        device = text + b".type == hipMemLocationTypeDevice ? " + text + b".id : hipCpuDeviceId"
    else:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            argument,
            f"{site.name} takes a device's number in HIP, and this argument is a location",
            "give its id, or hipCpuDeviceId for the host",
        )
        return
    replaced = replace_all(argument.start, argument.end, device)
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (replaced, *edits))


RULE = Rule(
    id="memory-location",
    summary="The locations of CUDA 13's cudaMemPrefetchAsync and cudaMemAdvise become HIP's device numbers.",
    visit=visit,
    names=frozenset((*_PREFETCH, "cudaMemAdvise", "cuMemAdvise")),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f(cudaMemLocation at) {\n"
            "  cudaMemPrefetchAsync(p, n, at, 0, s);\n  cudaMemPrefetchAsync(p, n, device, s);\n"
            "  cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, at);\n"
            "  cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeDevice, 3}, 0, s);\n"
            "  cudaMemPrefetchAsync(p, n, at, 0);\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f(hipMemLocation at) {\n"
            "  hipMemPrefetchAsync(p, n, at.type == hipMemLocationTypeDevice ? at.id : hipCpuDeviceId, s);\n"
            "  hipMemPrefetchAsync(p, n, device, s);\n"
            "  hipMemAdvise(p, n, hipMemAdviseSetReadMostly, at.type == hipMemLocationTypeDevice ? at.id : hipCpuDeviceId);\n"
            "  hipMemPrefetchAsync(p, n, 3, s);\n"
            "  hipMemPrefetchAsync(p, n, at.type == hipMemLocationTypeDevice ? at.id : hipCpuDeviceId);\n}\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\nvoid f() { cudaMemPrefetchAsync(p, n, place(3), 0, s); }\n",
            "is a location",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\nvoid f() { hipMemPrefetchAsync(p, n, device, s); }\n",),
)
