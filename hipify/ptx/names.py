"""What the C++ around an asm statement tells of its operands: types, and storage in common."""

from __future__ import annotations

import re

from hipify.ptx.types import Kind, cpp_type, is_tight

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)([uUlL]*)\Z")
_LEADING_CAST = re.compile(r"\(\s*((?:const\s+)?[A-Za-z_][\w: ]*?)\s*\)\s*(?=[A-Za-z_(])(.*)")
_POINTER_CAST = re.compile(r"\(\s*[A-Za-z_][\w: ]*\*+\s*\)")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\s*\[[^\]]*\])*\Z")

_U32 = Kind("i", 32, False)
_S32 = Kind("i", 32, True)
_U64 = Kind("i", 64, False)
_S64 = Kind("i", 64, True)
_U16 = Kind("i", 16, False)
_S16 = Kind("i", 16, True)
# Only types that are the very C++ type of their kind: uint64_t is `unsigned long` on some systems.
_KNOWN_TYPES = {
    **dict.fromkeys(("unsigned", "unsigned int", "uint", "uint32_t", "std::uint32_t"), _U32),
    **dict.fromkeys(("int", "signed", "int32_t", "signed int", "std::int32_t"), _S32),
    **dict.fromkeys(("unsigned long long", "unsigned long long int"), _U64),
    **dict.fromkeys(("long long", "long long int"), _S64),
    **dict.fromkeys(("unsigned short", "uint16_t", "ushort", "unsigned short int"), _U16),
    **dict.fromkeys(("short", "int16_t", "short int"), _S16),
}
_WIDE_INTEGERS = frozenset(
    (
        *("unsigned long long", "long long", "unsigned long long int", "long long int", "size_t"),
        *("uint64_t", "int64_t", "std::uint64_t", "std::int64_t", "unsigned long", "long"),
        *("uintptr_t", "intptr_t", "ptrdiff_t", "ulong", "u64", "uint64", "int64", "u64_t"),
    )
)
_TYPE_WORDS = (
    r"(?:std::)?u?int(?:8|16|32|64)_t|uint|ushort|uchar|ulong"
    r"|(?:unsigned|signed)?\s*(?:long\s+long|long|short|int|char)(?:\s+int)?|unsigned|signed"
    r"|size_t|float|double|void|[A-Za-z_][\w:]*(?:<[^<>;]*>)?"
)
_NO_TYPES = frozenset(
    (
        *("return", "else", "case", "goto", "new", "delete", "throw", "sizeof", "alignof", "do"),
        *("typename", "struct", "class", "const", "volatile", "constexpr", "not", "and", "or"),
    )
)


class Surroundings:
    """The code in which an asm statement stands: its function from the head to the statement.

    In a macro body nothing is known of the arguments: they may be anything, and the same.
    """

    def __init__(self, code: str, in_macro: bool) -> None:
        self._code = code
        self.in_macro = in_macro
        self._declared: dict[str, tuple[str, str]] = {}

    def _declaration(self, name: str) -> tuple[str, str]:
        """The type and the `*`, `&` or `[` of the last declaration of a name; empty for none."""
        known = self._declared.get(name)
        if known is None:
            known = ("", "")
            pattern = re.compile(
                rf"(?<![\w.>])({_TYPE_WORDS})(?:\s+const)?(\s*[*&]+\s*(?:const\s+|__restrict__\s+)*|\s+)"
                rf"(?:[A-Za-z_]\w*\s*(?:\[[^\]]*\])*\s*(?:=[^,;()]*)?,\s*)*{re.escape(name)}\b\s*(\[?)"
            )
            for match in pattern.finditer(self._code):
                if match[1].split()[0] not in _NO_TYPES:
                    known = (" ".join(match[1].split()), match[2].strip()[:1] or match[3])
            self._declared[name] = known
        return known

    def kind(self, expression: str, kind: Kind) -> Kind:
        """`kind`, which the constraint tells, with the sign where the code shows it for certain."""
        if kind.group != "i":
            return kind
        number = _NUMBER.match(expression)
        if number is not None and kind.bits == 32:
            return _U32 if "u" in number[1].lower() else _S32
        if self.in_macro:
            return kind
        found = None
        leading = _LEADING_CAST.match(expression)
        if leading is not None and is_tight(leading[2]):
            found = _KNOWN_TYPES.get(" ".join(leading[1].removeprefix("const ").split()))
        elif _PATH.match(expression):
            word = _WORD.match(expression)
            type_, mark = self._declaration(word[0]) if word else ("", "")
            indexed = "[" in expression
            if (mark in ("*", "[")) == indexed and expression.count("[") <= 1:
                found = _KNOWN_TYPES.get(type_)
        return found if found is not None and found.bits == kind.bits else kind

    def is_integer(self, expression: str) -> bool:
        """Whether the code shows that a 64-bit operand is an integer."""
        word = _WORD.match(expression)
        if self.in_macro or word is None or not _PATH.match(expression):
            return False
        type_, mark = self._declaration(word[0])
        return type_ in _WIDE_INTEGERS and (mark in ("*", "[")) == ("[" in expression)

    def pointer_type(self, expression: str) -> str | None:
        """The pointer type of a 64-bit operand where the code shows that it is a pointer."""
        if _WORD.fullmatch(expression):
            type_, mark = self._declaration(expression)
            return f"{type_} *" if mark == "*" else None
        return None

    def points_to(self, expression: str) -> str:
        """The C++ type that a pointer operand points to, as this package spells it; else empty."""
        if self.in_macro or not _WORD.fullmatch(expression):
            return ""
        type_, mark = self._declaration(expression)
        if mark != "*":
            return ""
        kind = _KNOWN_TYPES.get(type_)
        return cpp_type(kind) if kind else type_

    def may_share(self, output: str, given: str) -> bool:
        """Whether writing the output may change the value of the other expression."""
        words = set(_WORD.findall(given))
        if not words:
            return False
        if self.in_macro:
            return True
        root = _WORD.search(output)
        if root is None or root[0] in words:
            return True
        if output[: root.start()].strip("( "):
            return True
        type_, mark = self._declaration(root[0])
        if type_ and not mark and "->" not in output:
            return False
        return not (_WORD.fullmatch(output) and _WORD.fullmatch(given) and not mark)


def words_of(expression: str) -> set[str]:
    """All identifiers in an expression."""
    return set(_WORD.findall(expression))


def has_effect(expression: str) -> bool:
    """Whether evaluating the expression twice may differ from evaluating it once."""
    if "++" in expression or "--" in expression or re.search(r"[^=!<>]=[^=]", expression):
        return True
    return any(
        word not in ("sizeof", "reinterpret_cast", "static_cast", "const_cast")
        for word in re.findall(r"([A-Za-z_]\w*)\s*\(", expression)
    )


def is_pointer_cast(expression: str) -> bool:
    """Whether the expression is a C-style cast to a pointer."""
    return _POINTER_CAST.match(expression) is not None
