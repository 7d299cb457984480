"""Steps of a reduction in shared memory that count on the warp running in step, without a barrier."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.syntax import DeviceFunction
from hipify.waves.origin import Origin, origin

_STEP = re.compile(
    rb"\b(?P<array>\w+)\s*\[(?P<index>[^\[\]]+)\]\s*[-+*|&^]?="
    rb"[^;]*?\b(?P=array)\s*\[\s*(?P=index)\s*\+\s*(?P<distance>32|16|8|4|2|1)\s*\][^;]*;"
)
_MAY_STEP = re.compile(rb"\+\s*(?:16|8|4)\s*\]")
_BARRIER = re.compile(rb"\b(?:__syncthreads|__syncwarp|__threadfence_block|sync)\b")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports the first step of each run that has no barrier between its steps."""
    if not _MAY_STEP.search(context.data) or origin(context) is Origin.HIP:
        return
    for function in context.device_functions:
        span = _first_run(context.lexed.code, function)
        if span is None:
            continue
        array = context.text(span).split(b"[", 1)[0].strip()
        volatile = _is_volatile(array, function, context.lexed.code)
        yield Finding(
            RULE.id,
            Severity.NOTE if volatile else Severity.WARNING,
            span,
            "these steps count on the lanes of a warp running in step, with no barrier between them"
            + ("" if volatile else ", and the compiler may keep or reorder what is not volatile"),
            "put __syncwarp() between the steps, reading before and writing after it, "
            "or use shuffles",
        )


def _first_run(code: bytes, function: DeviceFunction) -> Span | None:
    """The first of two steps that follow each other without a barrier."""
    last = None
    for match in _STEP.finditer(code, function.body.start, function.body.end):
        follows = last is not None and last["array"] == match["array"]
        if last is not None and follows and not _BARRIER.search(code, last.end(), match.start()):
            return Span(*last.span())
        last = match
    return None


def _is_volatile(array: bytes, function: DeviceFunction, code: bytes) -> bool:
    """Whether the function declares the array or pointer as volatile."""
    pattern = rb"\bvolatile\b[^;(){}]*?\b" + re.escape(array) + rb"\b"
    return re.search(pattern, code[function.head.start : function.body.end]) is not None


RULE = Rule(
    id="warp-synchronous",
    summary="Reduction steps without a barrier count on the warp running in step.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "__device__ void sum(volatile int* s, int t) {\n"
            "  s[t] += s[t + 16];\n  s[t] += s[t + 8];\n  s[t] += s[t + 4];\n}\n",
            "running in step",
        ),
        Diagnosis(
            "__global__ void sum() {\n  __shared__ int s[64];\n  int t = threadIdx.x;\n"
            "  if (t < 32) { s[t] = s[t] + s[t + 32]; s[t] = s[t] + s[t + 16]; }\n}\n",
            "not volatile",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n"
        "__device__ void sum(int* s, int t) {\n"
        "  s[t] += s[t + 16];\n  __syncthreads();\n  s[t] += s[t + 8];\n}\n",
    ),
)
