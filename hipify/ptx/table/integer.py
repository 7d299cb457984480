"""Integer arithmetic, with and without carry."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction
from hipify.ptx.types import KINDS, Kind, grouped

# Sums are made in unsigned arithmetic, which wraps as PTX does; one unsigned operand is enough.
FORMS = """
add.{u16 s16 u32 s32 u64 s64}       d:bT, a:uT, b:bT          => $a + $b
sub.{u16 s16 u32 s32 u64 s64}       d:bT, a:uT, b:bT          => $a - $b
add.sat.s32                         d, a, b                   => hipify::ptx::add_saturated($a, $b)
sub.sat.s32                         d, a, b                   => hipify::ptx::sub_saturated($a, $b)
add.{u16x2 s16x2}                   d, a, b                   => hipify::ptx::add_u16x2($a, $b)

mul.lo.{u16 s16}                    d:bT, a:uT, b:uT          => (unsigned)$a * $b
mul.lo.{u32 s32 u64 s64}            d:bT, a:uT, b:bT          => $a * $b
mul.hi.u16                          d, a, b                   => ((unsigned)$a * $b) >> 16
mul.hi.s16                          d, a, b                   => ($a * $b) >> 16
mul.hi.u32                          d, a:bT, b:bT             => __umulhi($a, $b)
mul.hi.s32                          d, a:bT, b:bT             => __mulhi($a, $b)
mul.hi.u64                          d, a:bT, b:bT             => __umul64hi($a, $b)
mul.hi.s64                          d, a:bT, b:bT             => __mul64hi($a, $b)
mul.wide.{u16 u32}                  d:W, a, b                 => ($W)$a * $b
mul.wide.{s16 s32}                  d:W, a, b                 => ($W)$a * $b
mul24.lo.u32                        d, a:bT, b:bT             => __umul24($a, $b)
mul24.lo.s32                        d, a:bT, b:bT             => __mul24($a, $b)
mul24.hi.{u32 s32}                  d, a, b                   => hipify::ptx::mul24_hi($a, $b)

mad.lo.{u16 s16}                    d:bT, a:uT, b:uT, c:bT    => (unsigned)$a * $b + $c
mad.lo.{u32 s32 u64 s64}            d:bT, a:uT, b:bT, c:bT    => $a * $b + $c
mad.hi.u16                          d, a, b, c                => (((unsigned)$a * $b) >> 16) + $c
mad.hi.s16                          d, a, b, c                => (($a * $b) >> 16) + $c
mad.hi.u32                          d, a:bT, b:bT, c:bT       => __umulhi($a, $b) + $c
mad.hi.s32                          d:bT, a:bT, b:bT, c:uT    => __mulhi($a, $b) + $c
mad.hi.u64                          d, a:bT, b:bT, c:bT       => __umul64hi($a, $b) + $c
mad.hi.s64                          d:bT, a:bT, b:bT, c:uT    => __mul64hi($a, $b) + $c
mad.hi.sat.s32                      d, a, b, c                => hipify::ptx::add_saturated(__mulhi($a, $b), $c)
mad.wide.{u16 u32}                  d:W, a, b, c:W            => ($W)$a * $b + $c
mad.wide.s16                        d:u32, a, b, c:u32        => (unsigned)($a * $b) + $c
mad.wide.s32                        d:u64, a, b, c:u64        => (unsigned long long)((long long)$a * $b) + $c
mad24.lo.u32                        d, a:bT, b:bT, c:uT       => __umul24($a, $b) + $c
mad24.lo.s32                        d:bT, a:bT, b:bT, c:uT    => __mul24($a, $b) + $c
mad24.hi.{u32 s32}                  d:bT, a, b, c:uT          => hipify::ptx::mul24_hi($a, $b) + $c
mad24.hi.sat.s32                    d, a, b, c                => hipify::ptx::add_saturated(hipify::ptx::mul24_hi($a, $b), $c)

sad.u32                             d:u32, a, b, c:bT         => __usad($a, $b, $c)
sad.s32                             d:u32, a, b, c:u32        => hipify::ptx::absolute_difference($a, $b) + $c
sad.{u16 s16 u64 s64}               d:bT, a, b, c:uT          => hipify::ptx::absolute_difference($a, $b) + $c

div.{u16 s16 u32 u64 s32 s64}       d, a, b                   => $a / $b
rem.{u16 s16 u32 u64 s32 s64}       d, a, b                   => $a % $b
abs.s16                             d, a                      => $a < 0 ? -$a : $a
abs.{s32 s64}                       d, a                      => __builtin_elementwise_abs($a)
neg.s16                             d, a                      => -$a
neg.{s32 s64}                       d:bT, a:uT                => -$a
min.{u16 s16 u32 s32 u64 s64}       d, a, b                   => $a < $b ? $a : $b
max.{u16 s16 u32 s32 u64 s64}       d, a, b                   => $a > $b ? $a : $b
min.relu.s32                        d, a, b                   => hipify::ptx::relu($a < $b ? $a : $b)
max.relu.s32                        d, a, b                   => hipify::ptx::relu($a > $b ? $a : $b)
min.u16x2                           d, a, b                   => hipify::ptx::min_u16x2($a, $b)
min.s16x2                           d, a, b                   => hipify::ptx::min_s16x2($a, $b)
max.u16x2                           d, a, b                   => hipify::ptx::max_u16x2($a, $b)
max.s16x2                           d, a, b                   => hipify::ptx::max_s16x2($a, $b)
min.relu.s16x2                      d, a, b                   => hipify::ptx::max_s16x2(hipify::ptx::min_s16x2($a, $b), 0)
max.relu.s16x2                      d, a, b                   => hipify::ptx::max_s16x2(hipify::ptx::max_s16x2($a, $b), 0)

dp4a.{u32 s32}.{u32 s32}            d:u32, a:T, b:U, c:u32    => hipify::ptx::dp4a($a, $b, $c)
dp2a.lo.{u32 s32}.{u32 s32}         d:u32, a:T, b:U, c:u32    => hipify::ptx::dp2a_lo($a, $b, $c)
dp2a.hi.{u32 s32}.{u32 s32}         d:u32, a:T, b:U, c:u32    => hipify::ptx::dp2a_hi($a, $b, $c)
"""


def _carrying(emitter: Emitter, instruction: Instruction) -> bool:
    """add.cc, addc, sub.cc, subc, mad.cc, madc: sums whose carry goes from one to the next."""
    opcode, modifiers = instruction.opcode, instruction.modifiers
    takes = opcode.endswith("c")
    gives = "cc" in modifiers
    if not takes and not gives:
        return False
    kind = KINDS.get(modifiers[-1]) if modifiers else None
    if kind is None or kind.group != "i" or kind.bits not in (32, 64):
        emitter.fail("only 32-bit and 64-bit integers carry")
    kind = Kind("i", kind.bits, False)
    if gives and emitter.request.carry_escapes and not emitter.carry_is_read():
        emitter.fail(
            "it leaves the carry flag to a later asm statement",
            "put the whole carry chain into one asm statement, or use 64-bit arithmetic",
        )
    stem = opcode.removesuffix("c")
    result, *given = instruction.operands
    any_sign = kind._replace(signed=None)
    if stem == "mad":
        left, right = _product(emitter, instruction, kind), emitter.read(given[2], any_sign)
    else:
        left, right = emitter.read(given[0], kind), emitter.read(given[1], any_sign)
    carry = emitter.carry_in() if takes else "0"
    name = "sub" if stem == "sub" else "add"
    if gives and emitter.carry_is_read():
        suffix = "ll" if kind.bits == 64 else ""
        out = emitter.carry_out(kind.bits)
        text = f"__builtin_{name}c{suffix}({left}, {right}, {carry}, &{out})"
    else:
        sign = "-" if name == "sub" else "+"
        text = f"{grouped(left)} {sign} {grouped(right)}" + (f" {sign} {carry}" if takes else "")
    emitter.write(result, text, kind)
    return True


def _product(emitter: Emitter, instruction: Instruction, kind: Kind) -> str:
    signed = kind._replace(signed=instruction.modifiers[-1].startswith("s"))
    a, b = (emitter.read(operand, signed) for operand in instruction.operands[1:3])
    if "lo" in instruction.modifiers:
        wrap = kind._replace(signed=False)
        a, b = (emitter.read(operand, wrap) for operand in instruction.operands[1:3])
        return f"{grouped(a)} * {grouped(b)}"
    if "hi" not in instruction.modifiers:
        emitter.fail("only mad.lo and mad.hi carry")
    name = ("__umul" if not signed.signed else "__mul") + ("64hi" if kind.bits == 64 else "hi")
    return f"{name}({a}, {b})"


EXPANSIONS = dict.fromkeys(("add", "addc", "sub", "subc", "mad", "madc"), _carrying)
