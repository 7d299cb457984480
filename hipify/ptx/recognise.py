"""Tells PTX from the assembly of other machines."""

from __future__ import annotations

import re

from hipify.ptx.statement import AsmStatement
from hipify.ptx.types import TYPES

_FOREIGN = re.compile(r"[^rlhfdnCq=+&% ]")
_OPCODE = re.compile(r"(?:^|[;{}\n:])\s*(?:@!?%?%?\w+\s+)?([a-z_]\w*)((?:\.[\w:]+)*)(?=[\s;{\[]|$)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# Instructions that may stand without a type.
_BARE = frozenset(["trap", "exit", "ret", "brkpt"])


def is_ptx(statement: AsmStatement) -> bool:
    """Whether an asm statement is PTX: by its instructions, and by constraints that PTX has."""
    if any(_FOREIGN.search(operand.constraint) for operand in statement.operands):
        return False
    return looks_like_ptx(statement.text.value, bool(statement.macros))


def looks_like_ptx(text: str, pieces_missing: bool) -> bool:
    """Whether one of the instructions can only be PTX's.

    Where macros stand for pieces of the text, an opcode of PTX before a dot is taken for one.
    """
    from hipify.ptx.table import table

    text = _COMMENT.sub("", text)
    if re.search(r"\.reg\s+\.\w+", text):
        return True
    opcodes = table().opcodes()
    for match in _OPCODE.finditer(text):
        opcode, modifiers = match[1], match[2][1:].split(".") if match[2] else []
        if opcode not in opcodes:
            continue
        if not modifiers and opcode in _BARE:
            return True
        if any(word in TYPES or "::" in word or len(word) > 2 for word in modifiers):
            return True
        if opcode in ("membar", "bar", "barrier", "fence") and modifiers:
            return True
        if pieces_missing and (modifiers or text[match.end() - 1 : match.end()] == "."):
            return True
    return False
