"""Bytes to the tokens that matter: identifiers, launches, directives, strings and comments.

One regular expression finds them all in one pass, about 30 ms a megabyte; what lies between them is
passed over. The translator says which identifiers it wants; what else has the shape of a CUDA
name is kept apart, so that no such name is missed in silence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container
from functools import cached_property
from typing import NamedTuple

from hipify.source import BOM, Span

# The kinds of tokens are the numbers of the groups that end their patterns (1 is the raw string's
# delimiter).
RAW_STRING, CUDA_SHAPED, IDENTIFIER, COMMENT, STRING, CHARACTER, HASH, LAUNCH = range(2, 10)

# The first character of a token is matched by one set, and what it was is asked afterwards by
# looking behind: so the search skips at full speed to the next character that can start a token,
# which makes it six times faster than plain alternatives. A backslash at the end of a line
# continues line comments and strings. An apostrophe behind a hexadecimal digit separates digits.
_TOKEN = re.compile(
    rb"""[A-Za-z_$/"'\#<](?:"""
    rb"(?<=[A-Za-z_$])(?:"
    rb'(?:(?<=R)|(?<=[uUL])R|(?<=u)8R)"([^()\\\s"]{0,16})\((?s:.)*?(?:\)\1"|\Z)()'
    rb"|(?:(?<=c)u(?:da|blas|fft|rand|sparse|solver|dnn|tensor|pti|file)?[A-Z]"
    rb"|(?<=C)U(?:DA_|_|FFT_|BLAS(?:LT)?_|DNN_|DSS_|PTI_|[a-z])"
    rb"|(?<=n)(?:v(?:rtc|ml|tx|jpeg|cuvid|comp|vm|JitLink)[A-Z]|vshmemx?_|vinfer|pp[is]?[A-Z])"
    rb"|(?<=N)(?:CCL_|PP_|V(?:ML|TX|JPEG|SHMEMX?|VM|COMP|MEDIA)_|v(?:Sci|Media|Enc)|pp[A-Z])"
    rb"|(?<=o)ptix[A-Z]"
    rb"|(?<=_)_(?:nv|cuda)_)[A-Za-z0-9_$]*()"
    rb"|[A-Za-z0-9_$]*())"
    rb"|(?<=/)(?:/[^\n\\]*(?:\\(?:\r\n|(?s:.))?[^\n\\]*)*|\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?)()"
    rb'|(?<=")[^"\\\n]*(?:\\(?:\r\n|(?s:.))[^"\\\n]*)*"?()'
    rb"|(?<=')(?<![0-9A-Fa-f]')[^'\\\n]*(?:\\(?:\r\n|(?s:.))[^'\\\n]*)*'()"
    rb"|(?<=\#)()"
    rb"|(?<=<)<<())"
)
_DIRECTIVE = re.compile(rb"\#[ \t]*([a-z_]+)")
INCLUDE = re.compile(rb"\#[ \t]*include[ \t]*(?:<([^>\n]*)>|\"([^\"\n]*)\")")
"""An include directive with its path, which stands in one of the two groups."""
_LOGICAL_LINE = re.compile(rb"[^\n\\]*(?:\\(?:\r\n|(?s:.))?[^\n\\]*)*")
_LITERALS = frozenset((STRING, RAW_STRING))
_CONDITIONALS = frozenset((b"if", b"ifdef", b"ifndef"))
_ALTERNATIVES = frozenset((b"elif", b"else", b"elifdef", b"elifndef"))


class Literal(NamedTuple):
    """A string literal, quotes and prefix included."""

    start: int
    end: int
    raw: bool


Branches = tuple[tuple[int, int], ...]
"""Nested `#if` branches, outermost first, as (number of the `#if`, number of its branch)."""


class Directive(NamedTuple):
    """A preprocessor directive from its `#` to the end of its logical line, line ending excluded.

    `around` are the conditional branches that it stands in, `after` those of the text behind it.
    """

    start: int
    end: int
    name: bytes
    around: Branches
    after: Branches


class Lexed:
    """The tokens of one file. All offsets are bytes."""

    def __init__(
        self,
        data: bytes,
        identifiers: list[Span],
        comments: list[Span],
        literals: list[Literal],
        hashes: list[int],
        launches: list[int],
        suspects: list[Span],
    ) -> None:
        self.data = data
        self.identifiers = identifiers
        self.comments = comments
        self.literals = literals
        self.launches = launches
        self.suspects = suspects
        """Identifiers that were not wanted and yet look like names of CUDA's."""
        self._hashes = hashes

    @cached_property
    def directives(self) -> list[Directive]:
        """All directives in order, each with the conditional branches around it."""
        found: list[Directive] = []
        stack: list[tuple[int, int]] = []
        conditionals = reach = 0
        for at in self._hashes:
            if at < reach or not self._opens_line(at):
                continue
            match = _DIRECTIVE.match(self.data, at)
            if match is None:
                continue
            name = match[1]
            end = reach = _end_of_logical_line(self.data, at)
            opened: tuple[tuple[int, int], ...] = ()
            if name in _CONDITIONALS:
                conditionals += 1
                opened = ((conditionals, 0),)
            elif name in _ALTERNATIVES and stack:
                number, branch = stack.pop()
                opened = ((number, branch + 1),)
            elif name == b"endif" and stack:
                stack.pop()
            around = tuple(stack)
            stack.extend(opened)
            found.append(Directive(at, end, name, around, tuple(stack)))
        return found

    def branches_at(self, offset: int) -> Branches:
        """The chain of `#if` branches around `offset`, outermost first."""
        at = bisect_right(self._directive_starts, offset) - 1
        if at < 0:
            return ()
        directive = self.directives[at]
        return directive.around if offset < directive.end else directive.after

    def conditionals_around(self, offset: int) -> list[Directive]:
        """The `#if`, `#ifdef` and `#ifndef` whose branches hold `offset`, outermost first."""
        numbers = {number for number, _ in self.branches_at(offset)}
        opening = (d for d in self.directives if d.name in _CONDITIONALS) if numbers else ()
        return [d for number, d in enumerate(opening, 1) if number in numbers]

    @cached_property
    def _directive_starts(self) -> list[int]:
        return [directive.start for directive in self.directives]

    def directive_at(self, offset: int) -> Directive | None:
        """The directive whose logical line holds `offset`."""
        at = bisect_right(self._directive_starts, offset) - 1
        if at < 0:
            return None
        directive = self.directives[at]
        return directive if offset < directive.end else None

    @cached_property
    def macro_code(self) -> bytes:
        """The data with comments blanked, string contents masked by `_` and continuations joined.

        Same length and same line ends as the data, so offsets hold in both.
        """
        out = bytearray(self.data)
        if out.startswith(BOM):
            out[:3] = b"   "
        for start, end in self.comments:
            out[start:end] = _masked(self.data[start:end], b" ")
        for start, end, _ in self.literals:
            quote = self.data.index(b'"', start) + 1
            if quote < end:
                out[quote : end - 1] = _masked(self.data[quote : end - 1], b"_")
        return bytes(out).replace(b"\\\n", b" \n").replace(b"\\\r\n", b" \r\n")

    @cached_property
    def code(self) -> bytes:
        """`macro_code` with directives blanked as well: what the compiler proper sees."""
        out = bytearray(self.macro_code)
        for directive in self.directives:
            start, end = directive.start, directive.end
            out[start:end] = _masked(self.macro_code[start:end], b" ")
        return bytes(out)

    def code_around(self, offset: int) -> tuple[bytes, int, int]:
        """The masked text in which to look around `offset`, and the bounds of that look.

        Inside a directive that is the directive alone, elsewhere the whole file without directives.
        """
        directive = self.directive_at(offset)
        if directive is None:
            return self.code, 0, len(self.data)
        return self.macro_code, directive.start, directive.end

    def _opens_line(self, at: int) -> bool:
        line = self.data[self.data.rfind(b"\n", 0, at) + 1 : at]
        line = line.removeprefix(BOM)
        return not line.strip() or line.strip().endswith(b"*/")


def _masked(text: bytes, fill: bytes) -> bytes:
    """`text` with every byte but its line feeds replaced by `fill`."""
    if b"\n" not in text:
        return fill * len(text)
    return b"\n".join(fill * len(line) for line in text.split(b"\n"))


def _end_of_logical_line(data: bytes, at: int) -> int:
    match = _LOGICAL_LINE.match(data, at)
    end = match.end() if match else len(data)
    return end - 1 if end > at and data[end - 1 : end] == b"\r" else end


def lex(data: bytes, wanted: Container[bytes]) -> Lexed:
    """All tokens of `data`; of its identifiers only those in `wanted`. Any bytes will do."""
    identifiers: list[Span] = []
    comments: list[Span] = []
    literals: list[Literal] = []
    hashes: list[int] = []
    launches: list[int] = []
    suspects: list[Span] = []
    for match in _TOKEN.finditer(data):
        kind = match.lastindex
        if kind == IDENTIFIER:
            if match[0] in wanted:
                identifiers.append(Span(*match.span()))
        elif kind == CUDA_SHAPED:
            (identifiers if match[0] in wanted else suspects).append(Span(*match.span()))
        elif kind == COMMENT:
            comments.append(Span(*match.span()))
        elif kind in _LITERALS:
            literals.append(Literal(*match.span(), kind == RAW_STRING))
        elif kind == HASH:
            hashes.append(match.start())
        elif kind == LAUNCH:
            launches.append(match.start())
    return Lexed(data, identifiers, comments, literals, hashes, launches, suspects)
