"""half.hpp and bfloat16.hpp by value: every result worked out with exact fractions, rounded once."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.host import SIZES, Function, build, inputs_for, run

SIZES |= {"__half": 16, "__half2": 32, "__hip_bfloat16": 16, "__hip_bfloat162": 32, "short": 16}
SIZES |= {"signed char": 8, "unsigned char": 8}


class Format(NamedTuple):
    """Bits of the fraction, bias of the exponent, and the C++ types of one number and of two."""

    fraction: int
    bias: int
    one: str
    two: str


HALF = Format(10, 15, "__half", "__half2")
BFLOAT = Format(7, 127, "__hip_bfloat16", "__hip_bfloat162")
NAN = 0x7FFF
Value = Fraction | float
"""A Fraction for what is finite, a float for infinities and NaN."""


def value(bits: int, form: Format) -> Value:
    """The number that 16 bits stand for."""
    exponent = bits >> form.fraction & (2 * form.bias + 1)
    low = bits & ((1 << form.fraction) - 1)
    sign = -1 if bits >> 15 else 1
    if exponent == 2 * form.bias + 1:
        return math.nan if low else sign * math.inf
    if exponent:
        low |= 1 << form.fraction
    return sign * Fraction(low) * Fraction(2) ** (max(exponent, 1) - form.bias - form.fraction)


def rounded(exact: Value, form: Format, rounding: str = "rn", zero: int = 0) -> int:
    """The bits of the number next to `exact`; `zero` are those of a result that is exactly 0."""
    if isinstance(exact, float):
        return NAN if math.isnan(exact) else (0x8000 if exact < 0 else 0) | _infinity(form)
    if exact == 0:
        return zero
    size, negative = abs(exact), exact < 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = Fraction(2) ** (max(exponent, 1 - form.bias) - form.fraction)
    count, rest = divmod(size, unit)
    if rounding == "rn":
        count += rest * 2 > unit or (rest * 2 == unit and count % 2)
    else:
        count += bool(rest) and rounding == ("rd" if negative else "ru")
    biased = max(exponent, 1 - form.bias) + form.bias
    bits = (biased - 1 << form.fraction) + count  # a carry runs into the exponent
    if bits >= _infinity(form):
        to_infinity = rounding in ("rn", "rd" if negative else "ru")
        bits = _infinity(form) - (not to_infinity)
    return (0x8000 if negative else 0) | int(bits)


def _infinity(form: Format) -> int:
    return (2 * form.bias + 1) << form.fraction


def _is_nan(x: Value) -> bool:
    return isinstance(x, float) and math.isnan(x)


def _sum(x: Value, y: Value) -> Value:
    return float(x) + float(y) if isinstance(x, float) or isinstance(y, float) else x + y


def _product(x: Value, y: Value) -> Value:
    return float(x) * float(y) if isinstance(x, float) or isinstance(y, float) else x * y


def _add(a: int, b: int, form: Format) -> int:
    return rounded(_sum(value(a, form), value(b, form)), form, zero=a & b & 0x8000)


def _sub(a: int, b: int, form: Format) -> int:
    return _add(a, b ^ 0x8000 if not _is_nan(value(b, form)) else b, form)


def _mul(a: int, b: int, form: Format) -> int:
    # A product that is too small keeps its sign as well.
    made = rounded(_product(value(a, form), value(b, form)), form, zero=(a ^ b) & 0x8000)
    return made


def _fma(a: int, b: int, c: int, form: Format) -> int:
    product = _product(value(a, form), value(b, form))
    sign = (a ^ b) & 0x8000
    zero = sign & c if product == 0 else 0
    return rounded(_sum(product, value(c, form)), form, zero=zero)


def _relu(bits: int) -> int:
    return bits if bits == NAN else 0 if bits & 0x8000 else bits


def _best_nan(best: Callable[[int, int], int]) -> Callable[[int, int, Format], int]:
    def compute(a: int, b: int, form: Format) -> int:
        x, y = value(a, form), value(b, form)
        if _is_nan(x) or _is_nan(y):
            return NAN
        keys = {(x, 0 if a & 0x8000 else 1): a, (y, 0 if b & 0x8000 else 1): b}
        return keys[max(keys) if best is max else min(keys)]  # type: ignore[comparison-overlap]

    return compute


def _tanh(a: int, form: Format) -> int:
    x = value(a, form)
    if _is_nan(x):
        return NAN
    return rounded(Fraction(math.tanh(float(x))), form, zero=a & 0x8000)


COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "heq2": lambda x, y: x == y,
    "hne2": lambda x, y: x < y or x > y,
    "hle2": lambda x, y: x <= y,
    "hge2": lambda x, y: x >= y,
    "hlt2": lambda x, y: x < y,
    "hgt2": lambda x, y: x > y,
}
BINARY = {"hadd": (_add, "_rn"), "hsub": (_sub, "_rn"), "hmul": (_mul, "_rn")}
BINARY |= {"hmax": (_best_nan(max), "_nan"), "hmin": (_best_nan(min), "_nan")}


def _pair(op: Callable[..., int], form: Format) -> Callable[..., int]:
    def compute(*words: int) -> int:
        low = op(*(word & 0xFFFF for word in words), form)
        return low | op(*(word >> 16 for word in words), form) << 16

    return compute


def _single(op: Callable[..., int], form: Format) -> Callable[..., int]:
    return lambda *words: op(*words, form)


def _call(
    name: str, result: str, operands: tuple[str, ...], reference: Callable[..., int]
) -> Function:
    return Function(
        name, f"{name}({', '.join('abc'[: len(operands)])})", result, operands, reference
    )


def _masks(form: Format) -> list[Function]:
    made = []
    for name, test in COMPARISONS.items():

        def ordered(a: int, b: int, form: Format, test=test) -> int:  # type: ignore[no-untyped-def]
            return 0xFFFF if test(value(a, form), value(b, form)) else 0

        def unordered(a: int, b: int, form: Format, test=test) -> int:  # type: ignore[no-untyped-def]
            x, y = value(a, form), value(b, form)
            return 0xFFFF if _is_nan(x) or _is_nan(y) or test(x, y) else 0

        operands = (form.two, form.two)
        made.append(_call(f"{name}_mask", "unsigned", operands, _pair(ordered, form)))
        unordered_name = f"{name[:-1]}u2_mask"
        made.append(_call(unordered_name, "unsigned", operands, _pair(unordered, form)))
    return made


def _arithmetic(form: Format) -> list[Function]:
    made = _masks(form)
    for name, (op, suffix) in BINARY.items():
        made.append(_call(f"{name}{suffix}", form.one, (form.one,) * 2, _single(op, form)))
        made.append(_call(f"{name}2{suffix}", form.two, (form.two,) * 2, _pair(op, form)))

    def fma_relu(a: int, b: int, c: int, form: Format) -> int:
        return _relu(_fma(a, b, c, form))

    made.append(_call("hfma_relu", form.one, (form.one,) * 3, _single(fma_relu, form)))
    made.append(_call("hfma2_relu", form.two, (form.two,) * 3, _pair(fma_relu, form)))

    def cmadd(a: int, b: int, c: int) -> int:
        (ar, ai), (br, bi), (cr, ci) = ((word & 0xFFFF, word >> 16) for word in (a, b, c))
        real = _fma(ai ^ 0x8000, bi, _fma(ar, br, cr, form), form)
        return real | _fma(ai, br, _fma(ar, bi, ci, form), form) << 16

    made.append(_call("hcmadd", form.two, (form.two,) * 3, cmadd))
    for name in ("htanh", "htanh_approx"):
        made.append(_call(name, form.one, (form.one,), _single(_tanh, form)))
    for name in ("h2tanh", "h2tanh_approx"):
        made.append(_call(name, form.two, (form.two,), _pair(_tanh, form)))
    return made


def _clamped(
    form: Format, bits: int, signed: bool, rounding: str, nan: int
) -> Callable[[int], int]:
    ways = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}
    low = -(1 << (bits - 1)) if signed else 0

    def compute(word: int) -> int:
        x = value(word, form)
        if isinstance(x, float):
            whole = nan if math.isnan(x) else low if x < 0 else low + (1 << bits) - 1
        else:
            whole = min(max(ways[rounding](x), low), low + (1 << bits) - 1)
        return whole & ((1 << bits) - 1)

    return compute


def _conversions() -> list[Function]:
    made = []
    integers = {"short": ("short", 16), "int": ("int", 32), "ll": ("long long", 64)}
    for short, (type_, bits) in integers.items():
        for prefix, whole in (("", type_), ("u", f"unsigned {type_}".replace("d int", "d"))):
            signed = not prefix
            for rounding in ("rn", "rz", "rd", "ru"):
                nan = 1 << 63 if bits == 64 else 0
                reference = _clamped(BFLOAT, bits, signed, rounding, nan)
                name = f"bfloat162{prefix}{short}_{rounding}"
                made.append(_call(name, whole, (BFLOAT.one,), reference))

                def back(
                    word: int, bits: int = bits, signed: bool = signed, way: str = rounding
                ) -> int:
                    top = signed and word >> (bits - 1)
                    return rounded(Fraction(word - (1 << bits) if top else word), BFLOAT, way)

                made.append(
                    _call(f"{prefix}{short}2bfloat16_{rounding}", BFLOAT.one, (whole,), back)
                )
    for name, type_, signed in (("char", "signed char", True), ("uchar", "unsigned char", False)):
        reference = _clamped(BFLOAT, 8, signed, "rz", 0)
        made.append(_call(f"bfloat162{name}_rz", type_, (BFLOAT.one,), reference))
    return made


HALF_BYTES = [
    _call("half2char_rz", "signed char", (HALF.one,), _clamped(HALF, 8, True, "rz", 0)),
    _call("half2uchar_rz", "unsigned char", (HALF.one,), _clamped(HALF, 8, False, "rz", 0)),
]
SUITES = {
    "half": ("hipify/half.hpp", [*_arithmetic(HALF), *HALF_BYTES], HALF),
    "bfloat16": ("hipify/bfloat16.hpp", [*_arithmetic(BFLOAT), *_conversions()], BFLOAT),
}


def _spread(function: Function, form: Format) -> list[tuple[int, ...]]:
    """Operands near one another, so that sums cancel and halfway cases come up."""
    source = random.Random(function.name)

    def number() -> int:
        exponent = form.bias + source.randint(-9, 9)
        return (
            source.getrandbits(1) << 15
            | exponent << form.fraction
            | source.getrandbits(form.fraction)
        )

    return [
        tuple(
            number() | (number() << 16 if SIZES[type_] == 32 else 0) for type_ in function.operands
        )
        for _ in range(400)
    ]


@pytest.mark.parametrize("suite", SUITES)
def test_each_function_gives_what_cuda_defines(suite: str, tmp_path: Path) -> None:
    header, functions, form = SUITES[suite]
    library = build(tmp_path, header, functions)
    for number, function in enumerate(functions):
        inputs = inputs_for(function, 400)
        if function.operands[0] in (form.one, form.two):
            inputs += _spread(function, form)
        for row, made in zip(inputs, run(library, number, inputs), strict=True):
            expected = function.reference(*row)
            assert _same(made, expected, function, form), (
                function.name,
                [hex(word) for word in row],
                hex(made),
                hex(expected),
            )


def _same(made: int, expected: int, function: Function, form: Format) -> bool:
    """Equal, any NaN being as good as another; tanh may be off by one in the last place."""
    if function.result not in (form.one, form.two):
        return made == expected
    for at in range(0, SIZES[function.result], 16):
        x, y = made >> at & 0xFFFF, expected >> at & 0xFFFF
        nans = _is_nan(value(x, form)) and _is_nan(value(y, form))
        near = "tanh" in function.name and abs(x - y) <= 1
        if x != y and not nans and not near:
            return False
    return True


@pytest.mark.parametrize("rounding", ["rz", "rd", "ru"])
def test_floats_become_bfloats_in_every_direction(rounding: str, tmp_path: Path) -> None:
    def reference(word: int) -> int:
        exponent = word >> 23 & 255
        if exponent == 255:
            return NAN if word & 0x7FFFFF else word >> 16
        low = word & 0x7FFFFF | (1 << 23 if exponent else 0)
        exact = Fraction(low) * Fraction(2) ** (max(exponent, 1) - 150)
        return rounded(-exact if word >> 31 else exact, BFLOAT, rounding, zero=word >> 16 & 0x8000)

    function = _call(f"float2bfloat16_{rounding}", BFLOAT.one, ("float",), reference)
    library = build(tmp_path, "hipify/bfloat16.hpp", [function])
    inputs = inputs_for(function, 3000)
    assert run(library, 0, inputs) == [reference(*row) for row in inputs]
