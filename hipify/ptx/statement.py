"""The asm statement around a PTX text: `asm volatile("..." : outputs : inputs : clobbers);`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hipify.arguments import closing, skip_space, trimmed
from hipify.source import Span

_WORD = re.compile(rb"\s*([A-Za-z_]\w*)")
_QUALIFIERS = frozenset((b"volatile", b"__volatile__", b"__volatile", b"inline", b"goto"))
_LONGEST = 20000
_VOLATILE = frozenset((b"volatile", b"__volatile__", b"__volatile"))
_PIECE = re.compile(rb'(?:u8|[uUL])?(R?)"[_\s]*"|[A-Za-z_]\w*|\S')
_OPERAND = re.compile(
    rb'\s*(?:\[\s*(\w+)\s*\])?\s*((?:"[_\s]*"|[A-Za-z_]\w*)(?:\s*"[_\s]*")*)\s*\('
)
_STRING = re.compile(rb'"[_\s]*"')
_ESCAPE = re.compile(rb"\\(?:(x[0-9a-fA-F]+)|([0-7]{1,3})|(\r?\n)|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {b"n": "\n", b"t": "\t", b"r": "\r", b"v": "\v", b"f": "\f", b"0": "\0"}


class Text(NamedTuple):
    """A string joined from literals; `origin[i]` is the file offset at which character i starts."""

    value: str
    origin: tuple[int, ...]

    def offset(self, at: int) -> int:
        """The file offset of a character, or of the last one for the end of the text."""
        if not self.origin:
            return 0
        return self.origin[min(at, len(self.origin) - 1)]


class AsmOperand(NamedTuple):
    """`[name] "constraint" (expression)`, with the spans of constraint and expression."""

    constraint: str
    quoted: Span
    expression: Span
    name: str


class AsmStatement(NamedTuple):
    """A whole asm statement.

    `span` reaches from the keyword to the closing parenthesis; `terminated` is the offset after a
    semicolon that follows, or -1. `macros` are the names in the text that are no literals.
    """

    span: Span
    terminated: int
    volatile: bool
    text: Text
    macros: tuple[str, ...]
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]
    clobbers: tuple[str, ...]
    extended: bool

    @property
    def operands(self) -> tuple[AsmOperand, ...]:
        """Outputs and inputs, in the order of their numbers."""
        return self.outputs + self.inputs


def asm_statement(
    data: bytes, code: bytes, keyword: Span, end: int, strings: Mapping[str, Text]
) -> AsmStatement | None:
    """The statement whose keyword is at `keyword`, or None where no complete one follows.

    `code` is the masked text of the same length as `data`, read up to `end`. `strings` holds the
    macros that are known to stand for a string literal.
    """
    at, volatile = keyword.end, False
    while (word := _WORD.match(code, at, end)) is not None and word[1] in _QUALIFIERS:
        volatile = volatile or word[1] in _VOLATILE
        at = word.end()
    at = skip_space(code, at, end)
    if code[at : at + 1] != b"(":
        return None
    close = closing(code, at, end)
    if close < 0:
        return None
    sections = _sections(code, at + 1, close)
    text, macros = _text(data, code, sections[0], strings)
    if text is None:
        return None
    outputs, inputs = (
        _operands(data, code, sections[number], strings) if number < len(sections) else ()
        for number in (1, 2)
    )
    if outputs is None or inputs is None:
        return None
    clobbers = _clobbers(data, code, sections[3]) if len(sections) > 3 else ()
    after = skip_space(code, close + 1, end)
    terminated = after + 1 if code[after : after + 1] == b";" else -1
    return AsmStatement(
        Span(keyword.start, close + 1),
        terminated,
        volatile,
        text,
        macros,
        outputs,
        inputs,
        clobbers,
        len(sections) > 1,
    )


def opens_statement(code: bytes, keyword: Span, end: int) -> bool:
    """Whether a parenthesis follows the keyword, its qualifiers apart."""
    at = code.find(b"(", keyword.end, end)
    return at >= 0 and code[keyword.end : at].strip() in (b"", *_QUALIFIERS)


def text_inside(data: bytes, code: bytes, keyword: Span, end: int) -> Text:
    """All string literals between the parentheses, for a statement that defies reading."""
    at = code.find(b"(", keyword.end, end)
    close = closing(code, at, end)
    if close < 0 or close > at + _LONGEST:
        # Its closing parenthesis is in another branch of the preprocessor.
        close = code.find(b");", at, min(end, at + _LONGEST))
    value: list[str] = []
    origin: list[int] = []
    for match in _STRING.finditer(code, at, close):
        piece = literal(data, Span(*match.span()))
        value.append(piece.value)
        origin.extend(piece.origin)
    return Text("".join(value), tuple(origin))


def _sections(code: bytes, at: int, end: int) -> list[Span]:
    """The parts between colons at depth 0."""
    found: list[Span] = []
    begin = at
    while at < end:
        char = code[at : at + 1]
        if char in b"([{":
            at = closing(code, at, end)
            if at < 0:
                break
        elif char == b":":
            found.append(trimmed(code, begin, at))
            begin = at + 1
        at += 1
    found.append(trimmed(code, begin, end))
    return found


def _text(
    data: bytes, code: bytes, span: Span, strings: Mapping[str, Text]
) -> tuple[Text | None, tuple[str, ...]]:
    """The joined literals of a section, and the names among them that stand for something else."""
    value: list[str] = []
    origin: list[int] = []
    macros: list[str] = []
    for piece in _PIECE.finditer(code, span.start, span.end):
        if piece[0].endswith(b'"') and len(piece[0]) > 1:
            text = literal(data, Span(*piece.span()))
        elif piece[0][:1].isalpha() or piece[0][:1] == b"_":
            name = piece[0].decode()
            known = strings.get(name)
            if known is None:
                macros.append(name)
                continue
            text = Text(known.value, (piece.start(),) * len(known.value))
        else:
            # Stringification, or the argument list of a macro.
            macros.append(piece[0].decode("latin-1"))
            continue
        value.append(text.value)
        origin.extend(text.origin)
    if not value and not macros:
        return None, ()
    return Text("".join(value), tuple(origin)), tuple(macros)


def literal(data: bytes, span: Span) -> Text:
    """The characters of one string literal, with escapes resolved."""
    raw = data[span.start : span.end]
    quote = raw.index(b'"')
    if raw[:quote].endswith(b"R"):
        open_ = raw.index(b"(")
        begin, end = span.start + open_ + 1, span.end - (open_ - quote) - 1
        return Text(data[begin:end].decode("latin-1"), tuple(range(begin, end)))
    at, end = span.start + quote + 1, span.end - 1
    if b"\\" not in raw:
        return Text(data[at:end].decode("latin-1"), tuple(range(at, end)))
    value: list[str] = []
    origin: list[int] = []
    while at < end:
        match = _ESCAPE.match(data, at, end) if data[at] == 0x5C else None
        if match is None:
            char, step = chr(data[at]), 1
        else:
            char, step = _unescaped(match), match.end() - at
        value.append(char)
        origin.extend([at] * len(char))
        at += step
    return Text("".join(value), tuple(origin))


def _unescaped(match: re.Match[bytes]) -> str:
    if match[1] is not None:
        return chr(int(match[1][1:], 16) & 0xFF)
    if match[2] is not None:
        return chr(int(match[2], 8) & 0xFF)
    if match[3] is not None:
        return ""
    return _SIMPLE_ESCAPES.get(match[4], match[4].decode("latin-1"))


def _operands(
    data: bytes, code: bytes, span: Span, strings: Mapping[str, Text]
) -> tuple[AsmOperand, ...] | None:
    # A missing comma between operands is taken by nvcc, so none is asked for here.
    found: list[AsmOperand] = []
    at = span.start
    while at < span.end:
        match = _OPERAND.match(code, at, span.end)
        if match is None:
            return None
        close = closing(code, match.end() - 1, span.end)
        if close < 0:
            return None
        constraint, _ = _text(data, code, Span(*match.span(2)), strings)
        if constraint is None:
            return None
        name = match[1].decode() if match[1] else ""
        found.append(
            AsmOperand(
                constraint.value, Span(*match.span(2)), trimmed(code, match.end(), close), name
            )
        )
        at = skip_space(code, close + 1, span.end)
        if code[at : at + 1] == b"," and at < span.end:
            at = skip_space(code, at + 1, span.end)
    return tuple(found)


def _clobbers(data: bytes, code: bytes, span: Span) -> tuple[str, ...]:
    return tuple(
        literal(data, Span(*match.span())).value
        for match in _STRING.finditer(code, span.start, span.end)
    )


def string_macros(data: bytes, code: bytes, defines: list[Span]) -> dict[str, Text]:
    """Object-like macros that are defined once in the file, as one or more string literals."""
    found: dict[str, Text] = {}
    seen: set[str] = set()
    pattern = re.compile(rb'\#\s*define\s+([A-Za-z_]\w*)[ \t]+((?:"[_\s]*"\s*)+)\Z')
    for span in defines:
        match = pattern.match(code, span.start, span.end)
        name = re.compile(rb"\#\s*define\s+([A-Za-z_]\w*)").match(code, span.start, span.end)
        if name is None:
            continue
        word = name[1].decode()
        if word in seen:
            found.pop(word, None)
        elif match is not None:
            text, _ = _text(data, code, Span(*match.span(2)), {})
            if text is not None:
                found[word] = text
        seen.add(word)
    return found
