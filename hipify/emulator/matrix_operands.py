"""Operands of matrix instructions."""

from __future__ import annotations

from hipify.emulator.disassembly import Instruction
from hipify.emulator.errors import EmulatorError
from hipify.emulator.operands import OperandEncoder


def decode(
    i: Instruction, name: str, encoder: OperandEncoder
) -> tuple[str, list[str], dict[str, str]]:
    """Handler name, operand tokens and attributes. Raises for modifiers that are not modelled."""
    raise EmulatorError(f"{name}: matrix instructions are not supported yet")
