"""Lines: from a translated file back to its source, and the difference of the two.

Both follow from the edits, in time linear in the file; nothing is searched for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hipify.edits import Edit, splice
from hipify.source import SourceFile

_CONTEXT = 3
_NO_NEWLINE = b"\\ No newline at end of file\n"


class Change(NamedTuple):
    """Source lines `[start, end)`, counted from 0, that became `lines`."""

    start: int
    end: int
    lines: tuple[bytes, ...]


class LineMap(NamedTuple):
    """Stretches of output lines: the first output line of each, and the source line it begins at.

    Within a stretch both count on together if `counts` says so; otherwise all of it came from one
    source line (inserted lines belong to the line that they stand before).
    """

    starts: tuple[int, ...] = (1,)
    sources: tuple[int, ...] = (1,)
    counts: tuple[bool, ...] = (True,)

    def source_line(self, line: int) -> int:
        """The source line, from 1, that the output line `line` came from."""
        at = max(bisect_right(self.starts, line) - 1, 0)
        return self.sources[at] + (line - self.starts[at] if self.counts[at] else 0)


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their LF; a CR alone ends none. The last may have none."""
    parts = data.split(b"\n")
    last = parts.pop()
    lines = [part + b"\n" for part in parts]
    return [*lines, last] if last else lines


def changes(source: SourceFile, edits: Sequence[Edit]) -> Iterator[Change]:
    """What the edits, in order of application, do to whole lines; ascending, never overlapping."""
    data, starts = source.data, source.line_starts
    begin = 0
    while begin < len(edits):
        first = bisect_right(starts, edits[begin].start) - 1
        last = bisect_right(starts, edits[begin].end) - 1
        end = begin + 1
        while end < len(edits) and bisect_right(starts, edits[end].start) - 1 <= last:
            last = max(last, bisect_right(starts, edits[end].end) - 1)
            end += 1
        low = starts[first]
        high = starts[last + 1] if last + 1 < len(starts) else len(data)
        moved = [e._replace(start=e.start - low, end=e.end - low) for e in edits[begin:end]]
        old = split_lines(data[low:high])
        new = split_lines(splice(data[low:high], moved))
        yield from _trimmed(first, old, new)
        begin = end


def _trimmed(first: int, old: list[bytes], new: list[bytes]) -> Iterator[Change]:
    """The change without the lines at both ends that stay the same."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    shorter -= head
    tail = next((at for at in range(shorter) if old[-1 - at] != new[-1 - at]), shorter)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if old or new:
        yield Change(first + head, first + head + len(old), tuple(new))


def line_map(made: Sequence[Change]) -> LineMap:
    """The map that goes with these changes."""
    starts, sources, counts = [1], [1], [True]

    def stretch(start: int, source: int, counting: bool) -> None:
        if starts[-1] == start:
            starts.pop(), sources.pop(), counts.pop()
        starts.append(start)
        sources.append(source)
        counts.append(counting)

    shift = 0
    for start, end, lines in made:
        both = min(end - start, len(lines))
        if len(lines) > both:
            stretch(start + both + shift + 1, max(start + 1, end), False)
        shift += len(lines) - (end - start)
        if len(lines) != end - start:
            stretch(end + shift + 1, end + 1, True)
    return LineMap(tuple(starts), tuple(sources), tuple(counts))


def unified_diff(old_name: bytes, new_name: bytes, data: bytes, made: Sequence[Change]) -> bytes:
    """The changes as a unified diff, byte for byte, as `patch` and `git apply` read it."""
    old = split_lines(data)
    out = [b"--- a/%s\n+++ b/%s\n" % (old_name, new_name)]
    shift = at = 0
    while at < len(made):
        group = [made[at]]
        at += 1
        while at < len(made) and made[at].start - group[-1].end <= 2 * _CONTEXT:
            group.append(made[at])
            at += 1
        shift += _hunk(out, old, group, shift)
    return b"".join(out)


def _hunk(out: list[bytes], old: list[bytes], group: Sequence[Change], shift: int) -> int:
    """Writes one hunk; returns how many lines longer it makes the file."""
    low = max(group[0].start - _CONTEXT, 0)
    high = min(group[-1].end + _CONTEXT, len(old))
    longer = sum(len(change.lines) - (change.end - change.start) for change in group)
    out.append(
        b"@@ -%s +%s @@\n" % (_range(low, high - low), _range(low + shift, high - low + longer))
    )
    place = low
    for start, end, lines in _joined(group):
        out += [_line(b" ", line) for line in old[place:start]]
        out += [_line(b"-", line) for line in old[start:end]]
        out += [_line(b"+", line) for line in lines]
        place = end
    out += [_line(b" ", line) for line in old[place:high]]
    return longer


def _joined(group: Sequence[Change]) -> Iterator[Change]:
    """Neighbouring changes as one, so that all removed lines stand before all new ones."""
    last = group[0]
    for change in group[1:]:
        if change.start == last.end:
            last = Change(last.start, change.end, last.lines + change.lines)
        else:
            yield last
            last = change
    yield last


def _range(start: int, count: int) -> bytes:
    if count == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if count else start, count)


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n" + _NO_NEWLINE
