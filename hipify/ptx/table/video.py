"""Video instructions: arithmetic on words and on parts of them."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction, Operand, Selected
from hipify.ptx.types import KINDS, cast, cpp_type, grouped

FORMS = ""

_TYPES = frozenset(("u32", "s32"))
_SECOND = {"add": "{0} + {1}", "min": "{0} < {1} ? {0} : {1}", "max": "{0} > {1} ? {0} : {1}"}
_COMPARISONS = {
    **{"eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual"},
    **{"gt": "Greater", "ge": "GreaterEqual"},
}
_SHIFTS_RIGHT = {"shr7": 7, "shr15": 15}


def _video(emitter: Emitter, name: str) -> str:
    return emitter.ours(f"video::{name}")


def _split(emitter: Emitter, instruction: Instruction, count: int) -> tuple[list[str], list[str]]:
    """The instruction's types, `count` of them, and its other modifiers."""
    types = [word for word in instruction.modifiers if word in _TYPES]
    others = [word for word in instruction.modifiers if word not in _TYPES]
    if len(types) != count:
        emitter.fail(f"{instruction.name} is not understood")
    return types, others


def _wide(emitter: Emitter, operand: Operand, type_: str) -> str:
    """An operand, or a part of it, as a number; int and unsigned both widen to long long."""
    kind = KINDS[type_]
    if not isinstance(operand, Selected):
        return emitter.read(operand, kind)
    if len(operand.part) != 2:
        emitter.fail(f"the selector .{operand.part} is not translated")
    size = 8 if operand.part[0] == "b" else 16
    text = emitter.read(operand.of, kind)
    return f"{emitter.ours('video::part')}({text}, {operand.part[1]}, {size})"


def _scalar(emitter: Emitter, instruction: Instruction) -> bool:
    """vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, with a second operation where there is one."""
    types, words = _split(emitter, instruction, 3)
    operands = instruction.operands
    second = [word for word in words if word in _SECOND]
    if isinstance(operands[0], Selected) or len(operands) != (4 if second else 3):
        emitter.fail(f"{instruction.name} that keeps a part of its result is not translated")
    name = instruction.opcode
    kind = KINDS[types[0]]
    left, right = (
        _wide(emitter, operand, type_)
        for operand, type_ in zip(operands[1:3], types[1:], strict=True)
    )
    modes = [word for word in words if word in ("clamp", "wrap")]
    if modes:
        name, right = f"{name}_{modes[0]}", cast(right, "unsigned")
    if "sat" in words:
        if modes:
            emitter.fail(f"{instruction.name}: saturated shifts are not translated")
        name += "_sat"
    text = f"{_video(emitter, name)}<{cpp_type(kind)}>({left}, {right})"
    if second:
        value = emitter.temporary("first", cpp_type(kind), text)
        text = _SECOND[second[0]].format(value, grouped(emitter.read(operands[3], kind)))
        if second[0] == "add" and kind.signed:
            other = grouped(emitter.read(operands[3], KINDS["u32"]))
            text = f"(unsigned){value} + {other}"
    emitter.write(operands[0], text, kind)
    return True


def _multiply(emitter: Emitter, instruction: Instruction) -> bool:
    """vmad without negated operands."""
    types, words = _split(emitter, instruction, 3)
    operands = instruction.operands
    scale = [word for word in words if word in _SHIFTS_RIGHT]
    if len(operands) != 4 or set(words) - {"sat", *_SHIFTS_RIGHT}:
        emitter.fail(f"{instruction.name} is not translated")
    kind = KINDS[types[0]]
    given = [
        *(_wide(emitter, o, t) for o, t in zip(operands[1:3], types[1:], strict=True)),
        # The sum is signed where either factor is.
        emitter.read(operands[3], KINDS["s32" if "s32" in types[1:] else "u32"]),
        str(_SHIFTS_RIGHT[scale[0]] if scale else 0),
    ]
    name = emitter.ours("video::vmad_sat" if "sat" in words else "vmad")
    emitter.write(operands[0], f"{name}<{cpp_type(kind)}>({', '.join(given)})", kind)
    return True


def _compare(emitter: Emitter, instruction: Instruction) -> bool:
    """vset: 1 or 0, with a second operation where there is one."""
    types, words = _split(emitter, instruction, 2)
    operands = instruction.operands
    second = [word for word in words if word in _SECOND]
    comparison = [word for word in words if word in _COMPARISONS]
    if not comparison or len(operands) != (4 if second else 3):
        emitter.fail(f"{instruction.name} is not translated")
    left, right = (_wide(emitter, o, t) for o, t in zip(operands[1:3], types, strict=True))
    struct = f"{_video(emitter, _COMPARISONS[comparison[0]])}::of"
    text = f"(unsigned){struct}({left}, {right})"
    if second:
        value = emitter.temporary("first", "unsigned", text)
        other = grouped(emitter.read(operands[3], KINDS["u32"]))
        text = _SECOND[second[0]].format(value, other)
    emitter.write(operands[0], text, KINDS["u32"])
    return True


def _packed(emitter: Emitter, instruction: Instruction) -> bool:
    """vadd2, vadd4 and their kin: every part of the result, or the sum of all parts."""
    is_set = instruction.opcode.startswith("vset")
    types, words = _split(emitter, instruction, 2 if is_set else 3)
    operands = instruction.operands
    if len(operands) != 4 or any(isinstance(operand, Selected) for operand in operands):
        emitter.fail(f"{instruction.name} with masks or selectors is not translated")
    name = instruction.opcode
    arguments: list[str] = []
    given = [
        emitter.read(operand, KINDS[type_])
        for operand, type_ in zip(operands[1:3], types[-2:], strict=True)
    ]
    if is_set:
        comparison = [word for word in words if word in _COMPARISONS]
        if len(comparison) != 1:
            return False
        arguments.append(_video(emitter, _COMPARISONS[comparison[0]]))
    if "sat" in words:
        name += "_sat"
        arguments.append(cpp_type(KINDS[types[0]]))
    if "add" in words:
        name += "_add"
        given.append(emitter.read(operands[3], KINDS["u32"]))
    template = f"<{', '.join(arguments)}>" if arguments else ""
    text = f"{_video(emitter, name)}{template}({', '.join(given)})"
    emitter.write(operands[0], text, KINDS["u32"])
    return True


EXPANSIONS = {
    **dict.fromkeys(("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr"), _scalar),
    "vmad": _multiply,
    "vset": _compare,
    **{
        f"{name}{parts}": _packed
        for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")
        for parts in (2, 4)
    },
}
