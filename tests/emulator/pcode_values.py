"""Typed values of the pseudocode, and their exact arithmetic."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .pcode_parser import UnsupportedError

FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
MANTISSA = {16: 10, 32: 23, 64: 52}
_QUIET = {16: 0x200, 32: 0x400000, 64: 1 << 51}


def to_float(bits: int, width: int) -> float:
    form, raw = FORMATS[width]
    return float(struct.unpack(form, struct.pack(raw, bits))[0])


def round_to(value: Fraction, width: int) -> float:
    """The nearest float of a width, ties to even."""
    if value == 0:
        return 0.0
    p = MANTISSA[width] + 1
    least = {16: -24, 32: -149, 64: -1074}[width]
    top = {16: 16, 32: 128, 64: 1024}[width]
    magnitude = abs(value)
    e = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** e > magnitude:
        e -= 1
    unit = max(e - p + 1, least)
    scaled = magnitude / Fraction(2) ** unit
    n = scaled.numerator // scaled.denominator
    rest = scaled - n
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1):
        n += 1
    if n * Fraction(2) ** unit >= Fraction(2) ** top:
        return math.inf if value > 0 else -math.inf
    return math.copysign(math.ldexp(n, unit), 1 if value > 0 else -1)


def float_bits(value: float, width: int) -> int:
    """Bits of a float, rounded to the width; NaNs become the default quiet NaN."""
    if math.isnan(value):
        return {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8 << 48}[width]
    if math.isinf(value) or value == 0:
        form, raw = FORMATS[width]
        return int(struct.unpack(raw, struct.pack(form, value))[0])
    rounded = round_to(Fraction(value), width)
    form, raw = FORMATS[width]
    if rounded == 0:
        rounded = math.copysign(0.0, value)
    return int(struct.unpack(raw, struct.pack(form, rounded))[0])


@dataclass(frozen=True)
class Value:
    """`bits` of a `width`; kind is u, i, f, bf or b (untyped)."""

    bits: int
    width: int
    kind: str = "u"

    @property
    def number(self) -> Any:
        if self.kind == "f":
            return to_float(self.bits, self.width)
        if self.kind == "bf":
            return to_float(self.bits << 16, 32)
        if self.kind == "i" and self.bits >> (self.width - 1) & 1:
            return self.bits - (1 << self.width)
        return self.bits

    def cast(self, kind: str, width: int) -> Value:
        """The same bits seen as another type."""
        return Value(self.bits & ((1 << width) - 1), width, kind)


def integer(value: int, width: int, kind: str) -> Value:
    return Value(value & ((1 << width) - 1), width, kind)


def floating(value: float, width: int) -> Value:
    return Value(float_bits(value, width), width, "f")


_TYPE = re.compile(r"(bf|[uifb])(\d+)")


def parse_type(text: str) -> tuple[str, int]:
    if text in {"fp8", "bf8"}:
        raise UnsupportedError(text)
    match = _TYPE.fullmatch(text)
    if match is None:
        raise UnsupportedError(f"type {text}")
    return match[1], int(match[2])


def literal(text: str) -> Value:
    if re.fullmatch(r"\d+\.\d+F?", text):
        return floating(float(text.rstrip("F")), 32 if text.endswith("F") else 64)
    digits = text.rstrip("UL")
    suffix = text[len(digits) :]
    kind = "u" if "U" in suffix or digits.startswith("0x") else "i"
    value = int(digits, 0)
    width = 64 if "LL" in suffix or value >> 32 else 32
    return integer(value, width, kind)


def _combine(op: str, a: float, b: float) -> float:
    """An operation on special or zero operands, as IEEE defines it."""
    try:
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b}[
            op
        ]()
    except ZeroDivisionError:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def float_binary(op: str, a: Value, b: Value) -> Value:
    width = max(a.width if a.kind == "f" else 0, b.width if b.kind == "f" else 0)
    x, y = float(a.number), float(b.number)
    if not (math.isfinite(x) and math.isfinite(y)) or (op == "/" and y == 0):
        return floating(_combine(op, x, y), width)
    fx, fy = Fraction(x), Fraction(y)
    if op == "**":
        return floating(round_to(Fraction(2) ** int(y), 64), width)
    exact = {"+": fx + fy, "-": fx - fy, "*": fx * fy}.get(op) if op != "/" else fx / fy
    if exact is None:
        raise UnsupportedError(f"float {op}")
    if exact == 0:
        return floating(_combine(op, x, y), width)
    rounded = round_to(exact, width)
    form, raw = FORMATS[width]
    return Value(struct.unpack(raw, struct.pack(form, rounded))[0], width, "f")


def fused(a: Value, b: Value, c: Value) -> Value:
    x, y, z = (float(v.number) for v in (a, b, c))
    width = max(a.width, b.width, c.width)
    if not all(map(math.isfinite, (x, y, z))):
        product = _combine("*", x, y) if not (math.isfinite(x) and math.isfinite(y)) else x
        product = product if not (math.isfinite(x) and math.isfinite(y)) else 0.0
        return floating(_combine("+", product, z), width)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        product = math.copysign(0.0, math.copysign(1, x) * math.copysign(1, y))
        return floating(product + z if Fraction(x) * Fraction(y) == 0 else 0.0, width)
    rounded = round_to(exact, width)
    form, raw = FORMATS[width]
    return Value(struct.unpack(raw, struct.pack(form, rounded))[0], width, "f")


def is_nan(v: Value) -> bool:
    return v.kind == "f" and math.isnan(v.number)


def saturate(v: Value, width: int, signed: bool) -> Value:
    x = v.number
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if math.isnan(x):
        value = 0
    elif math.isinf(x):
        value = high if x > 0 else low
    else:
        value = min(max(math.trunc(x), low), high)
    return integer(value, width, "i" if signed else "u")


def truncated_half(x: float) -> Value:
    """f32 to f16 toward zero."""
    value = floating(x, 16)
    if not math.isnan(x) and not math.isinf(x) and abs(value.number) > abs(x):
        return Value(value.bits - 1, 16, "f")
    return value
