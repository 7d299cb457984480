"""Names that look like CUDA's and that nobody knows: neither the database nor the file itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import skip_space_back, word_before
from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

# An API function is called; what is all capitals is as often a macro of the user's own project.
_AFTER_DECLARATOR = re.compile(rb"\s*[;=,)\[{]")
_NO_TYPES = frozenset(
    (b"return", b"else", b"case", b"throw", b"goto", b"new", b"delete", b"define")
)
_API_CALL = re.compile(rb"(?:cuda|cu[A-Z]|nv(?:rtc|ml|tx|jpeg))\w*\s*(?:<[^<>;]*>\s*)?\(")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each unknown name once a file, at its first place, with the number of places."""
    places: dict[bytes, list[Span]] = {}
    for span in context.lexed.suspects:
        if not _is_qualified(context.data, span):
            places.setdefault(context.text(span), []).append(span)
    for name, spans in places.items():
        if _is_defined(context, name) or any(_is_declarator(context.data, s) for s in spans):
            continue
        called = _API_CALL.match(context.lexed.macro_code, spans[0].start) is not None
        more = f" (and in {len(spans) - 1} more places)" if len(spans) > 1 else ""
        yield Finding(
            RULE.id,
            Severity.WARNING if called else Severity.NOTE,
            spans[0],
            f"{name.decode('utf-8', 'replace')} looks like a CUDA name and is in no mapping{more}",
            "if it is your own, nothing is to do; else look for HIP's counterpart",
        )


def _is_qualified(data: bytes, span: Span) -> bool:
    """Whether a scope or an object stands before the name, so that it is somebody's member."""
    before = data[max(0, span.start - 2) : span.start]
    return before.endswith((b"::", b"->")) or (before.endswith(b".") and before != b"..")


def _is_declarator(data: bytes, span: Span) -> bool:
    """Whether a type stands before the name and a declarator's end after it: `int cudaX = 3;`."""
    at = skip_space_back(data, span.start, 0)
    while data[at - 1 : at] in (b"*", b"&"):
        at = skip_space_back(data, at - 1, 0)
    word = word_before(data, at)
    typed = (word and word not in _NO_TYPES) or data[at - 1 : at] == b">"
    return bool(typed) and _AFTER_DECLARATOR.match(data, span.end) is not None


def _is_defined(context: Context, name: bytes) -> bool:
    """Whether the file defines the name itself: as a macro, a function, a type or a variable."""
    known: set[bytes] | None = context.state.get(RULE.id)
    if known is None:
        known = set(_DEFINED.findall(context.lexed.macro_code))
        context.state[RULE.id] = known
    return name in known or context.declares_function(name)


_DEFINED = re.compile(
    rb"(?:#[ \t]*(?:define|ifndef|undef)|\b(?:class|struct|enum|union|namespace|using|typename))\s+(\w+)"
)

RULE = Rule(
    id="unknown-name",
    summary="A name that looks like CUDA's and is in no mapping is reported, so that none is missed.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "void f() { cudaFrobnicate(1); cudaFrobnicate(2); }\n", "cudaFrobnicate looks like"
        ),
    ),
    keeps=(
        "#define CUDA_CHECK(x) (x)\nint y = CUDA_CHECK(2);\n",
        "void cudaHelper(int);\nvoid f() { cudaHelper(2); my::cudaThing(); a.cudaThing(); }\n",
        "void f() { int cudaCount = 3; cudaCount++; }\n",
        "// cudaFrobnicate\n",
    ),
)
