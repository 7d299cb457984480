"""rounding.hpp by value: results of directed rounding, worked out with exact fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.support.host import Function, build, inputs_for, run

FORMATS = {"float": ("<f", "<I"), "double": ("<d", "<Q")}


def _number(bits: int, type_: str) -> float:
    number, word = FORMATS[type_]
    return float(struct.unpack(number, struct.pack(word, bits))[0])


def _bits(value: float, type_: str) -> int:
    number, word = FORMATS[type_]
    return int(struct.unpack(word, struct.pack(number, value))[0])


def _rounded(exact: Fraction, type_: str, direction: str) -> int:
    """The bits of the number next to `exact`, not zero, in a direction; to infinity where that asks for it."""
    fraction, least = (23, -149) if type_ == "float" else (52, -1074)
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - fraction, least)
    count, rest = divmod(size, unit)
    away = (direction == "ru") == (exact > 0) and direction != "rz"
    if rest and away:
        count += 1
    value = count * unit
    sign = 0 if exact > 0 else 1 << (31 if type_ == "float" else 63)
    largest = (2 - Fraction(2) ** -fraction) * Fraction(2) ** (127 if type_ == "float" else 1023)
    if value > largest:
        value = largest if not away else None  # type: ignore[assignment]
    if value is None:
        return sign | _bits(math.inf, type_)
    # Exact: the value has as many bits as the type holds.
    return sign | _bits(float(value), type_)


Exact = Callable[..., Fraction]


def _reference(type_: str, direction: str, exact: Exact) -> Callable[..., int | None]:
    """None for operands that leave the exact numbers: zero results, division by zero."""

    def compute(*words: int) -> int | None:
        try:
            value = exact(*(Fraction(_number(word, type_)) for word in words))
        except ZeroDivisionError:
            return None
        return _rounded(value, type_, direction) if value else None

    return compute


def _root(type_: str, direction: str) -> Callable[[int], int | None]:
    def compute(word: int) -> int | None:
        value = _number(word, type_)
        if value <= 0:
            return None
        # Enough bits that a root that is not exact differs from every number of the type.
        shift = 2400
        scaled = Fraction(value) * Fraction(4) ** shift
        root = math.isqrt(int(scaled))
        inexact = root * root != scaled
        return _rounded(Fraction(2 * root + inexact, 2) / Fraction(2) ** shift, type_, direction)

    return compute


OPERATIONS: tuple[tuple[str, str, int, Exact], ...] = (
    ("fadd", "dadd", 2, lambda a, b: a + b),
    ("fsub", "dsub", 2, lambda a, b: a - b),
    ("fmul", "dmul", 2, lambda a, b: a * b),
    ("fdiv", "ddiv", 2, lambda a, b: a / b),
    ("frcp", "drcp", 1, lambda a: 1 / a),
    ("fmaf", "fma", 3, lambda a, b, c: a * b + c),
    ("fmaf_ieee", "", 3, lambda a, b, c: a * b + c),
)


def _functions() -> list[Function]:
    made = []
    for direction in ("rz", "rd", "ru"):
        for single, double, count, exact in OPERATIONS:
            for name, type_ in ((single, "float"), (double, "double")):
                if not name:
                    continue
                call = f"hipify::{name}_{direction}({', '.join('abc'[:count])})"
                reference = _reference(type_, direction, exact)
                made.append(
                    Function(f"{name}_{direction}", call, type_, (type_,) * count, reference)  # type: ignore[arg-type]
                )
        for name, type_ in (("fsqrt", "float"), ("dsqrt", "double")):
            call = f"hipify::{name}_{direction}(a)"
            made.append(
                Function(f"{name}_{direction}", call, type_, (type_,), _root(type_, direction))  # type: ignore[arg-type]
            )
    return made


FUNCTIONS = _functions()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    return build(tmp_path_factory.mktemp("rounding"), "hipify/rounding.hpp", FUNCTIONS)


@pytest.mark.parametrize("number", range(len(FUNCTIONS)), ids=[f.name for f in FUNCTIONS])
def test_results_are_exact_to_the_last_bit(library, number: int) -> None:  # type: ignore[no-untyped-def]
    function = FUNCTIONS[number]
    inputs = inputs_for(function, 300)
    if len(function.operands) > 1:  # where the operands nearly cancel
        inputs += [(a, a ^ 1, *rest) for a, _, *rest in inputs[:60]]
    checked = 0
    for row, made in zip(inputs, run(library, number, inputs), strict=True):
        expected = function.reference(*row)
        if expected is not None:
            checked += 1
            assert made == expected, (function.name, [hex(word) for word in row])
    assert checked > 100


ZERO, ONE, MINUS = 0, _bits(1.0, "double"), 1 << 63


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("dadd_rd", (ONE, ONE | MINUS), MINUS),
        ("dadd_ru", (ONE, ONE | MINUS), ZERO),
        ("dadd_rd", (ZERO, MINUS), MINUS),
        ("dadd_rd", (ZERO, ZERO), ZERO),
        ("dsub_rd", (ZERO, ZERO), MINUS),
        ("dmul_rd", (ZERO, ONE), ZERO),
        ("dmul_ru", (MINUS, ONE), MINUS),
        ("fma_rd", (ONE, ONE, ONE | MINUS), MINUS),
        ("ddiv_rz", (ZERO, ONE | MINUS), MINUS),
        ("ddiv_rd", (ONE, ZERO), _bits(math.inf, "double")),
        ("dsqrt_ru", (MINUS,), MINUS),
        ("dadd_rz", (_bits(math.inf, "double"), ONE), _bits(math.inf, "double")),
    ],
)
def test_zeros_and_infinities(library, name: str, operands: tuple[int, ...], expected: int) -> None:  # type: ignore[no-untyped-def]
    number = next(at for at, function in enumerate(FUNCTIONS) if function.name == name)
    assert run(library, number, [operands]) == [expected]
