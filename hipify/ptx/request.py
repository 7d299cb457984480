"""What is asked for an asm statement, and what there is to tell of its translation."""

from __future__ import annotations

from dataclasses import dataclass

from hipify.ptx.model import Line, Placeholder
from hipify.ptx.names import Surroundings
from hipify.ptx.tokens import UntranslatableError
from hipify.ptx.types import Kind

Nested = list["str | Nested"]
"""Lines of C++, inner blocks as lists."""
CONSTRAINTS = {
    "r": Kind("i", 32, None),
    "l": Kind("i", 64, None),
    "h": Kind("i", 16, None),
    "f": Kind("f", 32, None),
    "d": Kind("f", 64, None),
    "n": Kind("i", 32, True),
}
"""What the constraints of PTX hold; `n` is a constant."""


@dataclass(frozen=True)
class AsmOperandText:
    """An operand of the asm statement: its constraint and its C++ expression as text.

    `source` is the expression as it stands in the file, where `text` is only a mark for it.
    """

    constraint: str
    text: str
    output: bool
    source: str

    @property
    def letter(self) -> str:
        """The constraint less its marks: one of CONSTRAINTS, or anything."""
        return self.constraint.strip("=+&% ")[:1]


@dataclass
class Caveat:
    """Something to tell of a translation that was made."""

    message: str
    remedy: str
    offset: int
    warning: bool


@dataclass
class Request:
    """An asm statement to translate: its parsed text, its operands and what is around it."""

    lines: tuple[Line, ...]
    operands: tuple[AsmOperandText, ...]
    around: Surroundings
    volatile: bool = False
    clobbers_memory: bool = False
    in_kernel: bool = False
    wave_policy: str = "logical32"
    suffix: str = ""
    line: int = 0
    """The line of the statement in its file."""
    carry_escapes: bool = False
    """Whether other asm statements of the file read a carry flag that this one may leave."""

    def operand(self, place: Placeholder, offset: int) -> AsmOperandText:
        """The operand that `%n` stands for; raises UntranslatableError where there is none."""
        if place.number >= len(self.operands):
            raise UntranslatableError(
                f"there is no operand %{place.number}", "correct the asm statement", offset
            )
        found = self.operands[place.number]
        if found.letter not in CONSTRAINTS:
            raise UntranslatableError(
                f'the constraint "{found.constraint}" is not understood',
                "rewrite the asm statement in HIP C++ by hand",
                offset,
            )
        return found
