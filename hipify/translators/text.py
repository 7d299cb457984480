"""The fast path: sites by tokens, with tree-sitter as the judge of rare doubts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify.arguments import OPERATOR_WORDS, SPACE, word_before
from hipify.lexer import INCLUDE
from hipify.sites import Site, SiteKind
from hipify.source import Span

if TYPE_CHECKING:
    from hipify.context import Context
    from hipify.lexer import Lexed
    from hipify.mapping import MappingEntry

_AFTER_DECLARATOR = re.compile(rb"\s*[;=,()\[]")
_CALL = re.compile(rb"\s*\(")
_USED_AFTER = frozenset(b"(=,;{}!<|+-?^~%[])#/")
_ENUMERATOR_KINDS = frozenset(("enum constant", "define"))
_TYPE_KINDS = frozenset(("type", "device type", "namespace"))


class TextTranslator:
    """Decides by the tokens around an identifier whether it can be the CUDA API."""

    def sites(self, context: Context) -> Iterator[Site]:
        """Sites of all kinds but FILE, which the pipeline adds."""
        lexed = context.lexed
        yield from include_sites(lexed)
        yield from self._names(context)
        for start in lexed.launches:
            yield Site(SiteKind.LAUNCH, "<<<", Span(start, start + 3))
        in_include = _Inside(
            [Span(d.start, d.end) for d in lexed.directives if d.name == b"include"]
        )
        for literal in lexed.literals:
            if not in_include(literal.start):
                yield Site(SiteKind.LITERAL, "", Span(literal.start, literal.end))
        for span in lexed.comments:
            yield Site(SiteKind.COMMENT, "", span)

    def _names(self, context: Context) -> Iterator[Site]:
        data, get = context.data, context.database.get
        macros = [d for d in context.lexed.directives if d.name == b"define"]
        includes = [d for d in context.lexed.directives if d.name in (b"include", b"error")]
        in_macro = _Inside([Span(d.start, d.end) for d in macros])
        in_include = _Inside([Span(d.start, d.end) for d in includes])
        for span in context.lexed.identifiers:
            if in_include(span.start):
                continue
            name = data[span.start : span.end].decode()
            found, certain = self.judged(context, span, name, get(name), in_macro(span.start))
            if found:
                yield Site(SiteKind.NAME, name, span, certain)

    def judged(
        self, context: Context, span: Span, name: str, entry: MappingEntry | None, in_macro: bool
    ) -> tuple[bool, bool]:
        """Whether the identifier at `span` is a site, and whether that is certain."""
        kind = entry.kind if entry else ""
        if kind == "device function":
            found = _can_be_device_function(context, span, name, entry)
        else:
            found = _can_be_api(context, span, kind)
        return found, not in_macro


def include_sites(lexed: Lexed) -> Iterator[Site]:
    """A site for each `#include` with a path in it."""
    for directive in lexed.directives:
        if directive.name == b"include":
            site = _include(lexed.data, directive.start, directive.end)
            if site is not None:
                yield site


class _Inside:
    """Whether ascending offsets lie in ascending spans."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._next = 0

    def __call__(self, offset: int) -> bool:
        spans = self._spans
        while self._next < len(spans) and spans[self._next].end <= offset:
            self._next += 1
        return self._next < len(spans) and spans[self._next].start <= offset


def _include(data: bytes, start: int, end: int) -> Site | None:
    match = INCLUDE.match(data, start, end)
    if match is None:
        return None
    group = 1 if match[1] is not None else 2
    return Site(SiteKind.INCLUDE, match[group].decode("utf-8", "replace"), Span(*match.span(group)))


def _can_be_device_function(
    context: Context, span: Span, name: str, entry: MappingEntry | None
) -> bool:
    """Whether an identifier can be a device function that is worth a site.

    Most are words that everybody uses (`min`, `round`, `norm`) and have the same name in HIP, so
    only calls count, none where the file defines a function of that name itself.
    """
    if entry is None or not _CALL.match(context.data, span.end):
        return False
    if not is_worth_a_site(context, name, entry):
        return False
    if entry.hip == name:
        return _can_be_api(context, span, "")
    return _can_be_api(context, span, "") and not context.declares_function(name.encode())


def is_worth_a_site(context: Context, name: str, entry: MappingEntry | None) -> bool:
    """Whether something can be done about a name of CUDA's.

    Most device functions are everybody's words (`min`, `round`) and are called the same in HIP.
    """
    return (
        entry is None
        or entry.kind != "device function"
        or entry.hip != name
        or name.startswith("_")
        or context.engine.dispatch.watches(name)
    )


def _can_be_api(context: Context, span: Span, kind: str) -> bool:
    """Whether the tokens around an identifier allow that it names something of CUDA's."""
    data = context.lexed.macro_code  # a comment before the name joins nothing
    at = span.start
    while at and data[at - 1] in SPACE:
        at -= 1
    if not at or data[at - 1] in _USED_AFTER:
        return kind not in _ENUMERATOR_KINDS or not context.is_own_enumerator(span.start)
    joint = data[at - 1 : at]
    if joint == b":" and data[at - 2 : at - 1] == b":":
        word = word_before(data, at - 2)
        return not word or word in OPERATOR_WORDS or _is_cuda_scope(context, word)
    if joint == b".":
        return data[at - 3 : at] == b"..."
    if joint == b">" and data[at - 2 : at - 1] == b"-":
        return False
    if kind in _TYPE_KINDS or not kind:
        return True
    if joint in (b"*", b"&"):
        at -= 1
    elif not joint.isalnum() and joint not in (b"_", b">"):
        return True
    word = word_before(data, at)
    # A word in capitals is a macro that takes the place of a semicolon more often than a type.
    if word in OPERATOR_WORDS or word.isupper() or not _AFTER_DECLARATOR.match(data, span.end):
        return True
    return not context.is_declared_here(span)


def _is_cuda_scope(context: Context, word: bytes) -> bool:
    """Whether `word::` can qualify a CUDA name: an enumeration or a namespace of CUDA's own."""
    entry = context.database.get(word.decode())
    return entry is not None and entry.kind in _TYPE_KINDS
