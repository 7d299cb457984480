"""What floating-point PTX instructions compute: exact rational arithmetic, rounded once.

Numbers are bits throughout. Any NaN may stand for any other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.ptx.reference import clamp, number


class Format(NamedTuple):
    """A binary floating-point format: bits of the word and of the fraction."""

    bits: int
    fraction: int
    finite_only: bool = False
    """Whether all exponents are numbers (e4m3), but for one NaN."""

    @property
    def bias(self) -> int:
        """What is added to the exponent."""
        return (1 << (self.bits - self.fraction - 2)) - 1

    @property
    def infinity(self) -> int:
        """The bits of positive infinity."""
        return ((1 << (self.bits - self.fraction - 1)) - 1) << self.fraction

    @property
    def largest(self) -> int:
        """The bits of the largest number."""
        return (1 << (self.bits - 1)) - 2 if self.finite_only else self.infinity - 1


FORMATS = {
    "f16": Format(16, 10),
    "bf16": Format(16, 7),
    "f32": Format(32, 23),
    "f64": Format(64, 52),
    "tf32": Format(19, 10),
    "e4m3": Format(8, 3, True),
    "e5m2": Format(8, 2),
}
Value = Fraction | float
"""A rational number, or an infinity, a NaN or a signed zero as a float."""


def decode(word: int, form: Format) -> Value:
    """The number that the bits stand for."""
    sign = -1 if word >> (form.bits - 1) else 1
    size = word & ((1 << (form.bits - 1)) - 1)
    if form.finite_only and size == (1 << (form.bits - 1)) - 1:
        return math.nan
    if not form.finite_only and size >= form.infinity:
        return sign * math.inf if size == form.infinity else math.nan
    if size == 0:
        return -0.0 if sign < 0 else 0.0
    exponent, fraction = size >> form.fraction, size & ((1 << form.fraction) - 1)
    if exponent:
        fraction |= 1 << form.fraction
    power = max(exponent, 1) - form.bias - form.fraction
    return sign * Fraction(fraction) * Fraction(2) ** power


def encode(value: Value, form: Format, mode: str = "rn") -> int:
    """The bits of a value rounded: rn, rz, rm, rp, or rna (halves away from zero)."""
    top = 1 << (form.bits - 1)
    if isinstance(value, float):
        if math.isnan(value):
            return form.infinity + 1 if not form.finite_only else top - 1
        sign = top if math.copysign(1, value) < 0 else 0
        return sign | (form.infinity if math.isinf(value) else 0)
    sign = top if value < 0 else 0
    size = abs(value)
    exponent = max(_exponent(size), 1 - form.bias)
    unit = Fraction(2) ** (exponent - form.fraction)
    steps, rest = divmod(size, unit)
    steps += _rounds_up(int(steps), rest / unit, mode, value < 0)
    word = int(steps) + ((exponent + form.bias - 1) << form.fraction)
    if form.finite_only or word < form.infinity:
        return sign | word
    away = mode in ("rn", "rna") or (mode == "rp" and value > 0) or (mode == "rm" and value < 0)
    return sign | (form.infinity if away else form.largest)


def _exponent(size: Fraction) -> int:
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess if size >= Fraction(2) ** guess else guess - 1


def _rounds_up(steps: int, rest: Fraction, mode: str, negative: bool) -> bool:
    if mode == "rn":
        return rest > Fraction(1, 2) or (rest == Fraction(1, 2) and steps % 2 == 1)
    if mode == "rna":
        return rest >= Fraction(1, 2)
    if mode == "rz" or rest == 0:
        return False
    return (mode == "rm") == negative


def is_nan(word: int, type_: str) -> bool:
    """Whether the bits are a NaN of the type."""
    value = decode(word, FORMATS[type_])
    return isinstance(value, float) and math.isnan(value)


def _add(a: Value, b: Value, mode: str) -> Value:
    if isinstance(a, float) and isinstance(b, float) and a == 0 == b:
        if math.copysign(1, a) == math.copysign(1, b):
            return a
        return -0.0 if mode == "rm" else 0.0
    if not _is_finite(a) or not _is_finite(b):
        return float(a if not _is_finite(a) else 0) + float(b if not _is_finite(b) else 0)
    total = Fraction(a) + Fraction(b)
    if total == 0:
        return -0.0 if mode == "rm" else 0.0
    return total


def _mul(a: Value, b: Value) -> Value:
    if _is_finite(a) and _is_finite(b) and a != 0 and b != 0:
        return Fraction(a) * Fraction(b)
    return _sign_of(a) * _sign_of(b) * _size(a) * _size(b)


def _div(a: Value, b: Value) -> Value:
    if _is_finite(a) and _is_finite(b) and a != 0 and b != 0:
        return Fraction(a) / Fraction(b)
    sign, x, y = _sign_of(a) * _sign_of(b), _size(a), _size(b)
    if math.isnan(x) or math.isnan(y) or (x == 0 == y) or (math.isinf(x) and math.isinf(y)):
        return math.nan
    return sign * (math.inf if y == 0 or math.isinf(x) else 0.0)


def _is_finite(a: Value) -> bool:
    return isinstance(a, Fraction) or math.isfinite(a)


def _sign_of(a: Value) -> float:
    return math.copysign(1.0, a) if isinstance(a, float) else (-1.0 if a < 0 else 1.0)


def _size(a: Value) -> float:
    return abs(a) if isinstance(a, float) else 1.0


def operation(name: str, type_: str, mode: str = "rn", result: str = "") -> Callable[..., int]:
    """add, sub, mul, fma, div, rcp in a format, rounded as the mode says."""
    form = FORMATS[type_]
    target = FORMATS[result or type_]

    def compute(*words: int) -> int:
        a, *more = (decode(word, form) for word in words)
        if name == "add":
            value = _add(a, more[0], mode)
        elif name == "sub":
            value = _add(a, -more[0], mode)
        elif name == "mul":
            value = _mul(a, more[0])
        elif name == "fma":
            value = _add(_mul(a, more[0]), more[1], mode)
        elif name == "div":
            value = _div(a, more[0])
        else:
            value = _div(Fraction(1), a)
        return encode(value, target, mode)

    return compute


def root(type_: str, mode: str) -> Callable[[int], int]:
    """sqrt, by the integer root of a number scaled until it has more digits than are kept."""
    form = FORMATS[type_]

    def compute(word: int) -> int:
        a = decode(word, form)
        if isinstance(a, float) or a < 0:
            if isinstance(a, float) and a in (0, math.inf):
                return encode(a, form)
            return encode(math.nan, form)
        scale = 1200
        whole = (a * Fraction(4) ** scale).numerator // (a * Fraction(4) ** scale).denominator
        near = math.isqrt(whole)
        # A little more than the cut root stands for all digits behind, unless there are none.
        exact = Fraction(near) ** 2 == a * Fraction(4) ** scale
        value = (Fraction(near) + (0 if exact else Fraction(1, 3))) / Fraction(2) ** scale
        return encode(value, form, mode)

    return compute


def convert(source: str, target: str, mode: str) -> Callable[[int], int]:
    """cvt between floating-point formats."""
    return lambda word: encode(decode(word, FORMATS[source]), FORMATS[target], mode)


def to_integer(source: str, target: str, mode: str) -> Callable[[int], int]:
    """cvt to an integer: rounded, then clamped; NaN becomes 0."""
    rounding: dict[str, Callable[[Fraction], int]] = {
        "rni": round,
        "rzi": math.trunc,
        "rmi": math.floor,
        "rpi": math.ceil,
    }

    def compute(word: int) -> int:
        value = decode(word, FORMATS[source])
        if isinstance(value, float) and not math.isfinite(value):
            if math.isnan(value):
                return 0
            return clamp(1 << 80 if value > 0 else -(1 << 80), target)
        return clamp(rounding[mode](Fraction(value)), target)

    return compute


def from_integer(source: str, target: str, mode: str) -> Callable[[int], int]:
    """cvt from an integer."""

    def compute(word: int) -> int:
        value = number(word, source)
        return encode(Fraction(value) if value else 0.0, FORMATS[target], mode)

    return compute


def to_fp8(source: str, target: str) -> Callable[[int], int]:
    """cvt.rn.satfinite to an 8-bit format."""
    form = FORMATS[target]
    nan = 0x7F

    def compute(word: int) -> int:
        value = decode(word, FORMATS[source])
        if isinstance(value, float) and math.isnan(value):
            return nan
        sign = 0x80 if _sign_of(value) < 0 else 0
        if isinstance(value, float) and math.isinf(value):
            return sign | form.largest
        positive: Value = -value if sign else value
        size = encode(positive, form) & 0xFFF
        return sign | min(size, form.largest)

    return compute


def extreme(name: str, type_: str, nan: bool = False) -> Callable[..., int]:
    """min and max: the number if the other is NaN, unless .NaN; -0 is less than +0."""
    form = FORMATS[type_]

    def order(word: int) -> tuple[Value, float]:
        value = decode(word, form)
        return value, _sign_of(value)

    def compute(a: int, b: int) -> int:
        if is_nan(a, type_) or is_nan(b, type_):
            if nan or (is_nan(a, type_) and is_nan(b, type_)):
                return encode(math.nan, form)
            return b if is_nan(a, type_) else a
        return (min if name == "min" else max)((a, b), key=order)

    return compute


def saturate(type_: str) -> Callable[[int], int]:
    """.sat: within [0, 1], NaN to 0."""
    form = FORMATS[type_]

    def compute(word: int) -> int:
        value = decode(word, form)
        if is_nan(word, type_) or value <= 0:
            return 0
        return word if value < 1 else encode(Fraction(1), form)

    return compute


def compare(name: str, type_: str) -> Callable[[int, int], int]:
    """setp's comparisons of floating-point numbers, ordered and unordered."""
    tests: dict[str, Callable[[Value, Value], bool]] = {
        "eq": lambda a, b: a == b,
        "ne": lambda a, b: a != b,
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "ge": lambda a, b: a >= b,
    }

    def compute(a: int, b: int) -> int:
        unordered = is_nan(a, type_) or is_nan(b, type_)
        if name in ("num", "nan"):
            return int(unordered == (name == "nan"))
        if unordered:
            return int(name.endswith("u"))
        plain = name[:-1] if name.endswith("u") else name
        return int(tests[plain](decode(a, FORMATS[type_]), decode(b, FORMATS[type_])))

    return compute
