"""What a run says on standard error: findings, failures, progress and a summary."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from hipify.finding import Severity
from hipify.tree.results import FileResult, Outcome, PlacedFinding

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_COLOURS = {Severity.NOTE: "36", Severity.WARNING: "35", Severity.ERROR: "31"}
_HEADERS = {
    "toolkit": "a toolkit's headers",
    "wheels": "headers from wheels",
    "stubs": "stand-ins for CUDA's headers",
}
_BAR_AFTER = 0.5
"""Seconds: a shorter run needs no progress."""
_SHOWN_LINES = 5
"""Lines that are named where one thing is to be said of many."""
_LINE_EVERY = 5.0
"""Seconds between lines of progress where there is no terminal."""


def wants_colour(stream: TextIO, choice: str = "auto") -> bool:
    """Whether to colour what goes to `stream`; `choice` is auto, always or never."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.name == "nt" and "WT_SESSION" not in os.environ:
        return False
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def plural(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _merged(
    findings: Iterable[PlacedFinding],
) -> list[tuple[PlacedFinding, list[int]]]:
    """Each finding once a file, with the further lines where the same is to be said."""
    merged: dict[tuple[object, ...], tuple[PlacedFinding, list[int]]] = {}
    for finding in findings:
        key = finding[2:]
        if key in merged:
            merged[key][1].append(finding.line)
        else:
            merged[key] = (finding, [])
    return list(merged.values())


def _further(lines: list[int]) -> str:
    """` (and on lines 4, 9 and 7 more)`, or nothing."""
    lines = list(dict.fromkeys(lines))
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:_SHOWN_LINES]))
    rest = f" and {len(lines) - _SHOWN_LINES} more" if len(lines) > _SHOWN_LINES else ""
    return f" (and on line{'s' if len(lines) > 1 else ''} {shown}{rest})"


class Tally:
    """What has come of the files so far."""

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.findings: Counter[Severity] = Counter()
        self.edits = 0
        self.support_headers: set[str] = set()
        self.engines: Counter[str] = Counter()
        self.doubtful = 0

    def add(self, result: FileResult) -> None:
        """Counts one file."""
        self.outcomes[result.outcome] += 1
        if result.translation is not None:
            self.findings.update(finding.severity for finding in result.translation.findings)
            self.edits += len(result.translation.edits)
            self.support_headers |= result.translation.support_headers
            self.engines[result.translation.engine] += 1
            self.doubtful += result.translation.doubtful

    @property
    def changed(self) -> int:
        """Files whose translation differs from the source."""
        return self.outcomes[Outcome.TRANSLATED]

    @property
    def failed(self) -> int:
        """Files without a result."""
        return self.outcomes[Outcome.FAILED]

    def worse_than(self, least: Severity | None) -> bool:
        """Whether there is a finding of severity `least` or more; None asks for none."""
        return least is not None and any(severity >= least for severity in self.findings)


class Console:
    """Writes for people: like a compiler, in colour on a terminal."""

    def __init__(self, quiet: bool = False, verbose: bool = False, colour: str = "auto") -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.tally = Tally()
        self._stream = sys.stderr
        self._colour = wants_colour(sys.stderr, colour)
        self._began = self._spoke = time.monotonic()
        self._total = self._done = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def start(self, total: int) -> None:
        """Says how many files there will be."""
        self._total = total

    def result(self, result: FileResult, debug: bool = False) -> None:
        """Tells of one file, and that one more is done."""
        self.tally.add(result)
        self._done += 1
        if result.error is not None:
            self.line(self._headline(result.name, Severity.ERROR, result.error))
            if result.trace is not None and debug:
                self.line(result.trace.rstrip())
        elif self.verbose:
            to = f" -> {result.output}" if result.output is not None else ""
            self.line(f"{result.name}: {result.outcome.value}{to}")
        if result.translation is not None:
            for finding, again in _merged(result.translation.findings):
                self._finding(result.name, finding, again)
        self._step(result.name)

    def line(self, text: str) -> None:
        """One line (or several) above the progress, if there is any."""
        if self._progress is not None:
            from rich.text import Text

            self._progress.console.print(Text.from_ansi(text), soft_wrap=True)
        else:
            self._stream.write(text + "\n")

    def finish(self) -> None:
        """Takes the progress away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def summary(self, *more: str) -> None:
        """The last line: files, changes, findings, seconds."""
        self.finish()
        if self.quiet:
            return
        tally, outcomes = self.tally, self.tally.outcomes
        translated = tally.changed + outcomes[Outcome.UNCHANGED]
        changed = f"{tally.changed} changed in {plural(tally.edits, 'place')}"
        parts = [plural(translated, "file"), changed]
        copied = outcomes[Outcome.COPIED] + outcomes[Outcome.LINKED]
        parts += [f"{copied} more copied"] * bool(copied)
        parts += [f"{tally.failed} failed"] * bool(tally.failed)
        counted = [
            plural(tally.findings[severity], severity.label)
            for severity in sorted(Severity, reverse=True)
            if tally.findings[severity]
        ]
        parts += counted or ["no findings"]
        for engine in sorted(tally.engines.keys() - {"text"}):
            level = engine.removeprefix("ast-")
            parts.append(f"{tally.engines[engine]} read by clang with {_HEADERS[level]}")
        if tally.engines.keys() - {"text"}:
            by_tokens = tally.engines["text"]
            parts += [f"{by_tokens} by tokens"] * bool(by_tokens)
            parts.append(plural(tally.doubtful, "uncertain name"))
        parts += [part for part in more if part]
        self.line(f"hipify: {', '.join(parts)}, {time.monotonic() - self._began:.1f} s")

    def _finding(self, name: str, finding: PlacedFinding, again: list[int]) -> None:
        """Tells of a finding and of the further lines that have the same one."""
        if self.quiet and finding.severity < Severity.ERROR:
            return
        place = f"{name}:{finding.line}:{finding.column}"
        message = f"{finding.message}{_further(again)} [{finding.rule}]"
        text = self._headline(place, finding.severity, message)
        self.line(f"{text}\n  help: {finding.remedy}" if finding.remedy else text)

    def _headline(self, place: str, severity: Severity, message: str) -> str:
        if not self._colour:
            return f"{place}: {severity.label}: {message}"
        colour = _COLOURS[severity]
        return f"\x1b[1m{place}:\x1b[0m \x1b[1;{colour}m{severity.label}:\x1b[0m {message}"

    def _step(self, name: str) -> None:
        """Progress: a bar on a terminal, else a line now and then."""
        now = time.monotonic()
        if self.quiet or self._total < 2:
            return
        if not self._stream.isatty():
            if now - self._spoke >= _LINE_EVERY:
                self._spoke = now
                self.line(f"hipify: {self._done} of {self._total} files")
            return
        if self._progress is None and now - self._began > _BAR_AFTER and self._done < self._total:
            self._open_bar()
        if self._progress is not None and self._task is not None and now - self._spoke > 0.05:
            self._spoke = now
            self._progress.update(self._task, completed=self._done, name=os.path.basename(name))  # noqa: PTH119
            self._progress.refresh()

    def _open_bar(self) -> None:
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        # No refreshing thread: worker processes are forked while there is one thread only.
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[name]}", markup=False),
            console=RichConsole(file=self._stream, highlight=False),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._progress.add_task("", total=self._total, name="")
        self._progress.start()
