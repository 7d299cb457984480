"""Which asm operands instructions read and write."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.ptx.model import (
    Address,
    Block,
    Instruction,
    Line,
    Negated,
    Operand,
    Pair,
    Placeholder,
    Selected,
    Vector,
)

CARRY_TAKERS = frozenset(("addc", "subc", "madc"))
"""Opcodes that add the carry flag in."""
_WITHOUT_RESULT = frozenset(("st", "red", "prefetch", "bar", "barrier", "nanosleep"))


def uses(line: Instruction) -> tuple[list[int], list[int]]:
    """Which asm operands an instruction reads and writes; the first operand is the result."""
    stores = line.opcode in _WITHOUT_RESULT and "red" not in line.modifiers
    reads: list[int] = []
    writes: list[int] = []
    for number, operand in enumerate(line.operands):
        target = writes if number == 0 and not stores else reads
        target.extend(_placeholders(operand))
    if line.guard is not None:
        reads.extend(_placeholders(line.guard))
    return reads, writes


def _placeholders(operand: Operand) -> Iterator[int]:
    if isinstance(operand, Placeholder):
        yield operand.number
    elif isinstance(operand, Negated | Selected):
        yield from _placeholders(operand.of)
    elif isinstance(operand, Address):
        yield from _placeholders(operand.base)
    elif isinstance(operand, Pair):
        yield from _placeholders(operand.first)
        yield from _placeholders(operand.second)
    elif isinstance(operand, Vector):
        for part in operand.parts:
            yield from _placeholders(part)


def all_lines(lines: tuple[Line, ...]) -> Iterator[Line]:
    """The lines, and those inside their blocks, in order."""
    for line in lines:
        yield line
        if isinstance(line, Block):
            yield from all_lines(line.body)


def instructions_of(lines: tuple[Line, ...]) -> Iterator[Instruction]:
    """The instructions among the lines, inside blocks too."""
    return (line for line in all_lines(lines) if isinstance(line, Instruction))
