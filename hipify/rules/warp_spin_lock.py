"""Locks that lanes of one wave contend for: CUDA's lanes take turns, AMD's wait for each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import closing
from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.waves.origin import Origin, origin

_LOOP = re.compile(rb"\bwhile\s*(?=\()")
_ATOMIC = re.compile(rb"\batomic(?:CAS|Exch)(?:_block|_system)?\s*\(")
# One lane of the wave, or of the block, is chosen just before.
_ONE_LANE = re.compile(rb"\bif\s*\([^;{}]*==\s*0[^;{}]*\)\s*\{?\s*\Z")
_EMPTY = re.compile(rb"\s*(?:;|\{\s*;?\s*\})")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports loops in device code that do nothing but try to take a lock."""
    if not _ATOMIC.search(context.data) or origin(context) is Origin.HIP:
        return
    code = context.lexed.code
    for match in _LOOP.finditer(code):
        close = closing(code, match.end(), len(code))
        if close < 0 or not _ATOMIC.search(code, match.end(), close):
            continue
        if _ONE_LANE.search(code, max(0, match.start() - 160), match.start()):
            continue
        if _EMPTY.match(code, close + 1) and context.device_function_at(match.start()) is not None:
            yield Finding(
                RULE.id,
                Severity.WARNING,
                Span(match.start(), close + 1),
                "lanes of one wave that wait here for each other never go on: "
                "AMD GPUs run them in step, and the one that has the lock waits for the loop's end",
                "let one lane of the wave take the lock, or put the locked work inside the loop "
                "so that the lane that has it can finish",
            )


RULE = Rule(
    id="warp-spin-lock",
    summary="A loop that only waits for a lock hangs when lanes of one wave want the same lock.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "__device__ void lock(int* m) { while (atomicCAS(m, 0, 1) != 0); }\n", "never go on"
        ),
        Diagnosis("__device__ void lock(int* m) { while (atomicExch(m, 1)) {} }\n", "never go on"),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n"
        "__device__ void add(int* p, int v) {\n"
        "  int old = *p, seen;\n"
        "  do { seen = old; old = atomicCAS(p, seen, seen + v); } while (seen != old);\n"
        "}\n",
        "#include <hip/hip_runtime.h>\n#define CUDA_TOO\n"
        "__global__ void k(int* m) { if (threadIdx.x == 0) { while (atomicCAS(m, 0, 1)) {} } }\n",
    ),
)
