"""What a user may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def near_miss(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known word closest to `word`, or nothing if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""
