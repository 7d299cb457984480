"""Comparisons and selections."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.forms import filled
from hipify.ptx.model import Instruction, Operand, Pair, Sink
from hipify.ptx.types import KINDS, Kind, grouped

FORMS = """
selp.{b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64}   d, a, b, c:pred   => $c ? $a : $b
slct.ftz?.{b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64}.{s32 f32}  d, a, b, c:U  => $c >= 0 ? $a : $b
"""

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
# "Unordered" comparisons hold when an operand is NaN: the complement of the opposite one.
_UNORDERED = {
    "equ": "!($a < $b || $a > $b)",
    "neu": "$a != $b",
    "ltu": "!($a >= $b)",
    "leu": "!($a > $b)",
    "gtu": "!($a <= $b)",
    "geu": "!($a < $b)",
}
_FLOATING = {
    **_UNORDERED,
    "ne": "$a < $b || $a > $b",
    "num": "$a == $a && $b == $b",
    "nan": "$a != $a || $b != $b",
}
_HALVES = frozenset(("f16", "f16x2", "bf16", "bf16x2"))
_JOINTS = {"and": "&&", "or": "||", "xor": "!="}


def _condition(emitter: Emitter, instruction: Instruction, kind: Kind, given: list[Operand]) -> str:
    name = instruction.modifiers[0]
    if kind.group == "f":
        template = _FLOATING.get(name) or (f"$a {_SIGNS[name]} $b" if name in _SIGNS else "")
    elif name in _UNSIGNED:
        template = f"$a {_UNSIGNED[name]} $b"
        kind = kind._replace(signed=False)
    else:
        template = f"$a {_SIGNS[name]} $b" if name in _SIGNS else ""
        if kind.signed is None and name not in ("eq", "ne"):
            kind = kind._replace(signed=False)
    if not template:
        emitter.fail(f"the comparison .{name} is not known")
    if kind.signed is None and kind.group == "i":
        kind = kind._replace(signed=False)
    values = {"a": emitter.read(given[0], kind), "b": emitter.read(given[1], kind)}
    return filled(template, values, ())


def _joined(emitter: Emitter, instruction: Instruction, condition: str) -> tuple[str, str | None]:
    """The condition and its complement, each joined with the predicate that follows."""
    joints = [word for word in instruction.modifiers if word in _JOINTS]
    complement = f"!({condition})"
    if not joints:
        return condition, complement
    extra = grouped(emitter.read(instruction.operands[3], KINDS["pred"]))
    sign = _JOINTS[joints[0]]
    return f"({condition}) {sign} {extra}", f"{complement} {sign} {extra}"


def _setp(emitter: Emitter, instruction: Instruction) -> bool:
    """setp, with a second result and a predicate to combine with."""
    kind = KINDS.get(instruction.modifiers[-1])
    if kind is None or len(instruction.operands) not in (3, 4):
        return False
    if instruction.modifiers[-1] in _HALVES:
        return _setp_half(emitter, instruction)
    result, *given = instruction.operands
    condition = _condition(emitter, instruction, kind, given)
    plain, complement = _joined(emitter, instruction, condition)
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    if second is None or isinstance(second, Sink):
        emitter.write(first, plain, KINDS["pred"])
        return True
    # The second result sees what the operands were before the first is written.
    name = emitter.temporary("condition", "bool", condition)
    plain, complement = _joined(emitter, instruction, name)
    other = emitter.temporary("opposite", "bool", complement or "")
    emitter.write(first, plain, KINDS["pred"])
    emitter.write(second, other, KINDS["pred"])
    return True


def _setp_half(emitter: Emitter, instruction: Instruction) -> bool:
    """Halves and bfloats compare as the floats that they are."""
    type_ = instruction.modifiers[-1]
    result, *given = instruction.operands
    if type_.endswith("x2") or isinstance(result, Pair):
        emitter.fail("comparisons of packed halves are not translated")
    to_float = emitter.ours("fp16::to_float_f16" if type_ == "f16" else "fp16::to_float_bf16")
    name = instruction.modifiers[0]
    template = _FLOATING.get(name) or (f"$a {_SIGNS[name]} $b" if name in _SIGNS else "")
    if not template:
        emitter.fail(f"the comparison .{name} is not known")
    kind = KINDS[type_]
    values = {
        letter: f"{to_float}({emitter.read(operand, kind)})"
        for letter, operand in zip("ab", given, strict=False)
    }
    plain, _ = _joined(emitter, instruction, filled(template, values, ()))
    emitter.write(result, plain, KINDS["pred"])
    return True


def _set(emitter: Emitter, instruction: Instruction) -> bool:
    """set: all ones or 1.0 where the comparison holds."""
    types = [word for word in instruction.modifiers if word in KINDS]
    if len(types) != 2 or len(instruction.operands) not in (3, 4):
        return False
    if types[1] in _HALVES:
        return False
    result, *given = instruction.operands
    condition = _condition(emitter, instruction, KINDS[types[1]], given)
    plain, _ = _joined(emitter, instruction, condition)
    values = {"f32": ("1.0f", "0.0f"), "s32": ("-1", "0"), "u32": ("~0u", "0u")}.get(types[0])
    if values is None:
        return False
    emitter.write(result, f"{grouped(plain)} ? {values[0]} : {values[1]}", KINDS[types[0]])
    return True


EXPANSIONS = {"setp": _setp, "set": _set}
