"""Where a port begins to do something else than its original, call by call.

Both programs record each launch, copy and fill, with a checksum of every buffer that it changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from hipify.toolchain.call import call

SOURCE = Path(__file__).resolve().parent / "cupti" / "trace.cpp"

Origin = Callable[[str, int], tuple[str, int] | None]
"""From a compiled file and line to the user's; None for a file that was not translated."""

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?: \(discriminator \d+\))?")
_STUB = re.compile(r"__device_stub__|__wrapper__device_stub")


@dataclass(frozen=True)
class Event:
    """One call. `changed` tells the buffers that it changed as `number:bytes:checksum`.

    `frames` are return addresses as offsets into the program, innermost first.
    """

    name: str
    detail: str
    status: int
    changed: tuple[str, ...] = ()
    frames: tuple[int, ...] = ()

    @property
    def kernel(self) -> str:
        """The symbol of the kernel that a launch starts; empty for other calls."""
        return self.detail.split(" ")[0] if self.name == "launch" else ""

    def same_as(self, other: Event) -> bool:
        """Whether both did the same to the same effect."""
        mine = (self.name, self.detail, self.status, self.changed)
        return mine == (other.name, other.detail, other.status, other.changed)


@dataclass(frozen=True)
class Divergence:
    """The first event that differs; None for a side that had ended. `number` counts from 1."""

    number: int
    original: Event | None
    port: Event | None

    @property
    def why(self) -> str:
        """What differs, in words."""
        a, b = self.original, self.port
        if a is None or b is None:
            return f"only the {'port' if a is None else 'original'} makes this call"
        if a.name != b.name:
            return "the programs make different calls"
        if a.detail != b.detail:
            return "they ask for different things, or copy different data"
        if a.status != b.status:
            return f"status {a.status} and {b.status}"
        return f"it leaves other data in {_buffers(a, b)}"


def _buffers(a: Event, b: Event) -> str:
    """The buffers whose contents differ after an event."""
    numbers: dict[str, str] = {}
    for one in sorted(set(a.changed) ^ set(b.changed)):
        number, size, _ = one.split(":")
        numbers[number] = f"buffer {number} ({size} bytes)"
    return ", ".join(numbers.values()) or "the GPU's memory"


def read_trace(path: Path) -> list[Event]:
    """The events in the order of the calls; none where nothing was written."""
    if not path.is_file():
        return []
    events = []
    for line in path.read_text("utf-8", "replace").splitlines():
        parts = line.split("\t")
        if len(parts) != 5:
            break  # the program ended in the middle of it
        name, detail, status, changed, frames = parts
        offsets = tuple(int(word, 16) for word in frames.split())
        events.append(Event(name, detail, int(status), tuple(changed.split()), offsets))
    return events


def first_divergence(original: Iterable[Event], port: Iterable[Event]) -> Divergence | None:
    """The first event that is not the same on both sides; None when all are."""
    for number, (a, b) in enumerate(zip_longest(original, port), 1):
        if a is None or b is None or not a.same_as(b):
            return Divergence(number, a, b)
    return None


def source_line(
    event: Event, program: Path, origin: Origin, inside: Path
) -> tuple[str, int] | None:
    """The user's file and line that made a call; None when it cannot be told.

    `inside` is the folder of the sources: frames of the CUDA runtime and of headers are passed
    over. Raises ToolchainError where there is no addr2line.
    """
    if not event.frames:
        return None
    words = ["addr2line", "-f", "-i", "-e", str(program), *(f"{at:#x}" for at in event.frames)]
    lines = call(words).stdout.splitlines()
    for function, place in zip(lines[::2], lines[1::2], strict=False):
        match = _PLACE.fullmatch(place)
        if match is None or _STUB.search(function) or (function == event.kernel != ""):
            continue
        file, line = match["file"], int(match["line"])
        found = origin(file, line)
        if found is not None:
            return found
        if Path(file).is_relative_to(inside):
            return file, line
    return None


def report_lines(
    divergence: Divergence | None, count: int, places: Sequence[tuple[str, int] | None]
) -> list[str]:
    """What the traces say, for people; `places` are the lines of the original and of the port."""
    if divergence is None:
        return [f"trace: the same {count} launches, copies and fills"]
    lines = [f"trace: call {divergence.number} is the first that differs: {divergence.why}"]
    sides = (("original", divergence.original), ("port", divergence.port))
    for (who, event), place in zip(sides, places, strict=True):
        where = f"{place[0]}:{place[1]}: " if place else ""
        what = "ends before it" if event is None else f"{event.name} {event.detail}"
        lines.append(f"  {who:<8}  {where}{what}")
    return lines
