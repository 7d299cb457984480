"""Carry chains over several asm statements, which C++ statements cannot continue."""

from __future__ import annotations

from hipify.ptx.model import Block, Instruction, Line
from hipify.ptx.parser import parse
from hipify.ptx.tokens import PtxError
from hipify.ptx.uses import CARRY_TAKERS


def takes_foreign_carry(text: str) -> bool:
    """Whether a PTX text reads a carry flag before it has set one itself."""
    if not any(opcode in text for opcode in CARRY_TAKERS):
        return False
    try:
        lines = parse(text)
    except PtxError:
        return False
    return _first_use(lines) == "takes"


def _first_use(lines: tuple[Line, ...]) -> str:
    for line in lines:
        if isinstance(line, Block):
            use = _first_use(line.body)
            if use:
                return use
        elif isinstance(line, Instruction):
            if line.opcode in CARRY_TAKERS:
                return "takes"
            if "cc" in line.modifiers:
                return "gives"
    return ""
