"""Moves: between registers, into and out of halves of wider ones."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction, Operand, Vector
from hipify.ptx.types import KINDS, Kind, cast, cpp_type, grouped

FORMS = """
mov.{b8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 pred f16 f16x2 bf16 bf16x2}  d, a  => $a
"""


def _mov(emitter: Emitter, instruction: Instruction) -> bool:
    """mov from or to `{...}`, which packs and unpacks."""
    if len(instruction.operands) != 2 or len(instruction.modifiers) != 1:
        return False
    result, source = instruction.operands
    name = instruction.modifiers[0]
    if isinstance(source, Vector) and name in KINDS:
        _pack(emitter, result, source, KINDS[name])
        return True
    if isinstance(result, Vector) and name in KINDS:
        _unpack(emitter, result, source, KINDS[name])
        return True
    return False


def _pack(emitter: Emitter, result: Operand, source: Vector, whole: Kind) -> None:
    part = Kind("i", whole.bits // len(source.parts), False)
    pieces = []
    for number, operand in enumerate(source.parts):
        text = emitter.read(operand, part)
        if whole.bits > part.bits and (number or whole.bits == 64):
            text = cast(text, cpp_type(whole._replace(group="i", signed=False)))
        pieces.append(f"{grouped(text)} << {number * part.bits}" if number else text)
    text = " | ".join(f"({piece})" if " << " in piece else grouped(piece) for piece in pieces)
    emitter.write(result, text, Kind("i", whole.bits, False))


def _unpack(emitter: Emitter, result: Vector, source: Operand, whole: Kind) -> None:
    kind = Kind("i", whole.bits, False)
    part = Kind("i", whole.bits // len(result.parts), False)
    # One of the results may be the source itself, so the source is read once, first.
    text = emitter.temporary("packed", cpp_type(kind), emitter.read(source, kind))
    for number, operand in enumerate(result.parts):
        shifted = f"({text} >> {number * part.bits})" if number else text
        emitter.write(operand, cast(shifted, cpp_type(part)), part)


EXPANSIONS = {"mov": _mov}
