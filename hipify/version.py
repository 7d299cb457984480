"""Version numbers of CUDA and ROCm: `6.3`, `7.0.2`, compared number by number."""

from __future__ import annotations

Version = tuple[int, ...]


def parse_version(text: str) -> Version:
    """`"6.3"` as `(6, 3)`.

    Raises ValueError when `text` is no dotted sequence of numbers.
    """
    parts = text.strip().split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"not a version: {text!r} (expected something like 6.3 or 7.0.2)")
    return tuple(int(part) for part in parts)


NEWEST: Version = (7, 0)
"""The newest ROCm version that the database speaks of."""
