"""Progress and summary: a bar on a terminal, plain lines elsewhere, silence where asked."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from hipify.console import Console, plural
from hipify.finding import Severity
from hipify.tree import FileResult, Outcome, PlacedFinding, Summary


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Time that passes as told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return clock


ODD = PlacedFinding(3, 7, Severity.WARNING, "odd", "a[0] is [odd] :smile:", "make it even")


def result(name: str, *findings: PlacedFinding) -> FileResult:
    return FileResult(Path(name), name, Outcome.TRANSLATED, translation=Summary(findings))


def run(stream: io.StringIO, clock: Clock, seconds: float, quiet: bool = False) -> str:
    """Ten files, each of which takes some time, the last with a finding."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        console = Console(quiet=quiet)
    console.start(10)
    for number in range(10):
        clock.now += seconds
        console.result(result(f"{number}.cu", *([ODD] if number == 8 else [])))
    console.summary()
    return stream.getvalue()


def test_a_slow_run_on_a_terminal_has_a_bar_that_goes_away(clock: Clock) -> None:
    told = run(Terminal(), clock, 0.2)
    assert "4/10" in told
    assert "3.cu" in told
    assert "\x1b[1m8.cu:3:7:\x1b[0m \x1b[1;35mwarning:\x1b[0m a[0] is [odd] :smile: [odd]" in told
    assert "\n  help: make it even\n" in told
    assert told.endswith("hipify: 10 files, 10 changed in 0 places, 1 warning, 2.0 s\n")
    assert "\x1b[2K" in told, "the bar is erased"


def test_a_quick_run_has_none(clock: Clock) -> None:
    told = run(Terminal(), clock, 0.01)
    assert "/10" not in told
    assert told.count("\n") == 3


def test_without_a_terminal_there_is_a_line_now_and_then(clock: Clock) -> None:
    told = run(io.StringIO(), clock, 2.0)
    assert told.splitlines() == [
        *("hipify: 3 of 10 files", "hipify: 6 of 10 files"),
        *("8.cu:3:7: warning: a[0] is [odd] :smile: [odd]", "  help: make it even"),
        "hipify: 9 of 10 files",
        "hipify: 10 files, 10 changed in 0 places, 1 warning, 20.0 s",
    ]


def test_quiet_is_quiet(clock: Clock) -> None:
    assert run(Terminal(), clock, 2.0, quiet=True) == ""


def test_failures_and_their_traces(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    failed = FileResult(Path("a"), "a", Outcome.FAILED, error="no luck", trace="Traceback: x\n")
    console = Console(quiet=True)
    console.result(failed)
    assert capsys.readouterr().err == "a: error: no luck\n"
    console.result(failed, debug=True)
    assert capsys.readouterr().err == "a: error: no luck\nTraceback: x\n"
    assert console.tally.failed == 2


def test_plurals() -> None:
    assert [plural(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
