"""What integer PTX instructions compute, written from the PTX ISA's own definitions.

Everything works on the bits of registers: arguments and results are unsigned numbers of the
register's width. Nothing here knows the translation that it checks.
"""

from __future__ import annotations

from collections.abc import Callable


def cut(value: int, bits: int) -> int:
    """The lower bits, as an unsigned number."""
    return value & ((1 << bits) - 1)


def signed(value: int, bits: int) -> int:
    """The number that the bits stand for in two's complement."""
    value = cut(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def number(value: int, type_: str) -> int:
    """The number that a register holds, by an integer type such as s32."""
    bits = int(type_[1:])
    return signed(value, bits) if type_[0] == "s" else cut(value, bits)


def clamp(value: int, type_: str) -> int:
    """The number of the type that is nearest, as bits."""
    bits = int(type_[1:])
    low = -(1 << (bits - 1)) if type_[0] == "s" else 0
    high = (1 << (bits - (type_[0] == "s"))) - 1
    return cut(min(max(value, low), high), bits)


def arithmetic(name: str, type_: str) -> Callable[..., int]:
    """add, sub, mul.lo, mul.hi, mul.wide, mad.*, min, max, abs, neg, sad, div, rem."""
    bits = int(type_[1:])

    def compute(*given: int) -> int:
        a, *more = (number(value, type_) for value in given)
        b = more[0] if more else 0
        c = more[1] if len(more) > 1 else 0
        operations: dict[str, Callable[[], int]] = {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul.lo": lambda: a * b,
            "mul.hi": lambda: a * b >> bits,
            "mad.lo": lambda: a * b + c,
            "mad.hi": lambda: (a * b >> bits) + c,
            "min": lambda: min(a, b),
            "max": lambda: max(a, b),
            "abs": lambda: abs(a),
            "neg": lambda: -a,
            "sad": lambda: c + abs(a - b),
            "div": lambda: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
            "rem": lambda: abs(a) % abs(b) * (-1 if a < 0 else 1),
        }
        return cut(operations[name](), bits)

    return compute


def wide(type_: str, mad: bool = False) -> Callable[..., int]:
    """mul.wide and mad.wide."""
    bits = int(type_[1:])

    def compute(a: int, b: int, c: int = 0) -> int:
        return cut(number(a, type_) * number(b, type_) + (c if mad else 0), 2 * bits)

    return compute


def mul24(type_: str, high: bool) -> Callable[..., int]:
    """mul24.lo and mul24.hi: 48 bits of product, the lower or the upper 32 of them."""

    def compute(a: int, b: int) -> int:
        x, y = cut(a, 24), cut(b, 24)
        if type_ == "s32":
            x, y = signed(x, 24), signed(y, 24)
        return cut(x * y >> (16 if high else 0), 32)

    return compute


def saturated(name: str) -> Callable[..., int]:
    """add.sat.s32, sub.sat.s32 and mad.hi.sat.s32."""

    def compute(a: int, b: int, c: int = 0) -> int:
        x, y, z = (signed(value, 32) for value in (a, b, c))
        value = {"add": x + y, "sub": x - y, "mad.hi": (x * y >> 32) + z}[name]
        return clamp(value, "s32")

    return compute


def shift(name: str, type_: str) -> Callable[..., int]:
    """shl and shr: counts of more than the width are cut to it."""
    bits = int(type_[1:])

    def compute(a: int, b: int) -> int:
        count = min(cut(b, 32), bits)
        if name == "shl":
            return cut(cut(a, bits) << count, bits)
        return cut((signed(a, bits) if type_[0] == "s" else cut(a, bits)) >> count, bits)

    return compute


def funnel(direction: str, mode: str) -> Callable[..., int]:
    """shf: the double word (b, a) shifted, of which one word is kept."""

    def compute(a: int, b: int, c: int) -> int:
        n = min(c, 32) if mode == "clamp" else c & 31
        double = b << 32 | a
        return cut(double << n >> 32 if direction == "l" else double >> n, 32)

    return compute


def bfe(type_: str) -> Callable[..., int]:
    """bfe, bit by bit."""
    width = int(type_[1:])

    def compute(a: int, b: int, c: int) -> int:
        at, size, top = b & 0xFF, c & 0xFF, width - 1
        if type_[0] == "u" or size == 0:
            sign = 0
        else:
            sign = a >> min(at + size - 1, top) & 1
        result = 0
        for i in range(width):
            bit = a >> (at + i) & 1 if i < size and at + i <= top else sign
            result |= bit << i
        return result

    return compute


def bfi(width: int) -> Callable[..., int]:
    """bfi, bit by bit."""

    def compute(a: int, b: int, c: int, d: int) -> int:
        at, size, result = c & 0xFF, d & 0xFF, b
        for i in range(size):
            if at + i >= width:
                break
            result = result & ~(1 << (at + i)) | (a >> i & 1) << (at + i)
        return result

    return compute


def bfind(type_: str, shiftamt: bool = False) -> Callable[..., int]:
    """bfind: the highest bit that is no sign."""
    bits = int(type_[1:])

    def compute(a: int) -> int:
        if type_[0] == "s" and a >> (bits - 1):
            a = cut(~a, bits)
        for i in range(bits - 1, -1, -1):
            if a >> i & 1:
                return bits - 1 - i if shiftamt else i
        return 0xFFFFFFFF

    return compute


def prmt(mode: str) -> Callable[..., int]:
    """prmt in all its modes, by the tables of the PTX ISA."""
    tables = {
        "f4e": ((3, 2, 1, 0), (4, 3, 2, 1), (5, 4, 3, 2), (6, 5, 4, 3)),
        "b4e": ((5, 6, 7, 0), (6, 7, 0, 1), (7, 0, 1, 2), (0, 1, 2, 3)),
        "rc8": ((0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)),
        "ecl": ((3, 2, 1, 0), (3, 2, 1, 1), (3, 2, 2, 2), (3, 3, 3, 3)),
        "ecr": ((0, 0, 0, 0), (1, 1, 1, 0), (2, 2, 1, 0), (3, 2, 1, 0)),
        "rc16": ((1, 0, 1, 0), (3, 2, 3, 2), (1, 0, 1, 0), (3, 2, 3, 2)),
    }

    def compute(a: int, b: int, c: int) -> int:
        data = (b << 32 | a).to_bytes(8, "little")
        out = []
        if mode:
            out = [data[i] for i in reversed(tables[mode][c & 3])]
        else:
            for i in range(4):
                select = c >> (4 * i) & 15
                byte = data[select & 7]
                out.append((0xFF if byte & 0x80 else 0) if select & 8 else byte)
        return int.from_bytes(bytes(out), "little")

    return compute


def lop3(table: int) -> Callable[..., int]:
    """lop3: looks each bit up."""

    def compute(a: int, b: int, c: int) -> int:
        result = 0
        for i in range(32):
            place = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)
            result |= (table >> place & 1) << i
        return result

    return compute


def _lanes(value: int, size: int, is_signed: bool) -> list[int]:
    parts = [value >> at & ((1 << size) - 1) for at in range(0, 32, size)]
    return [signed(part, size) for part in parts] if is_signed else parts


def dot(a_type: str, b_type: str, kind: str) -> Callable[..., int]:
    """dp4a, dp2a.lo and dp2a.hi."""

    def compute(a: int, b: int, c: int) -> int:
        x = _lanes(a, 8 if kind == "4" else 16, a_type == "s32")
        y = _lanes(b, 8, b_type == "s32")
        if kind == "lo":
            y = y[:2]
        elif kind == "hi":
            y = y[2:]
        return cut(c + sum(p * q for p, q in zip(x, y, strict=True)), 32)

    return compute


def fns(mask: int, base: int, offset: int) -> int:
    """fns, as the PTX ISA's loop has it."""
    n = signed(offset, 32)
    if n == 0:
        return base if base < 32 and mask >> base & 1 else 0xFFFFFFFF
    at, count, step = base, abs(n) - 1, 1 if n > 0 else -1
    while 0 <= at < 32:
        if mask >> at & 1:
            if count == 0:
                return at
            count -= 1
        at += step
    return 0xFFFFFFFF


def bmsk(mode: str) -> Callable[..., int]:
    """bmsk, as the PTX ISA's pseudo-code has it."""

    def compute(a: int, b: int) -> int:
        a1, b1 = a & 31, b & 31
        mask0 = cut(0xFFFFFFFF << a1, 32)
        total = a1 + b1
        mask1 = cut(0xFFFFFFFF << total, 32)
        over = total >= 32
        if mode == "clamp":
            if a >= 32:
                over, mask0 = True, 0
            if b >= 32:
                over = True
        if over:
            mask1 = 0
        elif b1 == 0:
            mask1 = 0xFFFFFFFF
        return mask0 & ~mask1 & 0xFFFFFFFF

    return compute


def szext(mode: str, type_: str) -> Callable[..., int]:
    """szext, as the PTX ISA's pseudo-code has it."""

    def compute(a: int, b: int) -> int:
        b1 = b & 31
        too_large = b >= 32 and mode == "clamp"
        mask = 0 if too_large else cut(0xFFFFFFFF << b1, 32)
        if b1 == 0 or too_large or type_ != "s32":
            sign = 0
        else:
            sign = a >> (b1 - 1) & 1
        return a & ~mask & 0xFFFFFFFF | (mask if sign else 0)

    return compute


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def _as_number(test: Callable[[int, int], bool]) -> Callable[[int, int], int]:
    return lambda a, b: int(test(a, b))


_VIDEO: dict[str, Callable[[int, int], int]] = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": lambda a, b: (a + b + (1 if a + b >= 0 else 0)) >> 1,
    **{f"vset.{name}": _as_number(test) for name, test in COMPARISONS.items()},
}


def video(name: str, types: tuple[str, str, str], sat: bool) -> Callable[..., int]:
    """A scalar video instruction on whole words."""

    def compute(a: int, b: int) -> int:
        value = _VIDEO[name](number(a, types[1]), number(b, types[2]))
        return clamp(value, types[0]) if sat else cut(value, 32)

    return compute


def packed(name: str, parts: int, types: tuple[str, str, str], mode: str) -> Callable[..., int]:
    """A video instruction on two or four parts: packed, saturated (`sat`) or added up (`add`)."""
    size = 32 // parts

    def compute(a: int, b: int, c: int) -> int:
        x = _lanes(a, size, types[1] == "s32")
        y = _lanes(b, size, types[2] == "s32")
        values = [_VIDEO[name](p, q) for p, q in zip(x, y, strict=True)]
        if mode == "add":
            return cut(sum(values) + c, 32)
        result = 0
        for at, value in enumerate(values):
            lane = clamp(value, f"{types[0][0]}{size}") if mode == "sat" else cut(value, size)
            result |= lane << (at * size)
        return result

    return compute
