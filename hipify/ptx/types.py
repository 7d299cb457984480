"""PTX types, and the C++ types that hold them.

Halves, bfloats, 8-bit floats and packed values are held as bits in unsigned integers, as inline PTX
itself passes them, so only `f32` and `f64` are floating point in C++.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """How a value is held: class (`i` integer, `f` floating point, `p` predicate), bits, sign.

    `signed` is None where the sign does not matter or is not known.
    """

    group: str
    bits: int
    signed: bool | None


_RAW_BITS = {
    **dict.fromkeys(("f16", "bf16", "e4m3x2", "e5m2x2", "ue8m0x2"), 16),
    **dict.fromkeys(("f16x2", "bf16x2", "tf32", "u16x2", "s16x2", "b16x2"), 32),
    **dict.fromkeys(("e2m1x2",), 8),
    **dict.fromkeys(("f32x2",), 64),
}
_INTEGERS = {
    f"{letter}{bits}": Kind("i", bits, sign)
    for letter, sign in (("u", False), ("s", True), ("b", None))
    for bits in (8, 16, 32, 64)
}
KINDS: dict[str, Kind] = {
    **_INTEGERS,
    **{name: Kind("i", bits, None) for name, bits in _RAW_BITS.items()},
    "f32": Kind("f", 32, None),
    "f64": Kind("f", 64, None),
    "pred": Kind("p", 1, None),
}
TYPES = frozenset((*KINDS, "b128", "e2m1", "e4m3", "e5m2", "f8"))
"""Names that are types where they stand among an instruction's modifiers."""

_UNSIGNED = {
    8: "unsigned char",
    16: "unsigned short",
    32: "unsigned",
    64: "unsigned long long",
}
_SIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long long"}


def cpp_type(kind: Kind) -> str:
    """The C++ type of a kind; integers of unknown sign are unsigned."""
    if kind.group == "p":
        return "bool"
    if kind.group == "f":
        return "float" if kind.bits == 32 else "double"
    return (_SIGNED if kind.signed else _UNSIGNED)[kind.bits]


def named_kind(code: str, types: tuple[str, ...]) -> Kind:
    """The kind that a type code of the instruction table stands for.

    `T` and `U` are the instruction's first and second type, `W` is twice as wide as T; a letter
    before (`uT`, `sT`, `bT`) sets the sign. Anything else is the name of a PTX type.
    """
    sign: dict[str, bool | None] = {"u": False, "s": True, "b": None}
    base = code[-1:]
    if base in ("T", "U", "W"):
        kind = KINDS[types[1 if base == "U" else 0]]
        if base == "W":
            kind = kind._replace(bits=2 * kind.bits)
        if len(code) == 2:
            kind = Kind("i", kind.bits, sign[code[0]])
        return kind
    return KINDS[code]


def convert(text: str, have: Kind, want: Kind) -> str | None:
    """`text`, an expression of one kind, as an expression of another that has the same bits.

    Wider integers are cut; None where PTX has no such reading.
    """
    if have == want or (have.group == want.group != "i" and have.bits == want.bits):
        return text
    if have.group == want.group == "i":
        if want.bits > have.bits:
            return None
        if want.bits == have.bits and (want.signed is None or want.signed == have.signed):
            return text
        return cast(text, cpp_type(want))
    if have.bits != want.bits:
        return None
    if (have.group, want.group) == ("i", "f"):
        if want.bits == 32:
            return f"__uint_as_float({text})"
        return f"__longlong_as_double({text})"
    if (have.group, want.group) == ("f", "i"):
        if want.bits == 32:
            return f"__float_as_int({text})" if want.signed else f"__float_as_uint({text})"
        text = f"__double_as_longlong({text})"
        return text if want.signed else cast(text, "unsigned long long")
    return None


def cast(text: str, to: str) -> str:
    """A C-style cast, which serves integers and pointers alike."""
    return f"({to}){grouped(text)}"


def grouped(text: str) -> str:
    """`text` in parentheses unless it binds at least as tightly as a prefix operator's operand."""
    return text if is_tight(text) else f"({text})"


def is_tight(text: str) -> bool:
    """Whether the expression is a name, a constant, a call, a subscript, or a cast of such."""
    at, size = 0, len(text)
    while at < size and text[at] == "(":
        close = _closing(text, at)
        if close == size - 1:
            return True
        inner = text[at + 1 : close]
        follows = text[close + 1 : close + 2]
        if not (inner.replace(" ", "").replace("*", "").isidentifier() and _starts_word(follows)):
            return False
        at = close + 1
    if at < size and text[at] in "~!*" and at + 1 < size:
        return is_tight(text[at + 1 :]) and text[at + 1] != text[at]
    while at < size:
        char = text[at]
        if char in "([":
            at = _closing(text, at)
            if at < 0:
                return False
        elif char == "<" and text[:at].endswith("_cast"):
            at = text.find(">", at)
        elif text.startswith("->", at):
            at += 1
        elif not (char.isalnum() or char in "_.:\0"):
            return False
        at += 1
    return size > 0


def _starts_word(text: str) -> bool:
    return bool(text) and (text.isalnum() or text in "_(\0~*")


def _closing(text: str, at: int) -> int:
    depth = 0
    for index in range(at, len(text)):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
            if depth == 0:
                return index
    return -1
