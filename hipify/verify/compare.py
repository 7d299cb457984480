"""Compares two texts line by line: words exactly, numbers within a tolerance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest

from hipify.verify.numbers import Tolerance, relative_error

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TIME = r"(?:ns|us|µs|ms|s|sec|secs|seconds?|nsec|usec|msec|(?:nano|micro|milli)seconds?)"
_RATE = (
    r"(?:[kKMGT]i?[Bb](?:ytes)?/s(?:ec)?|[MGT]?FLOPS?(?:/s)?|[MGT]?[Ff]lops?(?:/s)?|[MGT]?[Oo]ps/s)"
)
DEFAULT_IGNORED: tuple[str, ...] = (
    r"\b0x[0-9a-fA-F]{6,16}\b",
    rf"{NUMBER}\s*[\(\[]?{_TIME}\b",
    rf"{NUMBER}\s*[\(\[]?{_RATE}(?![A-Za-z])",
    rf"(?i:\b(?:time|elapsed|duration|bandwidth|throughput|speed-?up)\b)[^\d\n]{{0,60}}?{NUMBER}",
)
"""What differs from run to run: addresses, times, rates."""

_MASK = "\N{HORIZONTAL ELLIPSIS}"
_TOKEN = re.compile(rf"0[xX][0-9a-fA-F]+|[A-Za-z_]\w*|{NUMBER}|\s+|.")
_A_NUMBER = re.compile(rf"{NUMBER}|[-+]?(?i:nan|inf|infinity)")

SameName = Callable[[str, str], bool]


@dataclass(frozen=True)
class Rules:
    """What counts as equal. `same_name` tells whether two different words mean the same."""

    tolerance: Tolerance = field(default_factory=Tolerance)
    ignored: tuple[re.Pattern[str], ...] = ()
    same_name: SameName = lambda a, b: False


@dataclass(frozen=True)
class Difference:
    """A place where the texts differ: lines count from 1, 0 for a line that one side lacks."""

    line: int
    other_line: int
    text: str
    other_text: str
    why: str


@dataclass
class Comparison:
    """What came of a comparison; `worst` is the largest relative error among numbers let pass."""

    differences: list[Difference] = field(default_factory=list)
    lines: int = 0
    ignored: int = 0
    worst: float = 0.0

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def compare_texts(original: str, port: str, rules: Rules) -> Comparison:
    """Compares the port's text with the original's."""
    result = Comparison()
    left, right = original.splitlines(), port.splitlines()
    result.lines = max(len(left), len(right))
    masked_left = [_masked(line, rules, result) for line in left]
    masked_right = [_masked(line, rules, Comparison()) for line in right]
    for at, other in _pairs(masked_left, masked_right):
        why = _why(
            "" if at is None else masked_left[at],
            "" if other is None else masked_right[other],
            rules,
            result,
        )
        if at is None or other is None:
            why = "only the port has this line" if at is None else "the port lacks this line"
        if why:
            result.differences.append(
                Difference(
                    0 if at is None else at + 1,
                    0 if other is None else other + 1,
                    "" if at is None else left[at],
                    "" if other is None else right[other],
                    why,
                )
            )
    return result


def _masked(line: str, rules: Rules, result: Comparison) -> str:
    """The line with what is to be ignored replaced by one sign."""
    for pattern in rules.ignored:
        line, count = pattern.subn(_MASK, line)
        result.ignored += count
    return line


def _pairs(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Places of lines that go together. With as many lines on both sides, each with its like."""
    if len(left) == len(right):
        yield from ((at, at) for at in range(len(left)))
        return
    shapes = [[re.sub(NUMBER, "#", line) for line in side] for side in (left, right)]
    matcher = SequenceMatcher(None, shapes[0], shapes[1], autojunk=False)
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        yield from zip_longest(range(start, end), range(other_start, other_end))


def _why(left: str, right: str, rules: Rules, result: Comparison) -> str:
    """Why two lines differ; empty when they count as equal."""
    if left == right:
        return ""
    ours, theirs = (_tokens(line, rules.tolerance.exact) for line in (left, right))
    if len(ours) != len(theirs):
        return "the texts differ"
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a == b:
            continue
        numbers = bool(_A_NUMBER.fullmatch(a) and _A_NUMBER.fullmatch(b))
        if numbers:
            error = relative_error(float(a), float(b))
            if rules.tolerance.exact or not rules.tolerance.allows(float(a), float(b)):
                return f"{a} and {b} differ by {error:.2e} of the larger"
            worst = max(worst, error)
        elif not rules.same_name(a, b):
            return f"{a!r} and {b!r} differ"
    result.worst = max(result.worst, worst)
    return ""


def _tokens(line: str, exact: bool) -> list[str]:
    """Words, numbers and signs. With a tolerance, spaces do not count: numbers differ in width."""
    return [token for token in _TOKEN.findall(line) if exact or not token.isspace()]
