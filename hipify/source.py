"""A source file as bytes, with offsets turned into lines and columns on demand."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

BOM = b"\xef\xbb\xbf"


class Span(NamedTuple):
    """A half-open range of byte offsets, `start <= end`."""

    start: int
    end: int


class SourceFile:
    """The bytes of one file. They are never decoded: offsets are bytes, columns are bytes."""

    __slots__ = ("_lines", "data", "path")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self._lines: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offsets at which lines start; a line ends with its LF (a CR before it belongs to it)."""
        if self._lines is None:
            starts = [0]
            find, at = self.data.find, 0
            while (at := find(b"\n", at) + 1) > 0:
                starts.append(at)
            self._lines = starts
        return self._lines

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both counted from 1, the column in bytes."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_span(self, offset: int) -> Span:
        """The line that holds `offset`, its line ending included."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return Span(starts[line - 1], starts[line] if line < len(starts) else len(self.data))

    @property
    def newline(self) -> bytes:
        """The line ending that an inserted line must use: that of the first line."""
        at = self.data.find(b"\n")
        return b"\r\n" if at > 0 and self.data[at - 1 : at] == b"\r" else b"\n"
