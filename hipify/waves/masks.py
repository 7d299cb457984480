"""What a mask argument is worth, as far as the text tells."""

from __future__ import annotations

import re

from hipify.context import Context

_NUMBER = re.compile(rb"(?:0[xX]([0-9a-fA-F']+)|([0-9][0-9']*))([uUlL]*)\Z")
_CAST = re.compile(
    rb"(?:\(\s*(?P<c>[\w:\s]+?)\s*\)|(?P<f>[\w:]+)\s*\(|static_cast\s*<\s*(?P<s>[\w:\s]+?)\s*>\s*\()\s*"
)
_WIDE_TYPE = re.compile(
    rb"\A(?:std::)?(?:uint64_t|int64_t|(?:unsigned\s+)?long(?:\s+long)?(?:\s+int)?|unsigned\s+long|size_t|lane_mask)\Z"
)
_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_FULL = 0xFFFFFFFF


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
    text = without_parentheses(text)
    cast = _CAST.match(text)
    if cast is not None:
        kind = cast["c"] or cast["f"] or cast["s"]
        inner = mask_value(
            text[cast.end() :].removesuffix(b")") if not cast["c"] else text[cast.end() :]
        )
        if inner is None or b"(" in kind:
            return None
        wide = bool(_WIDE_TYPE.match(kind.strip()))
        return inner[0] & (2**64 - 1 if wide else _FULL), wide
    sign, digits = (text[:1], text[1:].strip()) if text[:1] in (b"~", b"-") else (b"", text)
    number = _NUMBER.match(without_parentheses(digits))
    if number is None:
        return None
    hexadecimal, decimal, suffix = number.groups()
    value = int((hexadecimal or decimal).replace(b"'", b""), 16 if hexadecimal else 10)
    wide = value > _FULL or b"l" in suffix.lower()
    value = ~value if sign == b"~" else -value if sign == b"-" else value
    return value & (2**64 - 1 if wide else _FULL), wide


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
        value = mask_value(body) if body is not None else None
    return None if value is None else value[1]
