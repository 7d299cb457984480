"""Instructions from the text that llvm-objdump prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(r"\t(.*?)\s*// ([0-9A-F]+): ([0-9A-F]{8}(?: [0-9A-F]{8})*)")
_SOURCE = re.compile(r"; (.*):(\d+)$")
#: Encoding suffixes that say how an instruction is stored, not what it does.
_SUFFIX = re.compile(r"_(e32|e64|dpp|dpp8|sdwa|e64_dpp|e64_dpp8)$")
_MODIFIER = re.compile(r"([a-z_0-9]+):(\[[^\]]*\]|\S+)|(\S+)")


@dataclass(frozen=True)
class Instruction:
    """One instruction, or one half of a dual one.

    ``address`` counts from the code object's image, ``size`` is in bytes. ``modifiers`` maps names
    to their text after the colon, or to "" for flags.
    """

    address: int
    size: int
    words: tuple[int, ...]
    text: str
    mnemonic: str
    operands: tuple[str, ...]
    modifiers: dict[str, str] = field(default_factory=dict)
    source: tuple[str, int] | None = None
    encoding: str = ""


def _split_operands(text: str) -> list[str]:
    """Operands between ", "; commas within brackets and parentheses do not count."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0 and text[k + 1 : k + 2] == " ":
            parts.append(text[start:k])
            start = k + 2
    parts.append(text[start:])
    return [part.strip() for part in parts]


def _parse(text: str) -> tuple[str, str, tuple[str, ...], dict[str, str]]:
    mnemonic, _, rest = text.strip().partition(" ")
    encoding = ""
    if match := _SUFFIX.search(mnemonic):
        encoding = match[1]
        mnemonic = mnemonic[: match.start()]
    operands = _split_operands(rest) if rest.strip() else []
    modifiers: dict[str, str] = {}
    if operands and not operands[-1].startswith(("hwreg(", "sendmsg(")):
        operands[-1], *extra = operands[-1].split(" ", 1)
        for match in _MODIFIER.finditer(extra[0]) if extra else ():
            if match[1]:
                modifiers[match[1]] = match[2]
            else:
                modifiers[match[3]] = ""
        if _is_modifier(operands[-1]):  # an instruction whose only text is a modifier
            name, _, value = operands.pop().partition(":")
            modifiers[name] = value
    return mnemonic, encoding, tuple(operands), modifiers


def _is_modifier(text: str) -> bool:
    return bool(re.match(r"[a-z_0-9]+:(?!:)", text)) and "[" not in text.partition(":")[0]


def instructions(disassembly: str) -> Iterator[Instruction]:
    """Instructions of ``llvm-objdump -d -l`` output, in order; a dual one gives two in a row."""
    source: tuple[str, int] | None = None
    for line in disassembly.splitlines():
        if line.startswith("; "):
            if match := _SOURCE.match(line):
                source = (match[1], int(match[2]))
            continue
        match = _LINE.match(line)
        if not match:
            continue
        words = tuple(int(word, 16) for word in match[3].split())
        text, address = match[1], int(match[2], 16)
        for half in text.split("::"):
            mnemonic, encoding, operands, modifiers = _parse(half)
            yield Instruction(
                address,
                4 * len(words),
                words,
                text,
                mnemonic,
                operands,
                modifiers,
                source,
                encoding,
            )
