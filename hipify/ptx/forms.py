"""The notation of the instruction table: one line a form of an instruction.

    mul.wide.{u32 s32}   d:W, a:T, b:T   => ($W)$a * $b

On the left stands the opcode with its modifiers: in braces the types that one place may have, with
a question mark modifiers that may be there and do not change the C++. Then come the operands, the
result first, with their type codes (`hipify.ptx.types.named_kind`; T if none is given). On the
right stands a C++ expression: `$a` is an operand, `$T`, `$U` and `$W` are C++ types.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify.ptx.model import Instruction
from hipify.ptx.types import TYPES, cpp_type, is_tight, named_kind

_LINE = re.compile(r"(?P<opcode>(?:[^\s{]|\{[^}]*\})+)\s+(?P<operands>[^=]*?)\s*=>\s*(?P<cpp>.*)")
_MODIFIER = re.compile(r"\.(\{[^}]*\}|[^.{}]+)")
_HOLE = re.compile(r"\$([A-Za-z]\w*)")


class Parameter(NamedTuple):
    """An operand of a form: its name in the template and its type code."""

    name: str
    code: str


class Form(NamedTuple):
    """One line of the table. `parameters` starts with the result, named d, where there is one."""

    opcode: str
    needed: frozenset[str]
    optional: frozenset[str]
    slots: tuple[frozenset[str], ...]
    parameters: tuple[Parameter, ...]
    cpp: str

    def types_of(self, instruction: Instruction) -> tuple[str, ...] | None:
        """The instruction's types, in order, where this form is the instruction's; else None."""
        types = tuple(word for word in instruction.modifiers if word in TYPES)
        others = [word for word in instruction.modifiers if word not in TYPES]
        if len(types) != len(self.slots) or len(instruction.operands) != len(self.parameters):
            return None
        if any(name not in slot for name, slot in zip(types, self.slots, strict=True)):
            return None
        if not self.needed <= set(others) or len(set(others)) != len(others):
            return None
        return types if set(others) <= self.needed | self.optional else None


def forms(table: str) -> list[Form]:
    """The forms of a table, one from each line that is not empty and no comment."""
    lines = (line.strip() for line in table.splitlines())
    return [_form(line) for line in lines if line and not line.startswith("#")]


def _form(line: str) -> Form:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a line of the instruction table: {line!r}")
    opcode, _, modifiers = match["opcode"].partition(".")
    needed, optional, slots = set(), set(), []
    for word in _MODIFIER.findall(f".{modifiers}" if modifiers else ""):
        if word.startswith("{"):
            slots.append(frozenset(word[1:-1].split()))
        elif word in TYPES:
            slots.append(frozenset((word,)))
        elif word.endswith("?"):
            optional.add(word[:-1])
        else:
            needed.add(word)
    parameters = tuple(
        Parameter(name, code or "T")
        for name, _, code in (part.strip().partition(":") for part in match["operands"].split(","))
        if name
    )
    return Form(
        opcode, frozenset(needed), frozenset(optional), tuple(slots), parameters, match["cpp"]
    )


def filled(template: str, values: dict[str, str], types: tuple[str, ...]) -> str:
    """The template with operands and types put in, operands in parentheses where need be."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            return cpp_type(named_kind(name, types))
        text = values[name]
        if is_tight(text) or _stands_alone(template, *match.span()):
            return text
        return f"({text})"

    return _HOLE.sub(fill, template)


def _stands_alone(template: str, start: int, end: int) -> bool:
    """Whether a hole is a whole argument or the whole expression."""
    before, after = template[:start].rstrip(), template[end:].lstrip()
    opens = not before or before.endswith(",") or re.search(r"\w\($", before) is not None
    return opens and (not after or after[0] in ",)")
