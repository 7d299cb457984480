"""What an `#if` condition about NVIDIA's macros comes to on AMD, where they are not defined."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify.lexer import Directive, Lexed

UNDEFINED = frozenset(
    (
        *(b"__CUDA_ARCH__", b"CUDA_VERSION", b"CUDART_VERSION", b"__CUDA_API_VERSION"),
        *(b"__CUDACC_VER_MAJOR__", b"__CUDACC_VER_MINOR__", b"__CUDACC_VER_BUILD__"),
    )
)
"""Macros of NVIDIA's that HIP does not define and that translation leaves in place."""

_TOKEN = re.compile(
    rb"\s*(?:(0[xX][0-9a-fA-F]+|\d+)[uUlL]*|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|<<|>>|[-+*/%<>!~()&|^?:]))"
)
_ASKED_FOR = re.compile(rb"\bdefined\s*(?:\(\s*__CUDA_ARCH__\s*\)|__CUDA_ARCH__\b)")
_LEVELS: tuple[dict[bytes, Callable[[int, int], int]], ...] = (
    {b"|": lambda a, b: a | b},
    {b"^": lambda a, b: a ^ b},
    {b"&": lambda a, b: a & b},
    {b"==": lambda a, b: a == b, b"!=": lambda a, b: a != b},
    {
        b"<": lambda a, b: a < b,
        b">": lambda a, b: a > b,
        b"<=": lambda a, b: a <= b,
        b">=": lambda a, b: a >= b,
    },
    {b"<<": lambda a, b: a << b, b">>": lambda a, b: a >> b},
    {b"+": lambda a, b: a + b, b"-": lambda a, b: a - b},
    {b"*": lambda a, b: a * b, b"/": lambda a, b: a // b, b"%": lambda a, b: a % b},
)


class UnclearError(ValueError):
    """The condition is not an expression that this module reads."""


def on_amd(condition: bytes) -> bool | None:
    """Whether the text behind `#if` or `#elif` holds on AMD; None where that depends on more.

    Comments must be blanked. Macros other than NVIDIA's are unknown, unless one side of `&&` or
    `||` decides without them.
    """
    try:
        reader = _Reader(condition)
        value = reader.choice()
        if reader.at < len(reader.tokens):
            return None
    except (ZeroDivisionError, ValueError):
        return None
    return None if value is None else bool(value)


def dead_branches(lexed: Lexed) -> frozenset[tuple[int, int]]:
    """The branches that AMD never compiles, as (number of the `#if`, number of its branch)."""
    dead: set[tuple[int, int]] = set()
    taken: set[int] = set()
    for directive in lexed.directives:
        if directive.name not in (b"if", b"ifdef", b"ifndef", b"elif", b"else"):
            continue
        if not directive.after:
            continue
        number, branch = directive.after[-1]
        holds = _holds(directive, lexed)
        if holds is False or number in taken:
            dead.add((number, branch))
        if holds:
            taken.add(number)
    return frozenset(dead)


def _holds(directive: Directive, lexed: Lexed) -> bool | None:
    text = lexed.macro_code[directive.start : directive.end]
    condition = text[text.index(directive.name) + len(directive.name) :]
    if directive.name in (b"ifdef", b"ifndef"):
        # A plain test of __CUDA_ARCH__ becomes one of HIP's device pass.
        undefined = condition.strip() in UNDEFINED - {b"__CUDA_ARCH__"}
        return (directive.name == b"ifndef") if undefined else None
    if directive.name == b"else":
        return None
    only_asked, count = _ASKED_FOR.subn(b" SOME_PASS ", condition)
    if count and b"__CUDA_ARCH__" not in only_asked:
        return on_amd(only_asked)  # these become tests of HIP's device pass
    return on_amd(condition)


class _Reader:
    """Reads an expression by precedence; None stands for a value that is not known."""

    def __init__(self, text: bytes) -> None:
        self.tokens: list[bytes] = []
        self.at = 0
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                raise UnclearError
            self.tokens.append(match[0].strip().rstrip(b"uUlL") if match[1] else match[0].strip())
            place = match.end()

    def taken(self, *symbols: bytes) -> bytes:
        """The next token if it is one of these, else nothing."""
        if self.at < len(self.tokens) and self.tokens[self.at] in symbols:
            self.at += 1
            return self.tokens[self.at - 1]
        return b""

    def choice(self) -> int | None:
        value = self.either()
        if not self.taken(b"?"):
            return value
        first = self.choice()
        if not self.taken(b":"):
            raise UnclearError
        second = self.choice()
        if value is None:
            return first if first == second else None
        return first if value else second

    def either(self) -> int | None:
        value = self.both()
        while self.taken(b"||"):
            other = self.both()
            known = [x for x in (value, other) if x is not None]
            value = 1 if any(known) else 0 if len(known) == 2 else None
        return value

    def both(self) -> int | None:
        value = self.binary(0)
        while self.taken(b"&&"):
            other = self.binary(0)
            known = [x for x in (value, other) if x is not None]
            value = 0 if not all(known) else 1 if len(known) == 2 else None
        return value

    def binary(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while symbol := self.taken(*_LEVELS[level]):
            other = self.binary(level + 1)
            if value is None or other is None:
                value = None
            else:
                value = int(_LEVELS[level][symbol](value, other))
        return value

    def unary(self) -> int | None:
        symbol = self.taken(b"!", b"-", b"+", b"~")
        if not symbol:
            return self.primary()
        value = self.unary()
        if value is None:
            return None
        return {b"!": int(not value), b"-": -value, b"+": value, b"~": ~value}[symbol]

    def primary(self) -> int | None:
        if self.taken(b"("):
            value = self.choice()
            if not self.taken(b")"):
                raise UnclearError
            return value
        if self.at >= len(self.tokens):
            raise UnclearError
        token = self.tokens[self.at]
        self.at += 1
        if token == b"defined":
            opened = self.taken(b"(")
            name = self.tokens[self.at] if self.at < len(self.tokens) else b""
            self.at += 1
            if opened and not self.taken(b")"):
                raise UnclearError
            return 0 if name in UNDEFINED else None
        if token[:1].isdigit():
            return int(token, 8 if re.fullmatch(rb"0[0-7]+", token) else 0)
        if self.at < len(self.tokens) and self.tokens[self.at] == b"(":
            raise UnclearError  # a macro's call
        return 0 if token in UNDEFINED else None
