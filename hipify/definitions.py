"""Function definitions of the user's own, found by tokens from the place of their name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from hipify.arguments import call_at, closing, skip_space, word_before
from hipify.edits import Edit
from hipify.source import SourceFile, Span

_STATEMENT_END = re.compile(rb"[;{}]")
_TAIL = re.compile(rb"(?:\s|const\b|noexcept\b|override\b)*")
_QUALIFIERS = re.compile(rb"\b(?:const|volatile|__restrict__|__restrict|struct|inline|static)\b")
_NAMED = re.compile(rb"([A-Za-z_]\w*)\s*\Z")
_SCOPE_HEAD = re.compile(rb"\b(namespace|class|struct|union|extern)\b")


class Parameter(NamedTuple):
    """A parameter: its type without qualifiers and spaces (`float*`), and its name, if any."""

    type: bytes
    name: bytes


class Definition(NamedTuple):
    """A function with a body. `span` is all of it, from its template head or attributes on."""

    span: Span
    parameters: tuple[Parameter, ...]
    body: Span


def definition_at(code: bytes, name: Span) -> Definition | None:
    """The function definition whose name (or operator symbol) is at `name`; None if there is none.

    `code` is masked text without directives.
    """
    call = call_at(code, name.end, len(code))
    if call is None:
        return None
    tail = _TAIL.match(code, call.close)
    brace = tail.end() if tail else call.close
    if code[brace : brace + 1] != b"{":
        return None
    close = closing(code, brace, len(code))
    if close < 0:
        return None
    start = _start(code, name.start)
    if not code[start : name.start].strip() or word_before(code, name.start) in (
        b"return",
        b"else",
    ):
        return None
    parameters = tuple(_parameter(code[a.start : a.end]) for a in call.args)
    return Definition(Span(start, close + 1), parameters, Span(brace, close + 1))


def _start(code: bytes, at: int) -> int:
    """The first visible byte after the statement or block that ends before `at`."""
    begin = 0
    for match in _STATEMENT_END.finditer(code, max(0, at - 600), at):
        begin = match.end()
    return skip_space(code, begin, at)


def _parameter(text: bytes) -> Parameter:
    text = _QUALIFIERS.sub(b" ", text.partition(b"=")[0]).strip()
    words = re.findall(rb"\w+|[^\w\s]", text)
    named = len(words) > 1 and re.match(rb"[A-Za-z_]", words[-1]) and words[-2] not in (b"::",)
    is_type_word = words and words[-1] in (b"int", b"long", b"char", b"short", b"float", b"double")
    if named and not is_type_word:
        return Parameter(_joined(words[:-1]), words[-1])
    return Parameter(_joined(words), b"")


def _joined(words: list[bytes]) -> bytes:
    """Type words with one space between names and none around `*` and `&`."""
    return re.sub(rb"\s*([*&])\s*", rb"\1", b" ".join(words))


def is_in_class(code: bytes, at: int) -> bool:
    """Whether the innermost block around `at` is a class, or a function's body."""
    depth = 0
    while at > 0:
        at -= 1
        if code[at] == 0x7D:  # }
            depth += 1
        elif code[at] == 0x7B:  # {
            if depth == 0:
                head = _SCOPE_HEAD.findall(code[_start(code, at) : at])
                return not head or head[-1] not in (b"namespace", b"extern")
            depth -= 1
    return False


def guarded(source: SourceFile, code: bytes, spans: Iterable[Span], condition: bytes) -> list[Edit]:
    """Edits that put whole definitions between `condition` (an `#if` line) and `#endif`.

    Neighbours with nothing but space and comments between them share one pair.
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and not code[merged[-1].end : span.start].strip():
            merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    newline, edits = source.newline, []
    for start, end in merged:
        line_start = source.line_span(start).start
        clean = not source.data[line_start:start].strip()
        opening = condition + newline
        at = line_start if clean else start
        edits.append(Edit(at, at, opening if clean else newline + opening))
        line_end = source.line_span(end).end
        rest = source.data[end:line_end]
        if rest.strip() or not rest.endswith(b"\n"):
            edits.append(Edit(end, end, newline + b"#endif" + newline))
        else:
            edits.append(Edit(line_end, line_end, b"#endif" + newline))
    return edits
