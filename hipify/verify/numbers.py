"""When two printed numbers count as equal."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    """How far numbers may be apart: any one of the bounds is enough. All 0 means exact text.

    `relative` is a part of the larger one, `absolute` a difference, `ulp` a count of neighbouring
    numbers of single precision (of double precision when `double`).
    """

    relative: float = 0.0
    absolute: float = 0.0
    ulp: int = 0
    double: bool = False

    @property
    def exact(self) -> bool:
        """Whether numbers must be the same."""
        return not (self.relative or self.absolute or self.ulp)

    def allows(self, a: float, b: float) -> bool:
        """Whether the numbers count as equal; NaN equals NaN."""
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        if a == b:
            return True
        if math.isinf(a) or math.isinf(b):
            return False
        if abs(a - b) <= max(self.absolute, self.relative * max(abs(a), abs(b))):
            return True
        return bool(self.ulp) and ulp_distance(a, b, self.double) <= self.ulp


def relative_error(a: float, b: float) -> float:
    """The difference as a part of the larger number; infinity where there is no such thing."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a - b) / max(abs(a), abs(b))


def ulp_distance(a: float, b: float, double: bool = False) -> int:
    """How many numbers lie between two finite ones, the second counted.

    In single precision both are rounded to it first; what is too large for it is infinitely far,
    told as the largest distance there is.
    """
    try:
        return abs(_place(a, double) - _place(b, double))
    except OverflowError:
        return 1 << 32


def _place(x: float, double: bool) -> int:
    """The number's place on the line of all numbers: neighbours differ by 1, both zeros are 0."""
    bits: int
    if double:
        (bits,) = struct.unpack("<q", struct.pack("<d", x))
        return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)
    (bits,) = struct.unpack("<i", struct.pack("<f", x))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)
