import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.verify.numbers import Tolerance, relative_error, ulp_distance


def next_float(x: float) -> float:
    (bits,) = struct.unpack("<i", struct.pack("<f", x))
    return struct.unpack("<f", struct.pack("<i", bits + 1))[0]


@pytest.mark.parametrize(
    ("tolerance", "a", "b", "allowed"),
    [
        (Tolerance(), 1.0, 1.0, True),
        (Tolerance(), 1.0, 1.0000001, False),
        (Tolerance(relative=1e-5), 1000.0, 1000.009, True),
        (Tolerance(relative=1e-5), 1000.0, 1000.02, False),
        (Tolerance(relative=1e-5), 1e-30, -1e-30, False),
        (Tolerance(absolute=1e-6), 1e-30, -1e-30, True),
        (Tolerance(relative=0.5), math.inf, 1.0, False),
        (Tolerance(relative=0.5), math.inf, math.inf, True),
        (Tolerance(relative=0.5), math.nan, math.nan, True),
        (Tolerance(relative=0.5), math.nan, 1.0, False),
        (Tolerance(ulp=1), 1.0, next_float(1.0), True),
        (Tolerance(ulp=1), 1.0, next_float(next_float(1.0)), False),
        (Tolerance(ulp=1, double=True), 1.0, next_float(1.0), False),
        (
            Tolerance(ulp=1, double=True),
            1.0,
            math.nextafter(1.0, 2.0) if hasattr(math, "nextafter") else 1.0,
            True,
        ),
    ],
)
def test_bounds(tolerance: Tolerance, a: float, b: float, allowed: bool) -> None:
    assert tolerance.allows(a, b) is allowed
    assert tolerance.allows(b, a) is allowed


def test_zeros_are_neighbours_of_the_smallest_numbers() -> None:
    smallest = 2.0**-149
    assert ulp_distance(0.0, -0.0) == 0
    assert ulp_distance(0.0, smallest) == 1
    assert ulp_distance(-smallest, smallest) == 2


def test_a_number_beyond_single_precision_is_far_from_all() -> None:
    assert ulp_distance(1e300, 1.0) > 1 << 31


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_distance_counts_steps(x: float) -> None:
    assert ulp_distance(x, x) == 0
    if 0 < x < 3e38:
        assert ulp_distance(x, next_float(x)) == 1


def test_relative_error() -> None:
    assert relative_error(2.0, 1.0) == 0.5
    assert relative_error(0.0, 0.0) == 0.0
    assert relative_error(1.0, math.inf) == math.inf
