"""CUDA names in comments, renamed only on request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind

_IDENTIFIER = re.compile(rb"(?<![\w.])[A-Za-z_]\w*")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """With `comments`, renames every known function, type and constant in a comment."""
    if not context.options.comments:
        return
    edits = []
    for match in _IDENTIFIER.finditer(context.data, site.span.start, site.span.end):
        entry = context.database.get(match[0].decode())
        if entry is None or entry.kind == "namespace":
            continue
        name = context.resolve(entry).name
        if name is not None and name != entry.cuda:
            edits.append(Edit(match.start(), match.end(), name.encode()))
    if edits:
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", tuple(edits))


RULE = Rule(
    id="comment-name",
    summary="With --comments, CUDA names in comments are renamed too; by default comments stay.",
    visit=visit,
    kinds=frozenset((SiteKind.COMMENT,)),
    rewrites=(Rewrite("// see cudaMemcpy docs\n", "// see hipMemcpy docs\n", {"comments": True}),),
    keeps=("// see cudaMemcpy docs\n/* cudaFree */\n",),
)
