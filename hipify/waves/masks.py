"""What a mask argument is worth, as far as the text tells."""

from __future__ import annotations

import re

from hipify.context import Context

_NARROW = rb"(?:unsigned(?:\s+int)?|(?<!long )(?<!unsigned )int|(?:std::)?u?int32_t)"
_WIDE = (
    rb"(?:(?:unsigned\s+)?long(?:\s+long)?(?:\s+int)?"
    rb"|(?:std::)?(?:u?int64_t|size_t)|lane_mask)"
)
_NUMBER = re.compile(rb"(?:0[xX]([0-9a-fA-F']+)|([0-9][0-9']*))([uUlL]*)\Z")
_TYPE = rb"(?P<narrow%d>" + _NARROW + rb")|(?P<wide%d>" + _WIDE + rb")"
_CAST = re.compile(
    rb"(?:\(\s*(?:%b)\s*\)\s*|(?:%b)\s*(?=\()|static_cast\s*<\s*(?:%b)\s*>\s*(?=\())(.*)\Z"
    % tuple(_TYPE % (number, number) for number in range(3)),
    re.DOTALL,
)
_SHIFTED = re.compile(rb"1([uUlL]*)\s*<<")
_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_BITS32, _BITS64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def without_parentheses(text: bytes) -> bytes:
    """The expression without parentheses around all of it."""
    text = text.strip()
    while text.startswith(b"(") and text.endswith(b")") and b"(" not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def mask_value(text: bytes) -> tuple[int, bool] | None:
    """Value and "is it 64 bits wide" of a constant such as `0xffffffffu`, `~0`, `-1ull`; else None.

    A number that needs no more than 32 bits and does not ask for more is 32 bits wide.
    """
    constant = _constant(text)
    if constant is None:
        return None
    value, wide = constant
    return value & (_BITS64 if wide else _BITS32), wide


def _constant(text: bytes) -> tuple[int, bool] | None:
    """The same with a sign, which a cast to 64 bits extends."""
    text = without_parentheses(text)
    cast = _CAST.match(text)
    if cast is not None:
        inner = _constant(cast[cast.re.groups])
        if inner is None:
            return None
        wide = any(cast[f"wide{number}"] for number in range(3))
        return inner[0] & (_BITS64 if wide else _BITS32), wide
    sign, digits = (text[:1], text[1:].strip()) if text[:1] in (b"~", b"-") else (b"", text)
    number = _NUMBER.match(without_parentheses(digits))
    if number is None:
        return None
    hexadecimal, decimal, suffix = number.groups()
    value = int((hexadecimal or decimal).replace(b"'", b""), 16 if hexadecimal else 10)
    wide = value > _BITS32 or b"l" in suffix.lower()
    value = ~value if sign == b"~" else -value if sign == b"-" else value
    if b"u" in suffix.lower():
        value &= _BITS64 if wide else _BITS32
    return value, wide


def macro_value(name: bytes, context: Context) -> bytes | None:
    """The body of the object-like macro `name`, if the file defines it and always the same way."""
    bodies = set()
    for directive in context.lexed.directives:
        if directive.name == b"define":
            line = context.lexed.macro_code[directive.start : directive.end]
            words = line[line.index(b"define") + 6 :].split(None, 1)
            if words and words[0] == name:
                bodies.add(words[1].strip() if len(words) > 1 else b"")
    return bodies.pop() if len(bodies) == 1 else None


def is_wide(text: bytes, context: Context) -> bool | None:
    """Whether a mask is 64 bits wide; None when the text does not tell."""
    text = without_parentheses(text)
    value = mask_value(text)
    if value is None and _NAME.match(text):
        body = macro_value(text, context)
        if body is None:
            return _is_declared_wide(text, context)
        value = mask_value(body)
    if value is not None:
        return value[1]
    shifted = _SHIFTED.match(text.lstrip(b"("))
    return None if shifted is None else b"l" in shifted[1].lower()


def _is_declared_wide(name: bytes, context: Context) -> bool | None:
    """The same by the declarations of a variable or parameter, if they agree all through."""
    code, end = context.lexed.macro_code, rb"\s+(?:const\s+)?" + re.escape(name) + rb"\b"
    narrow = re.search(rb"\b" + _NARROW + end, code) is not None
    wide = re.search(rb"\b" + _WIDE + end, code) is not None
    return wide if narrow != wide else None
