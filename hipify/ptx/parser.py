"""PTX text to instructions: a recursive-descent parser over the tokens."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from hipify.ptx.model import (
    Address,
    Block,
    Declaration,
    Instruction,
    Integer,
    Label,
    Line,
    Negated,
    Operand,
    Pair,
    Placeholder,
    Real,
    Register,
    Selected,
    Sink,
    Special,
    Vector,
)
from hipify.ptx.tokens import PtxError, Token, tokens

_AXES = frozenset((".x", ".y", ".z", ".w"))
# Directives inside a function that carry no meaning for the code that runs.
_IGNORED = frozenset((".loc", ".pragma"))
_SELECTOR = re.compile(r"\.[bh][0-7]{1,4}")
_REPEATED = 64


def parse(text: str, names: Mapping[str, int] | None = None) -> tuple[Line, ...]:
    """The lines of a PTX text.

    `names` maps the names of `%[name]` operands to their numbers. Raises PtxError, with the offset
    of the offending token, for anything that is not understood.
    """
    return _Parser(tokens(text), names or {}).lines(until="end")


class _Parser:
    def __init__(self, found: list[Token], names: Mapping[str, int]) -> None:
        self._tokens = found
        self._names = names
        self._at = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += token.kind != "end"
        return token

    def _accept(self, text: str) -> bool:
        if self._next.text == text and self._next.kind != "end":
            self._at += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            token = self._next
            found = repr(token.text) if token.text else "the end of the text"
            raise PtxError(f"{text!r} is expected, not {found}", token.offset)

    def lines(self, until: str) -> tuple[Line, ...]:
        """Lines up to the closing brace, or the end of the text for `end`."""
        found: list[Line] = []
        while True:
            token = self._next
            if token.kind == "end":
                if until != "end":
                    raise PtxError("a block is not closed", token.offset)
                return tuple(found)
            if token.text == "}":
                if until == "end":
                    raise PtxError("'}' closes nothing", token.offset)
                self._take()
                return tuple(found)
            line = self._line()
            if line is not None:
                found.append(line)

    def _line(self) -> Line | None:
        token = self._next
        if self._accept(";"):
            return None
        if self._accept("{"):
            return Block(self.lines(until="}"), token.offset)
        if token.kind == "dotted":
            return self._directive()
        if token.kind == "name" and self._tokens[self._at + 1].text == ":":
            self._at += 2
            return Label(token.text.removesuffix("%="), token.offset)
        return self._instruction()

    def _directive(self) -> Line | None:
        token = self._take()
        if token.text == ".reg":
            return self._registers(token.offset)
        if token.text in _IGNORED:
            while self._next.kind != "end" and not self._accept(";"):
                self._take()
            return None
        raise PtxError(f"the directive {token.text} is not understood", token.offset)

    def _registers(self, offset: int) -> Declaration:
        kind = self._take()
        if kind.kind != "dotted":
            raise PtxError("a register's type is expected", kind.offset)
        if kind.text in (".v2", ".v4"):
            raise PtxError("vectors of registers are not understood", kind.offset)
        names: list[str] = []
        while True:
            name = self._take()
            if name.kind != "name":
                raise PtxError("a register's name is expected", name.offset)
            plain = _plain(name.text)
            if self._accept("<"):
                names.extend(f"{plain}{number}" for number in range(self._count()))
            else:
                names.append(plain)
            if not self._accept(","):
                break
        self._expect(";")
        return Declaration(kind.text[1:], tuple(names), offset)

    def _count(self) -> int:
        token = self._take()
        count = _integer(token.text) if token.kind == "integer" else 0
        if not 0 < count <= _REPEATED:
            raise PtxError(f"a number of registers up to {_REPEATED} is expected", token.offset)
        self._expect(">")
        return count

    def _instruction(self) -> Instruction:
        offset = self._next.offset
        guard = self._guard() if self._accept("@") else None
        opcode = self._take()
        if opcode.kind != "name":
            found = repr(opcode.text) if opcode.text else "the end of the text"
            raise PtxError(f"an instruction is expected, not {found}", opcode.offset)
        modifiers: list[str] = []
        while self._next.kind == "dotted":
            modifiers.append(self._take().text[1:])
        operands: list[Operand] = []
        if self._next.text not in (";", "}", "") and self._next.kind != "end":
            operands.append(self._operand())
            while self._accept(","):
                operands.append(self._operand())
        if self._next.text != "}" and self._next.kind != "end":
            self._expect(";")
        return Instruction(opcode.text, tuple(modifiers), tuple(operands), guard, offset)

    def _guard(self) -> Register | Placeholder | Negated:
        negated = self._accept("!")
        token = self._next
        operand = self._single()
        if not isinstance(operand, Register | Placeholder):
            raise PtxError("a predicate is expected after '@'", token.offset)
        return Negated(operand) if negated else operand

    def _operand(self) -> Operand:
        token = self._next
        if self._accept("["):
            return self._address()
        if self._accept("{"):
            parts = [self._operand()]
            while self._accept(","):
                parts.append(self._operand())
            self._expect("}")
            return Vector(tuple(parts))
        if self._accept("!"):
            operand = self._single()
            if not isinstance(operand, Register | Placeholder):
                raise PtxError("a predicate is expected after '!'", token.offset)
            return Negated(operand)
        first = self._single()
        return Pair(first, self._single()) if self._accept("|") else first

    def _address(self) -> Operand:
        base = self._single()
        offset = 0
        if self._accept("+") or self._next.text == "-":
            offset = self._signed()
        if self._next.text in (",", "{"):
            raise PtxError("an address with coordinates is not understood", self._next.offset)
        self._expect("]")
        return Address(base, offset)

    def _signed(self) -> int:
        negative = self._accept("-")
        token = self._take()
        if token.kind != "integer":
            raise PtxError("a constant is expected", token.offset)
        value = _integer(token.text)
        return -value if negative else value

    def _single(self) -> Operand:
        token = self._take()
        if token.kind == "placeholder":
            return self._part(self._placeholder(token), token)
        if token.kind == "integer":
            return Integer(_integer(token.text))
        if token.kind == "real":
            return _real(token.text)
        if token.kind == "name":
            return self._named(token)
        if token.text in ("-", "~"):
            inner = self._single()
            if isinstance(inner, Integer):
                return Integer(-inner.value if token.text == "-" else ~inner.value)
            if isinstance(inner, Real) and token.text == "-":
                return Real(inner.bits ^ 1 << (inner.width - 1), inner.width)
        if token.text == "(":
            inner = self._single()
            self._expect(")")
            return inner
        found = repr(token.text) if token.text else "the end of the text"
        raise PtxError(f"an operand is expected, not {found}", token.offset)

    def _placeholder(self, token: Token) -> Placeholder:
        if token.text.startswith("%["):
            name = token.text[2:-1]
            if name not in self._names:
                raise PtxError(f"no operand has the name {name}", token.offset)
            return Placeholder(self._names[name])
        return Placeholder(int(token.text[1:]))

    def _named(self, token: Token) -> Operand:
        if token.text == "_":
            return Sink()
        axis = self._next
        if axis.text in _AXES and axis.offset == token.offset + len(token.text):
            self._take()
            return Special(_plain(token.text) + axis.text)
        name = _plain(token.text)
        if token.text.startswith("%"):
            return Special(name)
        return self._part(Register(name), token)

    def _part(self, whole: Register | Placeholder, token: Token) -> Operand:
        """The operand, or the part of it that a suffix right behind it selects."""
        suffix = self._next
        if suffix.offset != token.offset + len(token.text) or not _SELECTOR.fullmatch(suffix.text):
            return whole
        self._take()
        return Selected(whole, suffix.text[1:])


def _plain(name: str) -> str:
    return name.lstrip("%").removesuffix("%=")


def _integer(text: str) -> int:
    text = text.rstrip("U")
    if text.startswith("0") and text.isdigit():
        return int(text, 8)
    return int(text, 0)


def _real(text: str) -> Real:
    if text[:2] in ("0f", "0F"):
        return Real(int(text[2:], 16), 32)
    if text[:2] in ("0d", "0D"):
        return Real(int(text[2:], 16), 64)
    return Real(struct.unpack("<Q", struct.pack("<d", float(text)))[0], 64)
