"""What a PTX text consists of once it is parsed. Offsets count characters of the joined text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Union


class Placeholder(NamedTuple):
    """`%0` or `%[name]`: an operand of the asm statement, by its number."""

    number: int


class Register(NamedTuple):
    """A register that the text declares itself, or one that it only names."""

    name: str


class Special(NamedTuple):
    """A special register such as `%laneid` or `%tid.x`, without the percent sign."""

    name: str


class Integer(NamedTuple):
    """An integer constant, negative ones included."""

    value: int


class Real(NamedTuple):
    """A floating-point constant as its bits: `0f3F800000` has width 32, `0d...` and `1.5` 64."""

    bits: int
    width: int


class Sink(NamedTuple):
    """`_`: a result that is thrown away."""


class Selected(NamedTuple):
    """`%1.b2` or `%1.h0`: a part of an operand, as the video instructions take it."""

    of: Register | Placeholder
    part: str


class Negated(NamedTuple):
    """`!p`: a predicate operand read as its complement."""

    of: Register | Placeholder


class Pair(NamedTuple):
    """`d|p`: a result with a predicate that goes with it."""

    first: Operand
    second: Operand


class Vector(NamedTuple):
    """`{a, b}`: several registers as one operand."""

    parts: tuple[Operand, ...]


class Address(NamedTuple):
    """`[base+offset]`, with the offset in bytes."""

    base: Operand
    offset: int


Operand = Union[  # noqa: UP007 - evaluated at run time, and recursive
    Placeholder, Register, Special, Integer, Real, Sink, Selected, Negated, Pair, Vector, Address
]


@dataclass(frozen=True)
class Instruction:
    """One instruction; `modifiers` are those behind the opcode, without their dots."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Register | Placeholder | Negated | None
    offset: int

    @property
    def name(self) -> str:
        """The opcode with all modifiers, as it was written."""
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class Declaration:
    """`.reg .u32 a, b;`: the registers of one type that a block has for itself."""

    type: str
    names: tuple[str, ...]
    offset: int


@dataclass(frozen=True)
class Label:
    """`AGAIN:`, the target of a branch."""

    name: str
    offset: int


@dataclass(frozen=True)
class Block:
    """`{ ... }`: a scope of registers and labels."""

    body: tuple[Line, ...]
    offset: int


Line = Union[Instruction, Declaration, Label, Block]  # noqa: UP007 - as above
