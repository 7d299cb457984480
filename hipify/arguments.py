"""Call arguments, template arguments and launches, split by tokens at depth 0.

All functions work on masked text (`Lexed.code` or `macro_code`): no comments, no string contents.
An opening `<` counts as a template bracket when a closing one is found and what follows it cannot
continue a comparison; the AST translator knows such things exactly.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify.source import Span

_STOP = re.compile(rb"[()\[\]{},;<>]")
_BRACKET = re.compile(rb"[()\[\]{}]")
_BRACE = re.compile(rb"[{}]")
_CLOSER = {b"(": b")", b"[": b"]", b"{": b"}"}
_TEMPLATE_BODY = re.compile(rb"[^;{}=|!\"]*")
_AFTER_TEMPLATE = re.compile(rb"\s*(?:[(),:{}\[\];*&>.]|\Z|<<<)")
_NAME_BEFORE = re.compile(rb"[A-Za-z0-9_$]\s*\Z")
SPACE = frozenset(b" \t\r\n\f\v")
"""The bytes of white space."""
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
OPERATOR_WORDS = frozenset(
    b"return else case throw new delete sizeof typedef co_return co_await co_yield goto do and or "
    b"not if while for switch define undef ifdef ifndef elif defined using namespace typename "
    b"decltype alignof constexpr const static inline extern struct class enum union "
    b"volatile".split()
)
"""Words after which a name is used, not declared, and which qualify no `::`."""
_NO_CALLEE = frozenset((b"return", b"else", b"do", b"case", b"throw", b"co_return"))


class Call(NamedTuple):
    """A parenthesised argument list: offsets of `(` and after `)`, and the trimmed arguments."""

    open: int
    close: int
    args: tuple[Span, ...]


class Launch(NamedTuple):
    """A kernel launch `kernel<<<config>>>(args)`, all parts as trimmed spans."""

    kernel: Span
    open: int
    config: tuple[Span, ...]
    close: int
    call: Call | None


def skip_space(code: bytes, at: int, end: int) -> int:
    """The first offset from `at` on that is no white space, or `end`."""
    while at < end and code[at] in SPACE:
        at += 1
    return at


def skip_space_back(code: bytes, at: int, begin: int) -> int:
    """The offset after the last visible byte before `at`, or `begin`."""
    while at > begin and code[at - 1] in SPACE:
        at -= 1
    return at


def word_before(code: bytes, at: int) -> bytes:
    """The identifier that ends at `at`, white space in between allowed; empty if there is none."""
    at = end = skip_space_back(code, at, 0)
    while at > 0 and code[at - 1] in _WORD:
        at -= 1
    return code[at:end]


def trimmed(code: bytes, start: int, end: int) -> Span:
    """The span without white space at both ends."""
    start = skip_space(code, start, end)
    return Span(start, skip_space_back(code, end, start))


def closing(code: bytes, at: int, end: int) -> int:
    """The offset of the bracket that closes the `(`, `[` or `{` at `at`, or -1.

    Braces are counted alone, which is quick for whole bodies; within the others all must match.
    """
    if code[at] == 0x7B:  # {
        depth = 1
        for match in _BRACE.finditer(code, at + 1, end):
            depth += 1 if match[0] == b"{" else -1
            if not depth:
                return match.start()
        return -1
    stack = [_CLOSER[code[at : at + 1]]]
    for match in _BRACKET.finditer(code, at + 1, end):
        char = match[0]
        if char in b"([{":
            stack.append(_CLOSER[char])
        elif char != stack.pop():
            return -1
        elif not stack:
            return match.start()
    return -1


def closing_angle(code: bytes, at: int, end: int) -> int:
    """The offset of the `>` that closes the `<` at `at` if that opens template arguments, or -1."""
    if code[at + 1 : at + 2] in (b"=", b"<") or code[at - 1 : at] == b"<":
        return -1
    if not _NAME_BEFORE.search(code, max(0, at - 64), at):
        return -1
    if code[at - 1] in SPACE and code[at + 1 : at + 2].isspace():
        return -1
    depth = 1
    at += 1
    while (match := _STOP.search(code, at, end)) is not None:
        char, at = match[0], match.end()
        if char == b"<":
            depth += 1
        elif char == b">":
            if code[at - 2 : at - 1] == b"-":
                continue
            depth -= 1
            if depth == 0:
                return at - 1 if _AFTER_TEMPLATE.match(code, at, end) else -1
        elif char in b"([{":
            close = closing(code, at - 1, end)
            if close < 0:
                return -1
            at = close + 1
        elif char != b",":
            return -1
    return -1


def split(code: bytes, at: int, end: int, closer: bytes) -> tuple[int, tuple[Span, ...]]:
    """Splits from `at` at the commas of depth 0 up to `closer`.

    Returns the offset of the closer (-1 if there is none) and the trimmed parts; an empty list has
    no parts.
    """
    parts: list[Span] = []
    begin = at
    while (match := _STOP.search(code, at, end)) is not None:
        char, place, at = match[0], match.start(), match.end()
        if code.startswith(closer, place):
            last = trimmed(code, begin, place)
            if parts or last.start < last.end:
                parts.append(last)
            return place, tuple(parts)
        if char == b",":
            parts.append(trimmed(code, begin, place))
            begin = at
        elif char in b"([{":
            close = closing(code, place, end)
            if close < 0:
                return -1, ()
            at = close + 1
        elif char == b"<":
            close = closing_angle(code, place, end)
            if close >= 0:
                at = close + 1
        elif char != b">":
            return -1, ()
    return -1, ()


def call_at(code: bytes, at: int, end: int) -> Call | None:
    """The call whose `(` is the next visible byte from `at` on; None if it is not complete."""
    at = skip_space(code, at, end)
    if code[at : at + 1] != b"(":
        return None
    close, args = split(code, at + 1, end, b")")
    return Call(at, close + 1, args) if close >= 0 else None


def opening_back(code: bytes, at: int, begin: int) -> int:
    """The offset of the bracket that the `)` or `]` just before `at` closes, or -1."""
    depth = 0
    while at > begin:
        at -= 1
        char = code[at]
        if char in b")]}":
            depth += 1
        elif char in b"([{":
            depth -= 1
            if depth == 0:
                return at
    return -1


def _angle_back(code: bytes, at: int, begin: int) -> int:
    """The offset of the `<` that the `>` just before `at` closes, or -1."""
    depth = 0
    while at > begin:
        at -= 1
        char = code[at]
        if char == 0x3E:  # >
            depth += code[at - 1 : at] != b"-"
        elif char == 0x3C:  # <
            depth -= 1
            if depth == 0:
                return at
        elif char in b")]":
            at = opening_back(code, at + 1, begin)
            if at < 0:
                return -1
        elif char in b";{}(":
            return -1
    return -1


def _postfix_start(code: bytes, at: int, begin: int) -> int:
    """Where the postfix expression that ends at `at` starts: `a::b<1>`, `(c ? x : y)`, `p->k`."""
    while True:
        at = skip_space_back(code, at, begin)
        start = at
        last = code[at - 1 : at]
        while last in (b">", b")", b"]"):
            before = _angle_back(code, at, begin) if last == b">" else opening_back(code, at, begin)
            if before < 0:
                return start
            start = at = before
            inner = skip_space_back(code, at, begin)
            last = code[inner - 1 : inner] if inner > begin else b""
            if last and (last in b">)]" or last[0] in _WORD):
                at = inner
        word = at
        while word > begin and code[word - 1] in _WORD:
            word -= 1
        if word < at and code[word:at] not in _NO_CALLEE:
            start = word
        before = skip_space_back(code, start, begin)
        if code[before - 8 : before] == b"template" and before - 8 >= begin:
            start = before - 8
            before = skip_space_back(code, start, begin)
        if before - 2 >= begin and code[before - 2 : before] in (b"::", b"->"):
            at = before - 2
        elif before - 1 >= begin and code[before - 1 : before] == b".":
            at = before - 1
        else:
            return start
        at = skip_space_back(code, at, begin)
        if (
            at == begin
            or (code[at - 1] not in _WORD and code[at - 1] not in b">)]")
            or word_before(code, at) in _NO_CALLEE
        ):
            return before - 2 if code[before - 2 : before] == b"::" else start


def launch_at(code: bytes, at: int, begin: int, end: int) -> Launch | None:
    """The launch whose `<<<` is at `at`; None for anything else (a merge-conflict mark, say)."""
    if code[at + 3 : at + 4] == b"<" or code[at - 1 : at] == b"<":
        return None
    kernel_end = skip_space_back(code, at, begin)
    start = _postfix_start(code, kernel_end, begin)
    if start >= kernel_end:
        return None
    close, config = split(code, at + 3, end, b">>>")
    if close < 0 or not config:
        return None
    return Launch(Span(start, kernel_end), at, config, close + 3, call_at(code, close + 3, end))
