"""Characters that make code read otherwise than a compiler reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

# UTF-8 of U+202A..U+202E and U+2066..U+2069, which reorder the text around them.
_BIDIRECTIONAL = re.compile(rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
# Cyrillic and Greek letters, many of which have the shapes of Latin ones.
_LOOKALIKE = re.compile(rb"\xd0[\x80-\xbf]|\xd1[\x80-\xbf]|\xce[\x91-\xbf]|\xcf[\x80-\x8f]")
_IDENTIFIER = re.compile(rb"(?:[A-Za-z0-9_]|[\xce-\xd1][\x80-\xbf])+")
_LATIN = re.compile(rb"[A-Za-z_]")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports bidirectional controls anywhere and look-alike letters in identifiers."""
    if context.data.isascii():
        return
    for match in _BIDIRECTIONAL.finditer(context.data):
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*match.span()),
            "a bidirectional control character makes this line read otherwise than it compiles",
            "remove it; see CVE-2021-42574",
        )
    if not _LOOKALIKE.search(context.data):
        return
    code = context.lexed.macro_code
    for match in _IDENTIFIER.finditer(code):
        if _LOOKALIKE.search(match[0]) and _LATIN.search(match[0]):
            yield Finding(
                RULE.id,
                Severity.WARNING,
                Span(*match.span()),
                "an identifier mixes Latin letters with look-alikes of another alphabet",
                "spell it in ASCII; it is not the name that it seems to be",
            )


RULE = Rule(
    id="deceptive-text",
    summary="Bidirectional controls and look-alike letters in identifiers are reported.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis("int x; // \u202e hidden\n", "bidirectional"),
        Diagnosis("int \u0441udaMalloc;\n", "look-alikes"),
    ),
    keeps=("// caf\u00e9 \u03b1\u03b2\n", 'const char* s = "\u0434\u0430";\n'),
)
