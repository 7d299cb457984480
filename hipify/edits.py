"""Replacements of byte ranges, and the one function that applies them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hipify.errors import EditConflictError
from hipify.source import Span

_ALONE = -1
_SWALLOWS = -2


class Edit(NamedTuple):
    """Replaces `data[start:end]` by `text`; `start == end` inserts.

    Wrapping an expression takes two insertions that know each other's offset as `partner`, so that
    wraps which share an edge nest instead of crossing. Make anything but a plain replacement with
    the functions below.
    """

    start: int
    end: int
    text: bytes
    partner: int = _ALONE
    copied: Span | None = None
    tail: bytes = b""


def wrap(start: int, end: int, before: bytes, after: bytes) -> tuple[Edit, Edit]:
    """The two insertions that put `before` and `after` around `data[start:end]`."""
    return Edit(start, start, before, end), Edit(end, end, after, start)


def replace_all(start: int, end: int, text: bytes) -> Edit:
    """Replaces a range whatever it holds: other edits inside it are dropped, not in conflict."""
    return Edit(start, end, text, _SWALLOWS)


def copy_to(at: int, source: Span, before: bytes, after: bytes = b"") -> Edit:
    """Inserts at `at` the text that `source` has once its own edits are applied."""
    return Edit(at, at, before, _ALONE, source, after)


def _order(edit: Edit) -> tuple[int, int, int]:
    """Closing insertions (inner first), plain ones, opening ones (outer first), replacements."""
    start, end, partner = edit.start, edit.end, edit.partner
    if start != end:
        return start, 3, end
    if partner < 0:
        return start, 1, 0
    return (start, 0, -partner) if partner < start else (start, 2, -partner)


def _without_swallowed(edits: list[Edit]) -> list[Edit]:
    """The edits less those inside a range that is replaced whatever it holds."""
    swallowing = [edit for edit in edits if edit.partner == _SWALLOWS]
    if not swallowing:
        return edits

    def is_swallowed(edit: Edit, by: Edit) -> bool:
        if edit.partner >= 0:
            low, high = sorted((edit.start, edit.partner))
            return by.start <= low and high <= by.end
        if edit.start == edit.end:
            return by.start < edit.start < by.end
        return by.start <= edit.start and edit.end <= by.end

    return [
        edit
        for edit in edits
        if not any(is_swallowed(edit, by) for by in swallowing if by is not edit)
    ]


def ordered(data: bytes, edits: Iterable[Edit]) -> list[Edit]:
    """Edits in the order of their application: identical ones merged, copies filled in.

    Raises EditConflictError when two of them overlap and differ.
    """
    everything = list(dict.fromkeys(edits))
    plain = [edit for edit in everything if edit.copied is None and edit.partner != _SWALLOWS]
    result: list[Edit] = []
    reach = 0
    # Copies keep the order in which they were made; all other insertions at one place are sorted.
    places = {edit: number for number, edit in enumerate(everything) if edit.copied is not None}
    for edit in sorted(
        _without_swallowed(everything), key=lambda e: (*_order(e), places.get(e, -1), e.text)
    ):
        if edit.start < reach:
            other = next(e for e in reversed(result) if e.end > edit.start)
            raise EditConflictError(
                f"two edits overlap: bytes {other.start}-{other.end} to {other.text!r} "
                f"and bytes {edit.start}-{edit.end} to {edit.text!r}"
            )
        reach = max(reach, edit.end)
        copied = edit.copied
        result.append(edit if copied is None else _filled_in(data, edit, copied, plain))
    return result


def _filled_in(data: bytes, edit: Edit, source: Span, plain: list[Edit]) -> Edit:
    inner = [
        e._replace(
            start=e.start - source.start,
            end=e.end - source.start,
            partner=e.partner - source.start if e.partner >= 0 else e.partner,
        )
        for e in plain
        if source.start <= e.start and e.end <= source.end and e.partner <= source.end
    ]
    text = apply_edits(data[source.start : source.end], inner)
    return Edit(edit.start, edit.end, edit.text + text + edit.tail)


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with all edits applied, whatever order they come in.

    Raises EditConflictError when two edits overlap and differ; nothing is applied then.
    """
    return splice(data, ordered(data, edits))


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with edits applied that `ordered` has put in order."""
    pieces: list[bytes] = []
    at = 0
    for edit in edits:
        pieces.append(data[at : edit.start])
        pieces.append(edit.text)
        at = edit.end
    pieces.append(data[at:])
    return b"".join(pieces)
