"""Constants of PTX as C++ text."""

from __future__ import annotations

import math
import struct

from hipify.ptx.model import Real
from hipify.ptx.types import Kind

_READABLE = 1 << 12


def integer_text(value: int, want: Kind) -> str:
    """An integer constant as the wanted kind, cut to its width; floating kinds get the number."""
    if want.group == "p":
        return "true" if value else "false"
    if want.group == "f":
        # PTX takes an integer constant in a floating-point place for its bits only in .b moves;
        # elsewhere ptxas refuses it.
        return f"{value}.0f" if want.bits == 32 else f"{value}.0"
    value &= (1 << want.bits) - 1
    suffix = "ll" if want.bits == 64 else ""
    if want.signed is False or (want.signed is None and value >> (want.bits - 1)):
        suffix = "u" + suffix if want.bits >= 32 else suffix
    elif want.signed and value >> (want.bits - 1):
        value -= 1 << want.bits
        if value == -1 << (want.bits - 1) and want.bits >= 32:
            return f"({value + 1}{suffix} - 1)"
    text = str(value) if abs(value) < _READABLE else hex(value)
    return text + suffix


def real_text(real: Real, want: Kind) -> str | None:
    """A floating-point constant as the wanted kind; integers of 32 or 64 bits get its bits."""
    if want.group == "i":
        if want.bits == real.width:
            return integer_text(real.bits, want)
        if want.bits == 32:
            return integer_text(_bits32(real), want)
        return None
    if want.group == "p":
        return None
    value = _value(real)
    if math.isnan(value) or math.isinf(value):
        if want.bits == 32:
            return f"__uint_as_float(0x{_bits32(real):08x}u)"
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return f"__longlong_as_double(0x{bits:016x}ll)"
    if want.bits == 32:
        return shortest32(value) + "f"
    return repr(value)


def _value(real: Real) -> float:
    if real.width == 32:
        number: float = struct.unpack("<f", struct.pack("<I", real.bits))[0]
        return number
    wide: float = struct.unpack("<d", struct.pack("<Q", real.bits))[0]
    return wide


def _bits32(real: Real) -> int:
    if real.width == 32:
        return real.bits
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", _value(real)))[0]
    except OverflowError:
        return 0x7F800000 if _value(real) > 0 else 0xFF800000
    return bits


def shortest32(value: float) -> str:
    """The shortest decimal text that gives the same single-precision number."""
    target = struct.pack("<f", value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == target:
            break
    if "." not in text and "e" not in text:
        text += ".0"
    return text
