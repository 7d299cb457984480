"""Warp functions whose names macros put together with `##`: no token shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.waves.origin import Origin, origin

_PASTED = re.compile(
    rb"\b__(?:shfl|ballot|any|all|match|reduce)\w*\s*\#\#|\#\#\s*\w*_sync\b|__\s*\#\#\s*\w+\s*\#\#\s*_sync"
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports the pasting; the name is known to the preprocessor only."""
    if b"##" not in context.data or origin(context) is Origin.HIP:
        return
    code = context.lexed.macro_code
    macros = [d for d in context.lexed.directives if b"##" in code[d.start : d.end]]
    for match in (m for d in macros for m in _PASTED.finditer(code, d.start, d.end)):
        yield Finding(
            RULE.id,
            Severity.ERROR,
            Span(*match.span()),
            "a macro pastes the name of a warp function together, so it stays CUDA's",
            "paste hipify:: before it and leave out its underscores, with hipify/warp32.hpp included",
        )


RULE = Rule(
    id="warp-pasted-name",
    summary="A warp function's name that a macro pastes together cannot be led to 32-lane warps.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis("#define SHFL(how, v, d) __shfl_##how##_sync(~0u, v, d)\n", "pastes the name"),
    ),
    keeps=("#define GLUE(a, b) a##b\n",),
)
