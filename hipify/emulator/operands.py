"""Operands as the listing writes them: ``v12``, ``s106.2``, ``#3f800000``."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from hipify.emulator.errors import EmulatorError
from hipify.emulator.isa.table import FLOATS, WIDTH

#: Places of special registers among the scalar registers of the native side (see core.hpp).
_SPECIAL = {
    "vcc": 106, "vcc_lo": 106, "vcc_hi": 107, "m0": 124,
    "exec": 126, "exec_lo": 126, "exec_hi": 127,
    "flat_scratch": 128, "flat_scratch_lo": 128, "flat_scratch_hi": 129,
    "xnack_mask": 130, "xnack_mask_lo": 130, "xnack_mask_hi": 131,
    "src_shared_base": 132, "src_shared_limit": 134,
    "src_private_base": 136, "src_private_limit": 138,
    "shared_base": 132, "shared_limit": 134, "private_base": 136, "private_limit": 138,
    "src_scc": 140, "scc": 140,
}  # fmt: skip
_NULL = 144
_REGISTER = re.compile(r"([vas])(?:(\d+)|\[(\d+):\d+\])(\.[lh])?")
_TTMP = re.compile(r"ttmp(?:(\d+)|\[(\d+):\d+\])")
_SIGNS = re.compile(r"(-?)(\|?)(.+?)(\|?)")
_INVERSE_TWO_PI = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}
_HALVES = ("f16", "bf16", "u16", "i16")


@dataclass(frozen=True)
class Register:
    """A register by file (``v``, ``a`` or ``s``) and number; ``high`` selects its upper half."""

    file: str
    number: int
    high: bool = False


def register(text: str) -> Register | None:
    """The register that an operand without signs names, or None."""
    if match := _REGISTER.fullmatch(text):
        return Register(match[1], int(match[2] or match[3]), match[4] == ".h")
    if text in _SPECIAL:
        return Register("s", _SPECIAL[text])
    if match := _TTMP.fullmatch(text):
        return Register("s", 108 + int(match[1] or match[2]))
    return None


def float_bits(value: float, bits: int) -> int:
    """IEEE bits of a value that an inline constant can have."""
    form, raw = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}[bits]
    return int(struct.unpack(raw, struct.pack(form, value))[0])


def _constant(text: str, kind: str) -> int:
    width = WIDTH.get(kind, 1)
    if match := re.fullmatch(r"lit(64)?\((.*)\)", text):
        text = match[2]
    if re.fullmatch(r"0x[0-9a-f]+", text):
        value = int(text, 16)
        if kind == "f64" and value < 1 << 32:
            return value << 32
        if kind == "i64" and value < 1 << 32:
            return value - ((value & 0x80000000) << 1) & 0xFFFFFFFFFFFFFFFF
        return value
    if re.fullmatch(r"-?\d+", text):
        return int(text) & ((1 << 32 * width) - 1)
    value_bits = 64 if width == 2 and kind != "pk32" else 16 if kind in ("f16",) else 32
    if text.startswith("0.15915494"):
        bits = _INVERSE_TWO_PI[value_bits]
    else:
        bits = float_bits(float(text), value_bits)
    return bits >> 16 if kind == "bf16" else bits


def _sign_suffix(kind: str, negative: bool, absolute: bool) -> str:
    bits = FLOATS.get(kind, 32)
    top = 0x8000 if bits == 16 else 0x80000000
    return (f"&{0xFFFFFFFF ^ top:x}" if absolute else "") + (f"^{top:x}" if negative else "")


class OperandEncoder:
    """Turns operand texts into listing tokens; ``accumulators`` is where those registers lie."""

    def __init__(self, accumulators: int) -> None:
        self.accumulators = accumulators

    def vector_number(self, r: Register) -> int:
        """The number of a vector register among all of the wave's."""
        return r.number + (self.accumulators if r.file == "a" else 0)

    def result(self, text: str) -> str:
        """A destination."""
        if text in ("null", "off"):
            return f"s{_NULL}"
        if (r := register(text)) is None:
            raise EmulatorError(f"cannot read the destination {text!r}")
        return f"s{r.number}" if r.file == "s" else f"v{self.vector_number(r)}"

    def source(self, text: str, kind: str, *, high: bool = False) -> str:
        """A source of a type, with its signs; ``high`` takes the upper half of a 16-bit source."""
        negative = absolute = False
        if text.startswith(("-v", "-s", "-a", "-|", "|", "-t", "-m", "-e")):
            match = _SIGNS.fullmatch(text)
            assert match is not None
            negative, absolute, text = match[1] == "-", match[2] == "|", match[3]
        elif match := re.fullmatch(r"neg\((.*)\)", text):
            negative, text = True, match[1]
        width = WIDTH.get(kind, 1)
        if text == "null":
            return f"#0.{width}"
        signs = _sign_suffix(kind, negative, absolute)
        r = register(text)
        if r is None:
            try:
                value = _constant(text, kind)
            except ValueError:
                raise EmulatorError(f"cannot read the operand {text!r}") from None
            return f"#{self._signed(value, kind, negative, absolute):x}.{width}"
        half = ">16" if (high or r.high) and kind in _HALVES else ""
        name = f"s{r.number}" if r.file == "s" else f"v{self.vector_number(r)}"
        return f"{name}.{width}{half}{signs}"

    @staticmethod
    def _signed(value: int, kind: str, negative: bool, absolute: bool) -> int:
        top = 1 << ({"f16": 15, "bf16": 15, "f64": 63}.get(kind, 31))
        value = value & ~top if absolute else value
        return value ^ top if negative else value
