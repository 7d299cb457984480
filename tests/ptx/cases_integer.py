"""Integer instructions with their references."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.ptx import reference as ptx
from tests.ptx.harness import Case

LETTERS = {16: "h", 32: "r", 64: "l"}
SIGNED = ("s16", "s32", "s64")
ALL = ("u16", "s16", "u32", "s32", "u64", "s64")


def _case(
    name: str,
    results: str,
    operands: str,
    reference: Callable[..., int | tuple[int, ...]],
    small: tuple[int, ...] = (),
    constant: str = "",
) -> Case:
    places = [f"%{number}" for number in range(len(results) + len(operands))]
    text = f"{name} {', '.join(places)}{constant};"
    return Case(text, results, operands, reference, small=small)


def letter(type_: str) -> str:
    """The constraint for an integer type."""
    return LETTERS[int(type_[1:])]


def arithmetic() -> Iterator[Case]:
    """Sums, products, differences, quotients."""
    for type_ in ALL:
        c = letter(type_)
        for name in ("add", "sub", "mul.lo", "mul.hi", "min", "max"):
            yield _case(f"{name}.{type_}", c, c * 2, ptx.arithmetic(name, type_))
        for name in ("mad.lo", "mad.hi", "sad"):
            yield _case(f"{name}.{type_}", c, c * 3, ptx.arithmetic(name, type_))
        # The divisor is odd, so that it is not 0; the least number by -1 is left out as in C++.
        for name in ("div", "rem"):
            plain = ptx.arithmetic(name, type_)
            yield Case(
                f"{{ .reg .b{type_[1:]} t; or.b{type_[1:]} t, %2, 5; and.b{type_[1:]} t, t, 0x7ffd;"
                f" {name}.{type_} %0, %1, t; }}",
                c,
                c * 2,
                lambda a, b, f=plain: f(a, (b | 5) & 0x7FFD),
            )
        if type_ in SIGNED:
            yield _case(f"abs.{type_}", c, c, ptx.arithmetic("abs", type_))
            yield _case(f"neg.{type_}", c, c, ptx.arithmetic("neg", type_))
    for type_, wide in (("u16", "r"), ("s16", "r"), ("u32", "l"), ("s32", "l")):
        c = letter(type_)
        yield _case(f"mul.wide.{type_}", wide, c * 2, ptx.wide(type_))
        yield _case(f"mad.wide.{type_}", wide, c * 2 + wide, ptx.wide(type_, mad=True))
    for type_ in ("u32", "s32"):
        for part in ("lo", "hi"):
            plain = ptx.mul24(type_, part == "hi")
            yield _case(f"mul24.{part}.{type_}", "r", "rr", plain)
            yield _case(
                f"mad24.{part}.{type_}",
                "r",
                "rrr",
                lambda a, b, c, f=plain: ptx.cut(f(a, b) + c, 32),
            )
    yield _case("add.sat.s32", "r", "rr", ptx.saturated("add"))
    yield _case("sub.sat.s32", "r", "rr", ptx.saturated("sub"))
    yield _case("mad.hi.sat.s32", "r", "rrr", ptx.saturated("mad.hi"))


def carries() -> Iterator[Case]:
    """Chains through the carry flag."""
    for c, bits, type_ in (("r", 32, "u32"), ("r", 32, "s32"), ("l", 64, "u64"), ("l", 64, "s64")):
        yield Case(
            f"add.cc.{type_} %0, %2, %4; addc.{type_} %1, %3, %5;",
            c * 2,
            c * 4,
            lambda a, b, x, y, n=bits: _words((b << n | a) + (y << n | x), n, 2),
        )
        yield Case(
            f"{{ sub.cc.{type_} %0, %2, %4;\n\tsubc.{type_} %1, %3, %5; }}",
            c * 2,
            c * 4,
            lambda a, b, x, y, n=bits: _words((b << n | a) - (y << n | x), n, 2),
        )
    yield Case(
        "add.cc.u32 %0, %3, %6; addc.cc.u32 %1, %4, %6; addc.u32 %2, %5, 0;",
        "rrr",
        "rrrr",
        lambda a, b, c, x: _words((c << 64 | b << 32 | a) + (x << 32 | x), 32, 3),
    )
    yield Case(
        "mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;",
        "rr",
        "rrrr",
        lambda a, b, x, y: _words(a * b + (y << 32 | x), 32, 2),
    )
    yield Case(
        "mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3; mad.lo.cc.u32 %0, %2, %4, %0;"
        " madc.hi.cc.u32 %1, %2, %4, %1; addc.u32 %1, %1, 7;",
        "rr",
        "rrr",
        _mad_chain,
    )
    yield Case(
        "sub.cc.u64 %0, %1, %2; subc.u64 %0, 0, 0;", "l", "ll", lambda a, b: ptx.cut(-(a < b), 64)
    )


def _mad_chain(a: int, b: int, c: int) -> tuple[int, int]:
    low, high = ptx.cut(a * b, 32), a * b >> 32
    total = low + ptx.cut(a * c, 32)
    upper = high + (a * c >> 32) + (total >> 32)
    return ptx.cut(total, 32), ptx.cut(ptx.cut(upper, 32) + 7 + (upper >> 32), 32)


def _words(value: int, bits: int, count: int) -> tuple[int, ...]:
    return tuple(ptx.cut(value >> (bits * at), bits) for at in range(count))


def logic() -> Iterator[Case]:
    """Logic, shifts, counts, fields and permutations."""
    for bits, c in LETTERS.items():
        yield _case(f"and.b{bits}", c, c * 2, lambda a, b: a & b)
        yield _case(f"or.b{bits}", c, c * 2, lambda a, b: a | b)
        yield _case(f"xor.b{bits}", c, c * 2, lambda a, b: a ^ b)
        yield _case(f"not.b{bits}", c, c, lambda a, n=bits: ptx.cut(~a, n))
        yield _case(f"cnot.b{bits}", c, c, lambda a: int(a == 0))
        yield _case(f"shl.b{bits}", c, c + "r", ptx.shift("shl", f"u{bits}"), small=(1,))
        for sign in "bus":
            plain = ptx.shift("shr", f"{'u' if sign == 'b' else sign}{bits}")
            yield _case(f"shr.{sign}{bits}", c, c + "r", plain, small=(1,))
            for by in (0, 3, bits - 1, bits, bits + 9):
                yield Case(
                    f"shr.{sign}{bits} %0, %1, {by};", c, c, lambda a, f=plain, n=by: f(a, n)
                )
        for by in (0, 3, bits - 1, bits, bits + 9):
            plain = ptx.shift("shl", f"u{bits}")
            yield Case(f"shl.b{bits} %0, %1, {by};", c, c, lambda a, f=plain, n=by: f(a, n))
    for direction in "lr":
        for mode in ("wrap", "clamp"):
            plain = ptx.funnel(direction, mode)
            yield _case(f"shf.{direction}.{mode}.b32", "r", "rrr", plain, small=(2,))
    for bits in (32, 64):
        c = LETTERS[bits]
        yield _case(f"popc.b{bits}", "r", c, lambda a: a.bit_count())
        yield _case(f"clz.b{bits}", "r", c, lambda a, n=bits: n - a.bit_length())
        yield _case(f"brev.b{bits}", c, c, lambda a, n=bits: int(f"{a:0{n}b}"[::-1], 2))
        for sign in "us":
            yield _case(f"bfind.{sign}{bits}", "r", c, ptx.bfind(f"{sign}{bits}"))
            plain = ptx.bfind(f"{sign}{bits}", shiftamt=True)
            yield _case(f"bfind.shiftamt.{sign}{bits}", "r", c, plain)


def fields() -> Iterator[Case]:
    """bfe, bfi and their kin."""
    for bits in (32, 64):
        c = LETTERS[bits]
        for sign in "us":
            plain = ptx.bfe(f"{sign}{bits}")
            yield _case(f"bfe.{sign}{bits}", c, c + "rr", plain, small=(1, 2))
            for at, size in (
                (0, 1),
                (0, bits),
                (5, 9),
                (bits - 1, 1),
                (bits - 8, 8),
                (20, 200),
                (3, 0),
            ):
                yield Case(
                    f"bfe.{sign}{bits} %0, %1, {at}, {size};",
                    c,
                    c,
                    lambda a, f=plain, p=at, n=size: f(a, p, n),
                )
        yield _case(f"bfi.b{bits}", c, c * 2 + "rr", ptx.bfi(bits), small=(2, 3))
    yield _case("fns.b32", "r", "rrr", ptx.fns, small=(1, 2))
    for mode in ("clamp", "wrap"):
        yield _case(f"bmsk.{mode}.b32", "r", "rr", ptx.bmsk(mode), small=(0, 1))
        for type_ in ("u32", "s32"):
            yield _case(f"szext.{mode}.{type_}", "r", "rr", ptx.szext(mode, type_), small=(1,))
    yield _case("prmt.b32", "r", "rrr", ptx.prmt(""))
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        yield _case(f"prmt.b32.{mode}", "r", "rrr", ptx.prmt(mode))
    for selector in (0x0123, 0x5410, 0x7632, 0xBA98, 0x3276, 0x8888):
        plain = ptx.prmt("")
        yield Case(
            f"prmt.b32 %0, %1, %2, {selector:#x};",
            "r",
            "rr",
            lambda a, b, f=plain, s=selector: f(a, b, s),
        )
    for table in range(256):
        yield Case(f"lop3.b32 %0, %1, %2, %3, {table:#x};", "r", "rrr", ptx.lop3(table))


def products() -> Iterator[Case]:
    """Dot products, parts of words."""
    for a in ("u32", "s32"):
        for b in ("u32", "s32"):
            yield _case(f"dp4a.{a}.{b}", "r", "rrr", ptx.dot(a, b, "4"))
            yield _case(f"dp2a.lo.{a}.{b}", "r", "rrr", ptx.dot(a, b, "lo"))
            yield _case(f"dp2a.hi.{a}.{b}", "r", "rrr", ptx.dot(a, b, "hi"))
    for sign in "us":
        type_ = f"{sign}16x2"
        for name, op in (("add", "vadd"), ("min", "vmin"), ("max", "vmax")):
            plain = ptx.packed(op, 2, (f"{sign}32",) * 3, "")
            yield _case(f"{name}.{type_}", "r", "rr", lambda a, b, f=plain: f(a, b, 0))


def video() -> Iterator[Case]:
    """Video instructions."""
    words = ("u32", "s32")
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for types in ((d, a, b) for d in words for a in words for b in words):
            dotted = ".".join((name, *types))
            yield _case(dotted, "r", "rr", ptx.video(name, types, False))
            yield _case(f"{dotted}.sat", "r", "rr", ptx.video(name, types, True))
    for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
        for parts in (2, 4):
            for types in ((d, a, a) for d in words for a in words):
                dotted = ".".join((f"{name}{parts}", *types))
                for mode in ("", "sat", "add"):
                    if mode == "sat" and name == "vavrg":
                        continue
                    plain = ptx.packed(name, parts, types, mode)
                    yield _case(f"{dotted}.{mode}".rstrip("."), "r", "rrr", plain)
    for name in ptx.COMPARISONS:
        for parts in (2, 4):
            for a in words:
                plain = ptx.packed(f"vset.{name}", parts, ("u32", a, a), "")
                yield _case(f"vset{parts}.{a}.{a}.{name}", "r", "rrr", plain)
        yield _case(
            f"vset.u32.s32.{name}",
            "r",
            "rr",
            lambda a, b, f=ptx.COMPARISONS[name]: int(f(a, ptx.signed(b, 32))),
        )
    yield Case(
        "vadd.s32.s32.s32 %0, %1.b2, %2.h1;",
        "r",
        "rr",
        lambda a, b: ptx.cut(ptx.signed(a >> 16, 8) + ptx.signed(b >> 16, 16), 32),
    )
    yield Case(
        "vabsdiff.u32.u32.u32.add %0, %1, %2, %3;",
        "r",
        "rrr",
        lambda a, b, c: ptx.cut(abs(a - b) + c, 32),
    )


def choices() -> Iterator[Case]:
    """Comparisons and selections."""
    for type_ in (*ALL, "b32"):
        bits = int(type_[1:])
        c = LETTERS[bits]
        names = ("eq", "ne") if type_[0] == "b" else tuple(ptx.COMPARISONS)
        for name in names:
            test = ptx.COMPARISONS[name]
            kind = type_.replace("b", "u")
            yield Case(
                f"{{ .reg .pred p; setp.{name}.{type_} p, %1, %2; selp.u32 %0, 7, 9, p; }}",
                "r",
                c * 2,
                lambda a, b, f=test, t=kind: 7 if f(ptx.number(a, t), ptx.number(b, t)) else 9,
            )
            yield Case(
                f"set.{name}.u32.{type_} %0, %1, %2;",
                "r",
                c * 2,
                lambda a, b, f=test, t=kind: (
                    0xFFFFFFFF if f(ptx.number(a, t), ptx.number(b, t)) else 0
                ),
            )
    for name, plain in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
        yield Case(
            f"{{ .reg .pred %p; setp.{name}.u32 %p, %1, %2; selp.b32 %0, %1, %2, %p; }}",
            "r",
            "rr",
            lambda a, b, f=ptx.COMPARISONS[plain]: a if f(a, b) else b,
        )
    yield Case(
        "{ .reg .pred p, q; setp.lt.s32 p|q, %1, %2; @p mov.u32 %0, 1; @q mov.u32 %0, 2; }",
        "r",
        "rr",
        lambda a, b: 1 if ptx.signed(a, 32) < ptx.signed(b, 32) else 2,
    )
    yield Case(
        "{ .reg .pred p, q; setp.gt.u32 q, %1, 100; setp.lt.and.u32 p, %1, %2, !q;"
        " mov.u32 %0, 0; @!p mov.u32 %0, 5; }",
        "r",
        "rr",
        lambda a, b: 0 if a < b and not a > 100 else 5,
        small=(0, 1),
    )
    yield Case(
        "slct.u32.s32 %0, %1, %2, %3;",
        "r",
        "rrr",
        lambda a, b, c: a if ptx.signed(c, 32) >= 0 else b,
    )


def moves() -> Iterator[Case]:
    """Moves, packs and conversions between integers."""
    yield Case("mov.b64 %0, {%1, %2};", "l", "rr", lambda a, b: b << 32 | a)
    yield Case("mov.b64 {%0, %1}, %2;", "rr", "l", lambda a: (a & 0xFFFFFFFF, a >> 32))
    yield Case("mov.b32 %0, {%1, %2};", "r", "hh", lambda a, b: b << 16 | a)
    yield Case("mov.b32 {%0, %1}, %2;", "hh", "r", lambda a: (a & 0xFFFF, a >> 16))
    yield Case("mov.b32 %0, %1;", "r", "f", lambda a: a)
    yield Case("mov.b32 %0, %1;", "f", "r", lambda a: a)
    yield Case("mov.b64 %0, %1;", "d", "l", lambda a: a)
    yield Case(
        "{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }",
        "l",
        "l",
        lambda a: a >> 32 | (a & 0xFFFFFFFF) << 32,
    )
    for source in ALL:
        for target in ALL:
            yield _case(
                f"cvt.{target}.{source}",
                letter(target),
                letter(source),
                lambda a, s=source, t=target: ptx.cut(ptx.number(a, s), int(t[1:])),
            )
            if not _can_exceed(source, target):
                continue
            yield _case(
                f"cvt.sat.{target}.{source}",
                letter(target),
                letter(source),
                lambda a, s=source, t=target: ptx.clamp(ptx.number(a, s), t),
            )
    for target in ("u8", "s8"):
        yield _case(
            f"cvt.sat.{target}.s32",
            "r",
            "r",
            lambda a, t=target: (
                ptx.cut(ptx.signed(ptx.clamp(ptx.signed(a, 32), t), 8), 32)
                if t == "s8"
                else ptx.clamp(ptx.signed(a, 32), t)
            ),
        )


def _can_exceed(source: str, target: str) -> bool:
    """Whether the source type has numbers that the target type lacks; else PTX has no .sat."""
    ends = (1 << (int(source[1:]) - 1)) * (1 if source[0] == "s" else 2) - 1
    least = -ends - 1 if source[0] == "s" else 0
    return ptx.number(ptx.clamp(ends, target), target) != ends or (
        ptx.number(ptx.clamp(least, target), target) != least
    )


def loops() -> Iterator[Case]:
    """Branches inside one statement."""
    yield Case(
        "{ .reg .pred p; .reg .u32 n, t; and.b32 n, %1, 15; mov.u32 %0, 0; mov.u32 t, %2;"
        " AGAIN: setp.eq.u32 p, n, 0; @p bra DONE; add.cc.u32 t, t, %2; addc.u32 %0, %0, t;"
        " sub.u32 n, n, 1; bra.uni AGAIN; DONE: xor.b32 %0, %0, t; }",
        "r",
        "rr",
        _loop,
    )
    yield Case(
        "{ .reg .pred p; setp.lt.s32 p, %1, %2; @p bra SMALL; mov.b32 %0, %1; bra END;"
        " SMALL: mov.b32 %0, %2; END: add.u32 %0, %0, 1; }",
        "r",
        "rr",
        lambda a, b: ptx.cut(1 + (b if ptx.signed(a, 32) < ptx.signed(b, 32) else a), 32),
    )


def _loop(a: int, b: int) -> int:
    total, term = 0, b
    for _ in range(a & 15):
        carry = (term + b) >> 32
        term = ptx.cut(term + b, 32)
        total = ptx.cut(total + term + carry, 32)
    return total ^ term


def all_cases() -> list[Case]:
    """Every case of this module."""
    made: list[Case] = []
    for group in (arithmetic, carries, logic, fields, products, video, choices, moves, loops):
        made.extend(group())
    return made
