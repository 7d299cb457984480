"""__grid_constant__ on kernel parameters, a hint that HIP does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_SPACE = re.compile(rb"[ \t]*")
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+__grid_constant__\b")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes it with the space behind it; a file that defines it itself keeps it."""
    directive = context.lexed.directive_at(site.span.start)
    if directive is not None and directive.name != b"define":
        return
    if _DEFINED.search(context.lexed.macro_code):
        return
    gap = _SPACE.match(context.data, site.span.end)
    end = gap.end() if gap else site.span.end
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(site.span.start, end, b""),))


RULE = Rule(
    id="grid-constant",
    summary="__grid_constant__ goes: the parameter is constant without it, and copies of it are only slower.",
    visit=visit,
    names=frozenset(("__grid_constant__",)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n__global__ void k(const __grid_constant__ S s, int n) {}\n",
            "#include <hip/hip_runtime.h>\n__global__ void k(const S s, int n) {}\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n#ifndef __grid_constant__\n#define __grid_constant__\n#endif\n"
        "__global__ void k(const __grid_constant__ S s) {}\n",
    ),
)
