"""PTX text to tokens. The only errors are characters that PTX does not have."""

from __future__ import annotations

import re
from typing import NamedTuple


class UntranslatableError(Exception):
    """PTX that has no C++ here, and what to do about it; `offset` is into the PTX text."""

    def __init__(self, message: str, remedy: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.offset = offset


class PtxError(UntranslatableError):
    """A text that is no PTX, or PTX beyond what is understood."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, "rewrite the asm statement in HIP C++ by hand", offset)


class Token(NamedTuple):
    """One token: its kind (a group name of the pattern below), its text and where it starts."""

    kind: str
    text: str
    offset: int


_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<placeholder>%\d+|%\[\w+\])"
    r"|(?P<real>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}"
    r"|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
    r"|(?P<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|0[0-7]*U?(?!\d)|[1-9]\d*U?)"
    r"|(?P<name>%%?[A-Za-z_$][\w$]*|[A-Za-z_$][\w$]*(?:%=)?)"
    r"|(?P<dotted>\.[A-Za-z_0-9]+(?:::[A-Za-z_0-9]+)*)"
    r"|(?P<mark>[{}()\[\],;:@!|+\-~<>=*])",
    re.DOTALL,
)


def tokens(text: str) -> list[Token]:
    """All tokens of a PTX text but white space and comments, an `end` token last.

    Raises PtxError at the first character that starts no token.
    """
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise PtxError(f"{text[at]!r} is no part of PTX", at)
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(Token(kind, match[0], at))
        at = match.end()
    found.append(Token("end", "", len(text)))
    return found
