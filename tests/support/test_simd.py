"""simd.hpp and the dot products by value, against CUDA's definitions in plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.host import Function, build, inputs_for, run

Binary = Callable[[int, int], int]


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _parts(word: int, bits: int, signed: bool) -> list[int]:
    parts = [word >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [_signed(part, bits) for part in parts] if signed else parts


def _word(parts: list[int], bits: int) -> int:
    return sum((part & ((1 << bits) - 1)) << (bits * at) for at, part in enumerate(parts))


def _clamped(value: int, bits: int, signed: bool) -> int:
    low = -(1 << (bits - 1)) if signed else 0
    return min(max(value, low), low + (1 << bits) - 1)


def _each(bits: int, signed: bool, op: Binary, clamp: bool = False) -> Callable[..., int]:
    def compute(a: int, b: int = 0) -> int:
        pairs = zip(_parts(a, bits, signed), _parts(b, bits, signed), strict=True)
        values = [op(x, y) for x, y in pairs]
        return _word([_clamped(v, bits, signed) for v in values] if clamp else values, bits)

    return compute


def _sum(bits: int, signed: bool) -> Callable[..., int]:
    def compute(a: int, b: int) -> int:
        pairs = zip(_parts(a, bits, signed), _parts(b, bits, signed), strict=True)
        return sum(abs(x - y) for x, y in pairs)

    return compute


def _away_from_zero(x: int, y: int) -> int:
    """The mean, halves rounded as PTX's vavrg does."""
    return (x + y + (x + y >= 0)) >> 1


COMPARISONS: dict[str, Binary] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
}
# Name without its size: signed, what each part becomes, clamped.
PACKED: dict[str, tuple[bool, Binary, bool]] = {
    "vadd": (False, lambda x, y: x + y, False),
    "vsub": (False, lambda x, y: x - y, False),
    "vaddss": (True, lambda x, y: x + y, True),
    "vaddus": (False, lambda x, y: x + y, True),
    "vsubss": (True, lambda x, y: x - y, True),
    "vsubus": (False, lambda x, y: x - y, True),
    "vabsdiffs": (True, lambda x, y: abs(x - y), False),
    "vabsdiffu": (False, lambda x, y: abs(x - y), False),
    "vavgs": (True, _away_from_zero, False),
    "vavgu": (False, lambda x, y: (x + y + 1) // 2, False),
    "vhaddu": (False, lambda x, y: (x + y) // 2, False),
    "vmaxs": (True, max, False),
    "vmaxu": (False, max, False),
    "vmins": (True, min, False),
    "vminu": (False, min, False),
}
UNARY: dict[str, tuple[Callable[[int], int], bool]] = {
    "vabs": (abs, False),
    "vabsss": (abs, True),
    "vneg": (lambda x: -x, False),
    "vnegss": (lambda x: -x, True),
}


def _packed() -> list[Function]:
    made = []
    word = "unsigned"
    for size, bits in ((2, 16), (4, 8)):
        for name, (signed, op, clamp) in PACKED.items():
            reference = _each(bits, signed, op, clamp)
            made.append(_function(f"{name}{size}", word, (word, word), reference))
        for name, (one, clamp) in UNARY.items():
            reference = _each(bits, True, lambda x, _, one=one: one(x), clamp)
            made.append(_function(f"{name}{size}", word, (word,), reference))
        for name, test in COMPARISONS.items():
            for letter in ("",) if name in ("eq", "ne") else ("s", "u"):
                signed = letter == "s"
                flag = _each(bits, signed, lambda x, y, test=test: int(test(x, y)))
                mask = _each(bits, signed, lambda x, y, test=test: -int(test(x, y)))
                made.append(_function(f"vset{name}{letter}{size}", word, (word, word), flag))
                made.append(_function(f"vcmp{name}{letter}{size}", word, (word, word), mask))
        for letter in "su":
            made.append(
                _function(f"vsad{letter}{size}", word, (word, word), _sum(bits, letter == "s"))
            )
    return made


def _function(
    name: str, result: str, operands: tuple[str, ...], reference: Callable[..., int]
) -> Function:
    return Function(
        name, f"{name}({', '.join('abc'[: len(operands)])})", result, operands, reference
    )


def _dpx() -> list[Function]:
    made = []
    for suffix, word, bits, signed in (
        ("s32", "int", 32, True),
        ("u32", "unsigned", 32, False),
        ("s16x2", "unsigned", 16, True),
        ("u16x2", "unsigned", 16, False),
    ):
        for best in (max, min):
            for relu in ("", "_relu") if signed else ("",):
                floor = 0 if relu else -(1 << 40)

                def three(
                    a: int, b: int, c: int, best=best, bits=bits, signed=signed, floor=floor
                ) -> int:  # type: ignore[no-untyped-def]
                    rows = zip(*(_parts(w, bits, signed) for w in (a, b, c)), strict=True)
                    return _word([max(best(*row), floor) for row in rows], bits)

                def add(
                    a: int, b: int, c: int, best=best, bits=bits, signed=signed, floor=floor
                ) -> int:  # type: ignore[no-untyped-def]
                    rows = zip(*(_parts(w, bits, signed) for w in (a, b, c)), strict=True)
                    wrapped = ((x + y, z) for x, y, z in rows)
                    cut = [
                        (_signed(s, bits) if signed else s & ((1 << bits) - 1), z)
                        for s, z in wrapped
                    ]
                    return _word([max(best(s, z), floor) for s, z in cut], bits)

                def two(a: int, b: int, best=best, bits=bits, signed=signed, floor=floor) -> int:  # type: ignore[no-untyped-def]
                    rows = zip(*(_parts(w, bits, signed) for w in (a, b)), strict=True)
                    return _word([max(best(*row), floor) for row in rows], bits)

                kind = best.__name__
                made.append(_function(f"vi{kind}3_{suffix}{relu}", word, (word,) * 3, three))
                made.append(_function(f"viadd{kind}_{suffix}{relu}", word, (word,) * 3, add))
                if relu:
                    made.append(_function(f"vi{kind}_{suffix}{relu}", word, (word,) * 2, two))
                else:
                    made += _flagged(kind, suffix, word, bits, two)
    return made


def _flagged(
    kind: str, suffix: str, word: str, bits: int, two: Callable[..., int]
) -> list[Function]:
    """The forms that also say which operand won: the value, and each flag as a number."""
    name, signed = f"vib{kind}_{suffix}", suffix[0] == "s"
    flags = ("one",) if bits == 32 else ("high", "low")
    call = f"{name}(a, b, {', '.join('&' + flag for flag in flags)})"
    declared = f"[&] {{ bool {', '.join(flags)}; const {word} r = {call};"
    made = [Function(name, f"{declared} return r; }}()", word, (word,) * 2, two)]
    for flag in flags:

        def first(a: int, b: int, flag: str = flag) -> int:
            at = 1 if flag == "high" else 0
            x, y = _parts(a, bits, signed)[at], _parts(b, bits, signed)[at]
            return int(x >= y if kind == "max" else x <= y)

        made.append(
            Function(
                f"{name} {flag}", f"{declared} return int({flag}); }}()", "int", (word,) * 2, first
            )
        )
    return made


FUNCTIONS = [*_packed(), *_dpx()]


def _dot(signed: bool, first: int | None) -> Callable[..., int]:
    def compute(a: int, b: int, c: int) -> int:
        wide = _parts(a, 8 if first is None else 16, signed)
        narrow = _parts(b, 8, signed)[first or 0 :]
        return (c + sum(x * y for x, y in zip(wide, narrow, strict=False))) & 0xFFFFFFFF

    return compute


DOTS = [
    Function(
        f"{name} {type_}", f"{name}(a, b, c)", type_, (type_,) * 3, _dot(type_ == "int", first)
    )
    for name, first in (("dp4a", None), ("dp2a_lo", 0), ("dp2a_hi", 2))
    for type_ in ("int", "unsigned")
]


@pytest.mark.parametrize(
    ("header", "functions"), [("hipify/simd.hpp", FUNCTIONS), ("hipify/intrinsics.hpp", DOTS)]
)
def test_each_function_gives_what_cuda_defines(
    header: str, functions: list[Function], tmp_path: Path
) -> None:
    library = build(tmp_path, header, functions)
    for number, function in enumerate(functions):
        inputs = inputs_for(function, 400)
        for row, made in zip(inputs, run(library, number, inputs), strict=True):
            assert made == function.reference(*row), (function.name, [hex(word) for word in row])
