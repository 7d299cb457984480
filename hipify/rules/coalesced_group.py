"""Cooperative groups of whatever lanes are there: up to 64 of them on CDNA GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.waves.origin import Origin, origin

_CALL = re.compile(rb"\bcoalesced_threads\s*\(\s*\)(?!\s*\{)")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Says that the group may be larger than in CUDA."""
    if b"coalesced_threads" not in context.data or origin(context) is Origin.HIP:
        return
    for match in _CALL.finditer(context.lexed.macro_code):
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*match.span()),
            "coalesced_threads() gives up to 64 lanes on CDNA GPUs, those of two of CUDA's warps",
            "see that nothing counts on at most 32: arrays by rank, ballots kept in 32 bits; "
            "size(), thread_rank(), shfl() and sync() are right as they are",
        )


RULE = Rule(
    id="coalesced-group",
    summary="`coalesced_threads()` holds up to 64 lanes on CDNA GPUs.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#include <cooperative_groups.h>\n"
            "__device__ void f() { auto g = cooperative_groups::coalesced_threads(); }\n",
            "up to 64 lanes",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"
        "__device__ void f() { auto g = cooperative_groups::coalesced_threads(); }\n",
    ),
)
