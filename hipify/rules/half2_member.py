"""The `x` and `y` of a half2, which were plain integers in HIP before ROCm 6.4."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import wrap
from hipify.finding import Finding, Severity
from hipify.mapping import is_reached
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_HALVES_SINCE = "6.4"
_HALF2 = re.compile(rb"\b(?:__)?half2\b")
_MEMBER = re.compile(rb"\w\.[xy]\b")
_CAST = b"reinterpret_cast<half&>("


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Casts each member to a half where clang knows them; without clang, says what to look for."""
    if not context.options.half2_members or is_reached(context.options.rocm, _HALVES_SINCE):
        return
    if context.oracle is None:
        yield from _warned(context)
        return
    for span in context.oracle.half2_members:
        before = context.data[: span.start].rstrip()
        if not before.endswith((b"&>(", b"& >(")):
            yield Finding(RULE.id, Severity.NOTE, span, "", "", wrap(*span, _CAST, b")"))


def _warned(context: Context) -> Iterator[Finding]:
    code = context.lexed.macro_code
    place = _HALF2.search(code)
    if place is not None and _MEMBER.search(code, place.end()):
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*place.span()),
            f"the members of a half2 are no halves in HIP before ROCm {_HALVES_SINCE}",
            "translate with --engine ast, which casts them, or cast them by hand where they are used",
        )


RULE = Rule(
    id="half2-member",
    summary="Members of a half2 are cast to half for ROCm versions where they are integers.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "__global__ void k(half2 a, half* o) { *o = a.x; }\n", "no halves", {"rocm": (6, 3)}
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n__global__ void k(half2 a, half* o) { *o = a.x; }\n",),
)
