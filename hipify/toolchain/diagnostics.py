"""What a compiler said, taken apart, and each place led back to the CUDA line it came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

PLACE = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<kind>fatal error|error|warning|note|remark): (?P<text>.*)"
)
WITHOUT_PLACE = re.compile(
    r"(?:[\w.+-]*(?:clang|lld|ld)[\w.+-]*: )?(?P<kind>error|warning): (?P<text>.*)"
)
GNU_LD = re.compile(
    r"(?:\S*/)?ld(?:\.\w+)?: (?P<text>.*(?:undefined reference|cannot find|multiple definition).*)"
)
COUNTS = r"\d+ (?:warning|error)s?(?: and \d+ errors?)? generated"
SUMMARY = re.compile(COUNTS + r" when compiling for (?P<side>[\w:+-]+)\.")
PLAIN_SUMMARY = re.compile(COUNTS + r"\.")
FLAG = re.compile(r"\s*\[(-W[^\]]+)\]$")

Origin = Callable[[str, int], tuple[str, int] | None]
"""From a compiled file and line to the source it was translated from; None when it was not."""


@dataclass(frozen=True)
class Diagnostic:
    """One message. `source` and `source_line` name the CUDA code where there is such.

    `sides` are the architectures and `host` for which it was given; `line` counts from 1 and is 0
    for a message without a place.
    """

    kind: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    flag: str = ""
    source: str = ""
    source_line: int = 0
    sides: tuple[str, ...] = ()
    notes: tuple[Diagnostic, ...] = field(default=())

    @property
    def is_error(self) -> bool:
        """Whether it stops the compilation."""
        return "error" in self.kind


@dataclass(frozen=True)
class Output:
    """The diagnostics of one run of the compiler and the sides whose compilation had errors."""

    diagnostics: tuple[Diagnostic, ...]
    failed_sides: tuple[str, ...]


def parse_output(text: str) -> Output:
    """The diagnostics in what clang and its linker wrote, notes with the message they explain."""
    found: list[Diagnostic] = []
    failed: list[str] = []
    pending = 0
    for line in text.splitlines():
        summary = SUMMARY.fullmatch(line)
        if summary or PLAIN_SUMMARY.fullmatch(line):
            side = (summary["side"] if summary else "host",)
            if "error" in line:
                failed += side
            found[pending:] = [replace(item, sides=side) for item in found[pending:]]
            pending = len(found)
            continue
        item = _diagnostic(line)
        if item is None:
            continue
        if item.kind == "note" and len(found) > pending:
            found[-1] = replace(found[-1], notes=(*found[-1].notes, item))
        elif item.kind != "remark":
            found.append(item)
    return Output(tuple(found), tuple(dict.fromkeys(failed)))


def _diagnostic(line: str) -> Diagnostic | None:
    match = PLACE.fullmatch(line)
    if match:
        text, flag = _split_flag(match["text"])
        place = match["file"], int(match["line"]), int(match["column"])
        return Diagnostic(match["kind"], text, *place, flag)
    match = GNU_LD.fullmatch(line)
    if match:
        return Diagnostic("error", match["text"])
    match = WITHOUT_PLACE.fullmatch(line)
    if match and "linker command failed" not in line:
        text, flag = _split_flag(match["text"])
        return Diagnostic(match["kind"], text, flag=flag)
    return None


def _split_flag(text: str) -> tuple[str, str]:
    match = FLAG.search(text)
    return (text[: match.start()], match[1]) if match else (text, "")


def merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Equal messages once, with all the sides that they were given for, in order of first sight."""
    found: dict[Diagnostic, Diagnostic] = {}
    for item in diagnostics:
        key = replace(item, sides=(), notes=())
        if key in found:
            sides = tuple(dict.fromkeys((*found[key].sides, *item.sides)))
            found[key] = replace(found[key], sides=sides)
        else:
            found[key] = item
    return list(found.values())


def located(diagnostic: Diagnostic, origin: Origin) -> Diagnostic:
    """The diagnostic and its notes with the CUDA lines that they lead back to."""
    notes = tuple(located(note, origin) for note in diagnostic.notes)
    place = origin(diagnostic.file, diagnostic.line) if diagnostic.file else None
    if place is None:
        return replace(diagnostic, notes=notes)
    return replace(diagnostic, notes=notes, source=place[0], source_line=place[1])
