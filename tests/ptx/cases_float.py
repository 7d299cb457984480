"""Floating-point instructions with their references."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from fractions import Fraction

from tests.ptx import reference_float as ptx
from tests.ptx.harness import Case

ROUNDINGS = ("rn", "rz", "rm", "rp")
HALVES = ("f16", "bf16")


def _case(
    name: str,
    results: str,
    operands: str,
    reference: Callable[..., int | tuple[int, ...]],
    floats: str,
    within: int = 0,
) -> Case:
    places = [f"%{number}" for number in range(len(results) + len(operands))]
    text = f"{name} {', '.join(places)};"
    return Case(text, results, operands, reference, floats=floats, within=within)


def arithmetic() -> Iterator[Case]:
    """Sums, products, quotients and roots, in all roundings."""
    for mode in ROUNDINGS:
        for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1)):
            plain = ptx.operation(name, "f32", mode)
            yield _case(f"{name}.{mode}.f32", "f", "f" * count, plain, "f32")
        yield _case(f"sqrt.{mode}.f32", "f", "f", ptx.root("f32", mode), "f32")
    for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1)):
        yield _case(f"{name}.rn.f64", "d", "d" * count, ptx.operation(name, "f64"), "f64")
    for mode in ("rz", "rm", "rp"):
        for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1)):
            plain = ptx.operation(name, "f64", mode)
            yield _case(f"{name}.{mode}.f64", "d", "d" * count, plain, "f64")
        yield _case(f"sqrt.{mode}.f64", "d", "d", ptx.root("f64", mode), "f64")
    for type_ in HALVES:
        for name in ("add", "sub"):
            plain, widen = ptx.operation(name, "f32"), ptx.convert(type_, "f32", "rn")
            yield _case(
                f"{name}.rn.f32.{type_}",
                "f",
                "hf",
                lambda a, b, f=plain, g=widen: f(g(a), b),
                "f32",
            )
        plain, widen = ptx.operation("fma", "f32"), ptx.convert(type_, "f32", "rn")
        yield _case(
            f"fma.rn.f32.{type_}",
            "f",
            "hhf",
            lambda a, b, c, f=plain, g=widen: f(g(a), g(b), c),
            "f32",
        )
    yield _case("sqrt.rn.f64", "d", "d", ptx.root("f64", "rn"), "f64")
    for name in ("add", "mul", "sub"):
        for type_, c in (("f32", "f"), ("f64", "d")):
            yield _case(f"{name}.{type_}", c, c * 2, ptx.operation(name, type_), type_)
        plain, clip = ptx.operation(name, "f32"), ptx.saturate("f32")
        yield _case(f"{name}.sat.f32", "f", "ff", lambda a, b, f=plain, g=clip: g(f(a, b)), "f32")
    plain, clip = ptx.operation("fma", "f32"), ptx.saturate("f32")
    yield _case("fma.rn.sat.f32", "f", "fff", lambda a, b, c, f=plain, g=clip: g(f(a, b, c)), "f32")
    # A product and a sum that name their rounding must not become one fused operation.
    mul, add = ptx.operation("mul", "f32"), ptx.operation("add", "f32")
    yield Case(
        "{ .reg .f32 t; mul.rn.f32 t, %1, %2; add.rn.f32 %0, t, %3; }",
        "f",
        "fff",
        lambda a, b, c: add(mul(a, b), c),
        floats="f32",
    )
    for type_, c in (("f32", "f"), ("f64", "d")):
        for name in ("min", "max"):
            yield _case(f"{name}.{type_}", c, c * 2, ptx.extreme(name, type_), type_)
    for name in ("min", "max"):
        yield _case(f"{name}.NaN.f32", "f", "ff", ptx.extreme(name, "f32", nan=True), "f32")
        yield _case(f"{name}.xorsign.abs.f32", "f", "ff", _xorsign(name), "f32")
    for type_, c, bits in (("f32", "f", 32), ("f64", "d", 64)):
        top = 1 << (bits - 1)
        yield _case(f"abs.{type_}", c, c, lambda a, m=top: a & (m - 1), type_)
        yield _case(f"neg.{type_}", c, c, lambda a, m=top: a ^ m, type_)
        yield _case(f"copysign.{type_}", c, c * 2, lambda a, b, m=top: a & m | b & (m - 1), type_)


def _xorsign(name: str) -> Callable[[int, int], int]:
    plain = ptx.extreme(name, "f32")

    def compute(a: int, b: int) -> int:
        return plain(a & 0x7FFFFFFF, b & 0x7FFFFFFF) | (a ^ b) & 0x80000000

    return compute


def approximations() -> Iterator[Case]:
    """Hardware approximations, which may be off in the last places."""
    functions: dict[str, Callable[[float], float]] = {
        "ex2": lambda x: 2.0**x,
        "lg2": math.log2,
        "sin": math.sin,
        "cos": math.cos,
        "tanh": math.tanh,
        "rsqrt": lambda x: 1 / math.sqrt(x),
        "rcp": lambda x: 1 / x,
        "sqrt": math.sqrt,
    }
    for name, function in functions.items():
        reference = _single(function, 3.15 if name in ("sin", "cos") else 1e5)
        inputs = tuple((_bits(x),) for x in (0.5, 1.0, 2.0, 0.1, 3.75, 1e-3, 7.0, 0.999))
        for flush in ("", ".ftz"):
            if name == "tanh" and flush:
                continue
            yield Case(
                f"{name}.approx{flush}.f32 %0, %1;",
                "f",
                "f",
                reference,
                inputs=inputs,
                floats="f32",
                within=4,
            )


def _single(function: Callable[[float], float], end: float) -> Callable[[int], int]:
    """The function in single precision; -1 where the approximation is not checked.

    That is beyond `end`, for tiny numbers, and near zeros of the function, where only the absolute
    error is bounded.
    """

    def compute(word: int) -> int:
        x = struct.unpack("<f", struct.pack("<I", word))[0]
        if math.isnan(x) or math.isinf(x) or abs(x) < 1e-30 or abs(x) > end:
            return -1
        try:
            y = function(x)
            return _bits(y) if abs(y) > 0.5 or end > 4 else -1
        except (ValueError, OverflowError):
            return -1

    return compute


def _bits(x: float) -> int:
    word: int = struct.unpack("<I", struct.pack("<f", x))[0]
    return word


def conversions() -> Iterator[Case]:
    """cvt among floating-point types and integers."""
    for type_, c in (("f32", "f"), ("f64", "d")):
        for mode in ("rni", "rzi", "rmi", "rpi"):
            for target, d in (
                ("u16", "h"),
                ("s16", "h"),
                ("u32", "r"),
                ("s32", "r"),
                ("u64", "l"),
                ("s64", "l"),
            ):
                yield _case(
                    f"cvt.{mode}.{target}.{type_}", d, c, ptx.to_integer(type_, target, mode), ""
                )
            yield _case(f"cvt.{mode}.{type_}.{type_}", c, c, _round_whole(type_, mode), type_)
    for source, c in (
        ("u16", "h"),
        ("s16", "h"),
        ("u32", "r"),
        ("s32", "r"),
        ("u64", "l"),
        ("s64", "l"),
    ):
        for mode in ROUNDINGS:
            yield _case(
                f"cvt.{mode}.f32.{source}", "f", c, ptx.from_integer(source, "f32", mode), "f32"
            )
        yield _case(f"cvt.rn.f64.{source}", "d", c, ptx.from_integer(source, "f64", "rn"), "f64")
    for source in ("u16", "s16", "u32", "s32"):
        c = "h" if source.endswith("16") else "r"
        yield _case(f"cvt.rn.f16.{source}", "h", c, ptx.from_integer(source, "f16", "rn"), "f16")
    for mode in ROUNDINGS:
        yield _case(f"cvt.{mode}.f32.f64", "f", "d", ptx.convert("f64", "f32", mode), "f32")
    yield _case("cvt.f64.f32", "d", "f", ptx.convert("f32", "f64", "rn"), "f64")
    yield _case("cvt.sat.f32.f32", "f", "f", ptx.saturate("f32"), "f32")
    for type_ in HALVES:
        yield _case(f"cvt.f32.{type_}", "f", "h", ptx.convert(type_, "f32", "rn"), "f32")
        for mode in ("rn", "rz"):
            plain = ptx.convert("f32", type_, mode)
            yield _case(f"cvt.{mode}.{type_}.f32", "h", "f", plain, type_)
            yield _case(
                f"cvt.{mode}.{type_}x2.f32",
                "r",
                "ff",
                lambda a, b, f=plain: f(a) << 16 | f(b),
                f"{type_}x2",
            )
    yield _case("cvt.rn.f16.f64", "h", "d", ptx.convert("f64", "f16", "rn"), "f16")
    for mode in ("rni", "rzi"):
        yield _case(f"cvt.{mode}.s32.f16", "r", "h", ptx.to_integer("f16", "s32", mode), "")
    for mode in ("rna", "rn", "rz"):
        plain = ptx.convert("f32", "tf32", mode)
        yield _case(f"cvt.{mode}.tf32.f32", "r", "f", lambda a, f=plain: f(a) << 13, "f32")
    for type_ in ("e4m3", "e5m2"):
        for source, operands in (("f32", "ff"), ("f16", "r")):
            one = ptx.to_fp8(source, type_)
            if source == "f32":
                reference: Callable[..., int] = lambda a, b, f=one: f(a) << 8 | f(b)  # noqa: E731
                yield _case(f"cvt.rn.satfinite.{type_}x2.f32", "h", operands, reference, "")
            else:
                reference = lambda a, f=one: f(a >> 16) << 8 | f(a & 0xFFFF)  # noqa: E731
                yield _case(f"cvt.rn.satfinite.{type_}x2.f16x2", "h", operands, reference, "")
        back = ptx.convert(type_, "f16", "rn")
        yield _case(
            f"cvt.rn.f16x2.{type_}x2",
            "r",
            "h",
            lambda a, f=back: f(a >> 8) << 16 | f(a & 0xFF),
            "f16x2",
        )


def _round_whole(type_: str, mode: str) -> Callable[[int], int]:
    form = ptx.FORMATS[type_]
    rounding: dict[str, Callable[[Fraction], int]] = {
        "rni": round,
        "rzi": math.trunc,
        "rmi": math.floor,
        "rpi": math.ceil,
    }

    def compute(word: int) -> int:
        value = ptx.decode(word, form)
        if isinstance(value, float):
            return word
        whole = rounding[mode](value)
        sign = word & 1 << (form.bits - 1)
        return ptx.encode(Fraction(whole), form) if whole else sign

    return compute


def halves() -> Iterator[Case]:
    """Arithmetic on halves and bfloats, one and two at a time."""
    for type_ in HALVES:
        for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
            plain = ptx.operation(name, type_)
            yield from _both(f"{name}.rn", type_, count, plain)
        for name in ("min", "max"):
            yield from _both(name, type_, 2, ptx.extreme(name, type_))
            yield from _both(f"{name}.NaN", type_, 2, ptx.extreme(name, type_, nan=True))
        yield from _both("neg", type_, 1, lambda a: a ^ 0x8000)
        yield from _both("abs", type_, 1, lambda a: a & 0x7FFF)
        fma, form = ptx.operation("fma", type_), ptx.FORMATS[type_]

        def relu(a: int, b: int, c: int, f: Callable[..., int] = fma, t: str = type_) -> int:
            word = f(a, b, c)
            return word if ptx.is_nan(word, t) or not word & 0x8000 else 0

        yield from _both("fma.rn.relu", type_, 3, relu)
        for name, test in (("lt", "lt"), ("neu", "neu"), ("ge", "ge")):
            yield Case(
                f"{{ .reg .pred p; setp.{name}.{type_} p, %1, %2; selp.u32 %0, 1, 0, p; }}",
                "r",
                "hh",
                ptx.compare(test, type_),
            )
        assert form.bits == 16
    clip, add = ptx.saturate("f16"), ptx.operation("add", "f16")
    yield from _both("add.sat", "f16", 2, lambda a, b: clip(add(a, b)))


def _both(name: str, type_: str, count: int, plain: Callable[..., int]) -> Iterator[Case]:
    def packed(*words: int) -> int:
        low = plain(*(word & 0xFFFF for word in words))
        return plain(*(word >> 16 for word in words)) << 16 | low

    yield _case(f"{name}.{type_}", "h", "h" * count, plain, type_)
    yield _case(f"{name}.{type_}x2", "r", "r" * count, packed, f"{type_}x2")


def pairs() -> Iterator[Case]:
    """Two single-precision numbers in 64 bits."""
    for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        plain = ptx.operation(name, "f32")

        def packed(*words: int, f: Callable[..., int] = plain) -> int:
            low = f(*(word & 0xFFFFFFFF for word in words))
            return f(*(word >> 32 for word in words)) << 32 | low

        yield _case(f"{name}.rn.f32x2", "l", "l" * count, packed, "f32x2")


def comparisons() -> Iterator[Case]:
    """setp, set, testp."""
    names = (
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "equ",
        "neu",
        "ltu",
        "leu",
        "gtu",
        "geu",
        "num",
        "nan",
    )
    for type_, c in (("f32", "f"), ("f64", "d")):
        for name in names:
            plain = ptx.compare(name, type_)
            yield Case(
                f"{{ .reg .pred p; setp.{name}.{type_} p, %1, %2; selp.u32 %0, 1, 0, p; }}",
                "r",
                c * 2,
                plain,
            )
        plain = ptx.compare("lt", type_)
        yield Case(
            f"set.lt.f32.{type_} %0, %1, %2;",
            "f",
            c * 2,
            lambda a, b, f=plain: 0x3F800000 if f(a, b) else 0,
        )
        form = ptx.FORMATS[type_]
        for name in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield Case(
                f"{{ .reg .pred p; testp.{name}.{type_} p, %1; selp.u32 %0, 1, 0, p; }}",
                "r",
                c,
                lambda a, n=name, f=form: int(_class(a, f) in _CLASSES[n]),
            )
    yield Case(
        "slct.f32.f32 %0, %1, %2, %3;",
        "f",
        "fff",
        lambda a, b, c: b if ptx.is_nan(c, "f32") or (c >> 31 and c != 0x80000000) else a,
        floats="f32",
    )


_CLASSES = {
    "finite": ("normal", "subnormal", "zero"),
    "infinite": ("infinite",),
    "number": ("normal", "subnormal", "zero", "infinite"),
    "notanumber": ("nan",),
    "normal": ("normal",),
    "subnormal": ("subnormal",),
}


def _class(word: int, form: ptx.Format) -> str:
    size = word & ((1 << (form.bits - 1)) - 1)
    if size >= form.infinity:
        return "infinite" if size == form.infinity else "nan"
    if size == 0:
        return "zero"
    return "normal" if size >> form.fraction else "subnormal"


def constants() -> Iterator[Case]:
    """Floating-point constants in all their spellings."""
    yield Case("mov.f32 %0, 0f3F800000;", "f", "", lambda: 0x3F800000, floats="f32")
    yield Case("mov.f32 %0, 0fFF800000;", "f", "", lambda: 0xFF800000, floats="f32")
    yield Case("mov.f32 %0, 0f7FC00000;", "f", "", lambda: 0x7FC00000, floats="f32")
    yield Case("mov.f32 %0, 0f3DCCCCCD;", "f", "", lambda: 0x3DCCCCCD, floats="f32")
    yield Case("mov.f32 %0, 0.1;", "f", "", lambda: 0x3DCCCCCD, floats="f32")
    yield Case("mov.f64 %0, 0d3FB999999999999A;", "d", "", lambda: 0x3FB999999999999A, floats="f64")
    yield Case("mov.f64 %0, -1.5e3;", "d", "", lambda: 0xC097700000000000, floats="f64")
    yield Case("mov.b32 %0, 0f40490FDB;", "r", "", lambda: 0x40490FDB)
    yield Case("mov.f32 %0, 0f00000001;", "f", "", lambda: 1, floats="f32")


def all_cases() -> list[Case]:
    """Every case of this module."""
    made: list[Case] = []
    for group in (arithmetic, approximations, conversions, halves, pairs, comparisons, constants):
        made.extend(group())
    return made
