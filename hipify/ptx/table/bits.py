"""Logic, shifts, fields, permutations."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.forms import filled
from hipify.ptx.lop3 import expressions
from hipify.ptx.model import Instruction
from hipify.ptx.types import KINDS, Kind, cpp_type

FORMS = """
and.{b16 b32 b64}                   d, a, b                   => $a & $b
or.{b16 b32 b64}                    d, a, b                   => $a | $b
xor.{b16 b32 b64}                   d, a, b                   => $a ^ $b
not.{b16 b32 b64}                   d, a                      => ~$a
and.pred                            d, a, b                   => $a && $b
or.pred                             d, a, b                   => $a || $b
xor.pred                            d, a, b                   => $a != $b
not.pred                            d, a                      => !$a
cnot.{b16 b32 b64}                  d, a                      => $a == 0 ? 1 : 0

shl.{b16 b32 b64}                   d:uT, a:uT, b:u32         => hipify::ptx::shl($a, $b)
shr.{b16 b32 b64}                   d:uT, a:uT, b:u32         => hipify::ptx::shr($a, $b)
shr.{u16 u32 u64 s16 s32 s64}       d, a, b:u32               => hipify::ptx::shr($a, $b)
shf.l.wrap.b32                      d, a, b, c:b32            => __funnelshift_l($a, $b, $c)
shf.l.clamp.b32                     d, a, b, c:b32            => __funnelshift_lc($a, $b, $c)
shf.r.wrap.b32                      d, a, b, c:b32            => __funnelshift_r($a, $b, $c)
shf.r.clamp.b32                     d, a, b, c:b32            => __funnelshift_rc($a, $b, $c)

popc.b32                            d:u32, a                  => __popc($a)
popc.b64                            d:u32, a                  => __popcll($a)
clz.b32                             d:u32, a                  => __clz($a)
clz.b64                             d:u32, a                  => __clzll($a)
brev.b32                            d, a                      => __brev($a)
brev.b64                            d, a                      => __brevll($a)
bfind.u32                           d:u32, a                  => 31 - __clz($a)
bfind.u64                           d:u32, a                  => 63 - __clzll($a)
bfind.s32                           d:u32, a                  => 31 - __clz($a < 0 ? ~$a : $a)
bfind.s64                           d:u32, a                  => 63 - __clzll($a < 0 ? ~$a : $a)
bfind.shiftamt.{u32 s32 u64 s64}    d:u32, a                  => hipify::ptx::bfind_shift($a)
fns.b32                             d:u32, a:u32, b:u32, c:s32 => hipify::ptx::fns($a, $b, $c)
bmsk.clamp.b32                      d:u32, a:u32, b:u32       => hipify::ptx::bmsk_clamp($a, $b)
bmsk.wrap.b32                       d:u32, a:u32, b:u32       => hipify::ptx::bmsk_wrap($a, $b)
szext.clamp.{u32 s32}               d, a, b:u32               => hipify::ptx::szext_clamp($a, $b)
szext.wrap.{u32 s32}                d, a, b:u32               => hipify::ptx::szext_wrap($a, $b)

bfe.{u32 s32 u64 s64}               d, a, b:u32, c:u32        => hipify::ptx::bfe($a, $b, $c)
bfi.{b32 b64}                       d:uT, a:uT, b:uT, c:u32, e:u32 => hipify::ptx::bfi($a, $b, $c, $e)

prmt.b32                            d, a, b, c                => hipify::ptx::prmt($a, $b, $c)
prmt.b32.f4e                        d, a, b, c                => hipify::ptx::prmt_f4e($a, $b, $c)
prmt.b32.b4e                        d, a, b, c                => hipify::ptx::prmt_b4e($a, $b, $c)
prmt.b32.rc8                        d, a, b, c                => hipify::ptx::prmt_rc8($a, $b, $c)
prmt.b32.ecl                        d, a, b, c                => hipify::ptx::prmt_ecl($a, $b, $c)
prmt.b32.ecr                        d, a, b, c                => hipify::ptx::prmt_ecr($a, $b, $c)
prmt.b32.rc16                       d, a, b, c                => hipify::ptx::prmt_rc16($a, $b, $c)
"""


def _type(instruction: Instruction) -> str | None:
    """The instruction's only type, where it has one and no other modifier."""
    return instruction.modifiers[0] if len(instruction.modifiers) == 1 else None


def _shift(emitter: Emitter, instruction: Instruction) -> bool:
    """Shifts by a constant less than the width are C++'s own."""
    type_ = _type(instruction)
    if type_ not in KINDS or len(instruction.operands) != 3:
        return False
    kind = KINDS[type_]
    by = emitter.constant(instruction.operands[2])
    if by is None or not 0 <= by < kind.bits:
        return False
    if instruction.opcode == "shl" or kind.signed is None:
        kind = kind._replace(signed=False)
    result, value, _ = instruction.operands
    sign = "<<" if instruction.opcode == "shl" else ">>"
    text = filled(f"$a {sign} {by}", {"a": emitter.read(value, kind)}, ())
    emitter.write(result, text, kind)
    return True


def _extract(emitter: Emitter, instruction: Instruction) -> bool:
    """bfe of a field that is known and lies inside the word."""
    type_ = _type(instruction)
    if type_ not in KINDS or len(instruction.operands) != 4:
        return False
    result, value, *where = instruction.operands
    at, size = (emitter.constant(operand) for operand in where)
    kind = KINDS[type_]
    if at is None or size is None or at < 0 or size < 1 or at + size > kind.bits:
        return False
    if kind.signed:
        up, down = kind.bits - at - size, kind.bits - size
        unsigned = kind._replace(signed=False)
        text = filled(f"$a << {up}", {"a": emitter.read(value, unsigned)}, ()) if up else "$a"
        inner = text if up else emitter.read(value, unsigned)
        text = f"({cpp_type(kind)})({inner}) >> {down}"
    else:
        mask = f"0x{(1 << size) - 1:x}" + ("ull" if kind.bits == 64 else "")
        shifted = f"($a >> {at})" if at else "$a"
        template = f"$a >> {at}" if at + size == kind.bits and at else f"{shifted} & {mask}"
        if size == kind.bits:
            template = "$a"
        text = filled(template, {"a": emitter.read(value, kind)}, ())
    emitter.write(result, text, kind)
    return True


def _lop3(emitter: Emitter, instruction: Instruction) -> bool:
    """lop3 with any lookup table."""
    if instruction.modifiers != ("b32",) or len(instruction.operands) != 5:
        return False
    result, *given, table = instruction.operands
    kind = KINDS["b32"]
    number = emitter.constant(table)
    values = dict(zip("abc", (emitter.read(operand, kind) for operand in given), strict=True))
    if number is None:
        values["t"] = emitter.read(table, KINDS["u32"])
        template = f"{emitter.ours('ptx::lop3')}($a, $b, $c, $t)"
        emitter.write(result, filled(template, values, ()), KINDS["u32"])
        return True
    emitter.write(result, filled(expressions()[number & 0xFF], values, ()), kind)
    return True


def _permute(emitter: Emitter, instruction: Instruction) -> bool:
    """prmt with a constant selector that copies no sign bits is __byte_perm."""
    if instruction.modifiers != ("b32",) or len(instruction.operands) != 4:
        return False
    result, first, second, selector = instruction.operands
    number = emitter.constant(selector)
    if number is None or number & 0x8888:
        return False
    kind = KINDS["b32"]
    a, b = emitter.read(first, kind), emitter.read(second, kind)
    emitter.write(result, f"__byte_perm({a}, {b}, 0x{number & 0xFFFF:04x})", Kind("i", 32, False))
    return True


EXPANSIONS = {
    "shl": _shift,
    "shr": _shift,
    "bfe": _extract,
    "lop3": _lop3,
    "prmt": _permute,
}
