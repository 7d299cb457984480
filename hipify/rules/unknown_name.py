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
from hipify.syntax import is_function_declarator

# An API function is called; what is all capitals is as often a macro of the user's own project.
_AFTER_DECLARATOR = re.compile(rb"\s*[;=,)\[{]")
_CALL = re.compile(rb"\s*\(")
_DEFINING = frozenset(
    b"define ifndef undef class struct enum union namespace using typename".split()
)
_NO_TYPES = frozenset(
    (b"return", b"else", b"case", b"throw", b"goto", b"new", b"delete", b"define")
)
_API_CALL = re.compile(
    rb"(?:cu(?:da|pti|blas|fft|rand|sparse|solver|dnn|tensor|file)?[A-Z]|nv[a-z]+[A-Z_])\w*\s*(?:<[^<>;]*>\s*)?\("
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each unknown name once a file, at its first place, with the number of places."""
    places: dict[bytes, list[Span]] = {}
    for span in context.lexed.suspects:
        if not (
            _is_qualified(context.data, span) or _is_header(context, span) or context.is_own(span)
        ):
            places.setdefault(context.text(span), []).append(span)
    code = context.lexed.macro_code
    for name, spans in places.items():
        if any(_is_defined(code, span) for span in spans):
            continue
        yield _finding(context, name.decode("utf-8", "replace"), spans, code)


def _finding(context: Context, name: str, spans: list[Span], code: bytes) -> Finding:
    more = f" (and in {len(spans) - 1} more places)" if len(spans) > 1 else ""
    lack = context.database.family(name)
    if lack is not None:
        text = f"{name} belongs to an API without a counterpart and stays as it is{more}"
        return Finding(RULE.id, Severity.ERROR, spans[0], text, lack)
    called = _API_CALL.match(code, spans[0].start) is not None
    return Finding(
        RULE.id,
        Severity.WARNING if called else Severity.NOTE,
        spans[0],
        f"{name} looks like a CUDA name and is in no mapping{more}",
        "if it is your own, nothing is to do; else look for HIP's counterpart",
    )


def _is_qualified(data: bytes, span: Span) -> bool:
    """Whether a scope or an object stands before the name, so that it is somebody's member."""
    before = data[max(0, span.start - 2) : span.start]
    return before.endswith((b"::", b"->")) or (before.endswith(b".") and before != b"..")


def _is_header(context: Context, span: Span) -> bool:
    """Whether the name is part of an include's path, which other rules deal with."""
    directive = context.lexed.directive_at(span.start)
    return directive is not None and directive.name in (b"include", b"error")


def _is_defined(code: bytes, span: Span) -> bool:
    """Whether the name becomes known here: as a macro, a type, a function or a variable."""
    at = skip_space_back(code, span.start, 0)
    while code[at - 1 : at] in (b"*", b"&"):
        at = skip_space_back(code, at - 1, 0)
    word = word_before(code, at)
    if word in _DEFINING:
        return True
    typed = (word and word not in _NO_TYPES) or code[at - 1 : at] == b">"
    if not typed:
        return False
    if _AFTER_DECLARATOR.match(code, span.end):
        return True
    return _CALL.match(code, span.end) is not None and is_function_declarator(code, span.start)


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
        "#include <cudaFrobnicate.h>\n",
        "// cudaFrobnicate\n",
    ),
)
