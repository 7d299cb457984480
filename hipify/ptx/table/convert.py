"""cvt: between integers, floating-point types and their packed forms."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction
from hipify.ptx.types import KINDS, Kind, cast, cpp_type, grouped

FORMS = """
cvt.rn.f64.f32                      d, a:U                    => (double)$a
cvt.f64.f32                         d, a:U                    => (double)$a
cvt.ftz.f64.f32                     d, a:U                    => (double)$a
cvt.rn.ftz?.f32.f64                 d, a:U                    => (float)$a
cvt.rz.ftz?.f32.f64                 d, a:U                    => hipify::fp::to_float_rz($a)
cvt.rm.ftz?.f32.f64                 d, a:U                    => hipify::fp::to_float_rd($a)
cvt.rp.ftz?.f32.f64                 d, a:U                    => hipify::fp::to_float_ru($a)
cvt.rn.sat.ftz?.f32.f64             d, a:U                    => hipify::fp::saturate((float)$a)
cvt.ftz?.f32.f32                    d, a:U                    => $a
cvt.sat.ftz?.f32.f32                d, a:U                    => hipify::fp::saturate($a)
cvt.rni.ftz?.f32.f32                d, a:U                    => rintf($a)
cvt.rzi.ftz?.f32.f32                d, a:U                    => truncf($a)
cvt.rmi.ftz?.f32.f32                d, a:U                    => floorf($a)
cvt.rpi.ftz?.f32.f32                d, a:U                    => ceilf($a)
cvt.rni.f64.f64                     d, a:U                    => rint($a)
cvt.rzi.f64.f64                     d, a:U                    => trunc($a)
cvt.rmi.f64.f64                     d, a:U                    => floor($a)
cvt.rpi.f64.f64                     d, a:U                    => ceil($a)

cvt.ftz?.f32.f16                    d, a:U                    => hipify::fp16::to_float_f16($a)
cvt.ftz?.f32.bf16                   d, a:U                    => hipify::fp16::to_float_bf16($a)
cvt.f64.f16                         d, a:U                    => (double)hipify::fp16::to_float_f16($a)
cvt.rn.ftz?.f16.f32                 d, a:U                    => hipify::fp16::to_f16($a)
cvt.rz.ftz?.f16.f32                 d, a:U                    => hipify::fp16::to_f16_rz($a)
cvt.rn.relu.f16.f32                 d, a:U                    => hipify::fp16::relu_f16(hipify::fp16::to_f16($a))
cvt.rn.sat.ftz?.f16.f32             d, a:U                    => hipify::fp16::to_f16(hipify::fp::saturate($a))
cvt.rn.f16.f64                      d, a:U                    => hipify::fp16::to_f16_from_double($a)
cvt.rn.bf16.f32                     d, a:U                    => hipify::fp16::to_bf16($a)
cvt.rz.bf16.f32                     d, a:U                    => hipify::fp16::to_bf16_rz($a)
cvt.rn.relu.bf16.f32                d, a:U                    => hipify::fp16::relu_bf16(hipify::fp16::to_bf16($a))
cvt.rn.f16x2.f32                    d, a:U, b:U               => hipify::fp16::pack(hipify::fp16::to_f16($b), hipify::fp16::to_f16($a))
cvt.rz.f16x2.f32                    d, a:U, b:U               => hipify::fp16::pack(hipify::fp16::to_f16_rz($b), hipify::fp16::to_f16_rz($a))
cvt.rn.relu.f16x2.f32               d, a:U, b:U               => hipify::fp16::relu_f16x2(hipify::fp16::pack(hipify::fp16::to_f16($b), hipify::fp16::to_f16($a)))
cvt.rn.bf16x2.f32                   d, a:U, b:U               => hipify::fp16::pack(hipify::fp16::to_bf16($b), hipify::fp16::to_bf16($a))
cvt.rz.bf16x2.f32                   d, a:U, b:U               => hipify::fp16::pack(hipify::fp16::to_bf16_rz($b), hipify::fp16::to_bf16_rz($a))
cvt.rn.relu.bf16x2.f32              d, a:U, b:U               => hipify::fp16::relu_bf16x2(hipify::fp16::pack(hipify::fp16::to_bf16($b), hipify::fp16::to_bf16($a)))
cvt.rna.satfinite?.tf32.f32         d, a:U                    => hipify::fp::to_tf32_rna($a)
cvt.rn.tf32.f32                     d, a:U                    => hipify::fp::to_tf32_rn($a)
cvt.rz.tf32.f32                     d, a:U                    => hipify::fp::to_tf32_rz($a)

cvt.rn.satfinite.e4m3x2.f32         d, a:U, b:U               => hipify::fp8::to_e4m3x2($a, $b)
cvt.rn.satfinite.e5m2x2.f32         d, a:U, b:U               => hipify::fp8::to_e5m2x2($a, $b)
cvt.rn.satfinite.e4m3x2.f16x2       d, a:U                    => hipify::fp8::to_e4m3x2_from_f16x2($a)
cvt.rn.satfinite.e5m2x2.f16x2       d, a:U                    => hipify::fp8::to_e5m2x2_from_f16x2($a)
cvt.rn.f16x2.e4m3x2                 d, a:U                    => hipify::fp8::to_f16x2_from_e4m3x2($a)
cvt.rn.f16x2.e5m2x2                 d, a:U                    => hipify::fp8::to_f16x2_from_e5m2x2($a)
"""

_ROUND_TO_INTEGER = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_SUFFIXES = {"rz": "rz", "rm": "rd", "rp": "ru"}
_HALVES = {"f16": "fp16::to_float_f16", "bf16": "fp16::to_float_bf16"}
_HARMLESS = frozenset(("ftz",))


def _cvt(emitter: Emitter, instruction: Instruction) -> bool:
    """cvt where an integer takes part; the forms have the rest."""
    types = [word for word in instruction.modifiers if word in KINDS]
    others = [word for word in instruction.modifiers if word not in KINDS]
    if len(types) != 2 or len(instruction.operands) != 2:
        return False
    if not _is_integer(types[0]) and not _is_integer(types[1]):
        return False
    wanted, given = KINDS[types[0]], KINDS[types[1]]
    result, source = instruction.operands
    words = [word for word in others if word not in _HARMLESS]
    if _is_integer(types[0]) and _is_integer(types[1]):
        text = _between_integers(emitter, emitter.read(source, given), given, wanted, words)
    elif _is_integer(types[0]):
        text = _to_integer(emitter, emitter.read(source, given), types[1], wanted, words)
    else:
        text, wanted = _to_floating(emitter, emitter.read(source, given), types, given, words)
    if not text:
        return False
    emitter.write(result, text, wanted)
    return True


def _is_integer(name: str) -> bool:
    return name[0] in "us" and name[1:].isdigit()


def _between_integers(
    emitter: Emitter, text: str, given: Kind, wanted: Kind, words: list[str]
) -> str:
    if words == ["sat"]:
        return f"{emitter.ours('ptx::saturate_to')}<{cpp_type(wanted)}>({text})"
    return cast(text, cpp_type(wanted)) if not words else ""


def _to_integer(emitter: Emitter, text: str, given: str, wanted: Kind, words: list[str]) -> str:
    words = [word for word in words if word != "sat"]
    if len(words) != 1 or words[0] not in _ROUND_TO_INTEGER:
        return ""
    if given in _HALVES:
        text = f"{emitter.ours(_HALVES[given])}({text})"
    suffix = "" if given == "f64" else "f"
    if words[0] == "rzi":
        rounded = text
    else:
        rounded = f"{_ROUND_TO_INTEGER[words[0]]}{suffix}({text})"
    return f"{emitter.ours('fp::to_integer')}<{cpp_type(wanted)}>({rounded})"


def _to_floating(
    emitter: Emitter, text: str, types: list[str], given: Kind, words: list[str]
) -> tuple[str, Kind]:
    wanted = KINDS[types[0]]
    if types[0] in ("f32", "f64") and words == ["rn"]:
        return cast(text, cpp_type(wanted)), wanted
    if types[0] == "f32" and len(words) == 1 and words[0] in _SUFFIXES:
        return f"{emitter.ours(f'fp::to_float_{_SUFFIXES[words[0]]}')}({text})", wanted
    if types[0] == "f16" and words == ["rn"] and given.bits <= 32:
        # Every integer that a half can hold is exact in double, so this rounds once.
        name = emitter.ours("fp16::to_f16_from_double")
        return f"{name}((double){grouped(text)})", wanted
    return "", wanted


EXPANSIONS = {"cvt": _cvt}
