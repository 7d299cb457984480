"""Tells PTX from the assembly of other machines."""

from __future__ import annotations

import re
from enum import Enum

from hipify.ptx.statement import AsmStatement
from hipify.ptx.types import TYPES


class Language(Enum):
    """Whose assembly an asm statement holds."""

    PTX = "ptx"
    FOREIGN = "foreign"
    """Another machine's: a host's, or an AMD GPU's."""
    EMPTY = "empty"
    """None: a barrier for the compiler."""
    UNKNOWN = "unknown"
    """No instruction that is known."""


# Constraints that PTX does not have: registers of x86, memory, AMD's "v" and "s".
_FOREIGN = re.compile(r"[^rlhfdnCq=+&% 0-9]")
_OPCODE = re.compile(
    r"(?:^|[;{}\n:])\s*(?:@!?%?%?\w+\s+)?([a-z_]\w*)\s*((?:\.[\w:]+)*)(?=[\s;{\[]|$)"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(
    r"\.reg\s+\.\w+|\.pragma\b|\.(?:visible|entry|func)\b"
    r"|\.(?:global|shared|const|local|extern|weak|param)\b[^;\n]*\.[usbf]\d+\b"
)
_AMD = re.compile(r"\b(?:v|s|ds|global|flat|buffer|scratch|image|tbuffer|exp)_\w+")
# Instructions that may stand without a type.
_BARE = frozenset(["trap", "exit", "ret", "brkpt"])
# Words of hosts' processors that functions for host and device alike may hold.
_HOSTS = frozenset(
    (
        *("pause", "nop", "mfence", "lfence", "sfence", "rdtsc", "rdtscp", "cpuid", "hlt", "int3"),
        *("yield", "isb", "dmb", "dsb", "wfe", "sev"),
    )
)


def language(statement: AsmStatement) -> Language:
    """Whose assembly a statement holds: by its constraints and by its instructions."""
    text = _COMMENT.sub("", statement.text.value)
    if not text.strip() and not statement.macros:
        return Language.EMPTY
    if any(_FOREIGN.search(operand.constraint) for operand in statement.operands):
        return Language.FOREIGN
    if is_ptx(text, bool(statement.macros)):
        return Language.PTX
    first = re.search(r"[A-Za-z_]\w*", text)
    if _AMD.search(text) or (first is not None and first[0] in _HOSTS):
        return Language.FOREIGN
    return Language.UNKNOWN


def hopeless_instruction(text: str) -> tuple[int, str, str] | None:
    """Offset, message and remedy for the first instruction that is known to have no counterpart."""
    from hipify.ptx.table import table

    known = table()
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    for match in re.finditer(r"(?<![\w.%$])([a-z]\w*)(?:\.[\w:]+)+", text):
        opcode = match[1]
        found = known.diagnoses.get(opcode)
        if found and opcode not in (*known.forms, *known.expansions):
            return match.start(), f"{match[0]}: {found[0]}", found[1]
    return None


def is_ptx(text: str, pieces_missing: bool) -> bool:
    """Whether one of the instructions of a text without comments can only be PTX's."""
    from hipify.ptx.table import table

    if _DIRECTIVE.search(text) or not text.strip(" \t\n{}"):
        return True
    opcodes = table().opcodes()
    for match in _OPCODE.finditer(text):
        opcode, modifiers = match[1], match[2][1:].split(".") if match[2] else []
        typed = sum(word in TYPES for word in modifiers)
        if opcode not in opcodes:
            # A misspelt instruction, or one newer than the table.
            if typed and len(modifiers) > 1:
                return True
            continue
        if not modifiers and opcode in _BARE:
            return True
        if typed or any("::" in word or len(word) > 2 for word in modifiers):
            return True
        if opcode in ("membar", "bar", "barrier", "fence") and modifiers:
            return True
    if not pieces_missing:
        return False
    words = re.findall(r"([a-z]\w*)\.", text) + re.findall(r"\.(\w+)", text)
    return any(word in opcodes or word in TYPES for word in words)
