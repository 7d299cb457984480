"""Names that somebody may have meant by a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_LEAST = 0.72


def similar_names(wanted: str, names: Iterable[str], limit: int = 5) -> list[str]:
    """The names most like `wanted`, the best first; none when nothing is near.

    Case does not count. Only names of about the same length that share many letter pairs are
    compared in full: comparing all of them would take seconds.
    """
    low = wanted.lower()
    pairs = _pairs(low)
    if not pairs:
        return []
    shared: list[tuple[int, str]] = []
    for name in names:
        if abs(len(name) - len(wanted)) <= 4:
            common = len(pairs & _pairs(name.lower()))
            if 2 * common >= len(pairs):
                shared.append((common, name))
    shared.sort(key=lambda pair: (-pair[0], pair[1]))
    matcher = SequenceMatcher(b=low, autojunk=False)
    scored = []
    for _, name in shared[:200]:
        matcher.set_seq1(name.lower())
        ratio = matcher.ratio()
        if ratio >= _LEAST:
            scored.append((-ratio, name))
    return [name for _, name in sorted(scored)[:limit]]


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(len(word) - 1)}
