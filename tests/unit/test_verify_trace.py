import shutil
from pathlib import Path

import pytest

from hipify.toolchain.call import call
from hipify.verify.trace import (
    Divergence,
    Event,
    first_divergence,
    read_trace,
    report_lines,
    source_line,
)

COPY = Event("copy", "to device, 16 bytes, 00aa", 0, ("0:16:00aa",))
LAUNCH = Event("launch", "_Z1kPf grid 1 1 1 block 32 1 1 shared 0", 0, ("0:16:00bb",))
BACK = Event("copy", "to host, 16 bytes, 00bb", 0)


def test_equal_traces() -> None:
    assert first_divergence([COPY, LAUNCH, BACK], [COPY, LAUNCH, BACK]) is None
    assert report_lines(None, 3, [None, None]) == ["trace: the same 3 launches, copies and fills"]


def test_addresses_do_not_count() -> None:
    moved = Event(COPY.name, COPY.detail, COPY.status, COPY.changed, (0x1234,))
    assert COPY.same_as(moved)


@pytest.mark.parametrize(
    ("port", "number", "why"),
    [
        ([COPY, Event("launch", LAUNCH.detail, 0, ("0:16:00cc",)), BACK], 2, "buffer 0 (16 bytes)"),
        ([LAUNCH, BACK], 1, "different calls"),
        ([COPY, Event("launch", "_Z1kPf grid 2 1 1", 0), BACK], 2, "ask for different things"),
        ([COPY, LAUNCH, Event("copy", BACK.detail, 1)], 3, "status 0 and 1"),
        ([COPY, LAUNCH], 3, "only the original"),
        ([COPY, LAUNCH, BACK, COPY], 4, "only the port"),
    ],
)
def test_the_first_call_that_differs(port: list[Event], number: int, why: str) -> None:
    divergence = first_divergence([COPY, LAUNCH, BACK], port)
    assert divergence is not None
    assert divergence.number == number
    assert why in divergence.why


def test_the_report_names_both_lines() -> None:
    other = Event("launch", LAUNCH.detail, 0, ("0:16:00cc",))
    lines = report_lines(Divergence(2, LAUNCH, other), 3, [("a.cu", 7), ("a.hip", 9)])
    assert lines[1].startswith("  original  a.cu:7: launch _Z1kPf")
    assert lines[2].startswith("  port      a.hip:9: launch _Z1kPf")


def test_traces_are_read_up_to_a_line_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("copy\tto host, 4 bytes, 1\t0\t0:4:1 2:8:3 \t1f 2a \nlaunch\t_Z1")
    (event,) = read_trace(path)
    assert event == Event("copy", "to host, 4 bytes, 1", 0, ("0:4:1", "2:8:3"), (0x1F, 0x2A))
    assert read_trace(tmp_path / "missing.txt") == []


@pytest.mark.skipif(
    not (shutil.which("g++") and shutil.which("addr2line") and shutil.which("nm")),
    reason="needs g++, addr2line and nm",
)
def test_addresses_lead_to_lines_of_the_users_files(tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(
        "int twice(int x) {\n  return 2 * x;\n}\nint main() {\n  return twice(0);\n}\n"
    )
    program = tmp_path / "program"
    call(["g++", "-g", "-O0", source, "-o", program])
    symbols = {
        line.split()[-1]: int(line.split()[0], 16)
        for line in call(["nm", program]).stdout.splitlines()
        if len(line.split()) == 3
    }
    event = Event("copy", "", 0, (), (symbols["_Z5twicei"] + 8,))
    file, line = source_line(event, program, lambda f, n: None, tmp_path) or ("", 0)
    assert (Path(file).name, line) == ("main.cpp", 2)
    assert source_line(event, program, lambda f, n: ("cuda.cu", n + 10), tmp_path) == (
        "cuda.cu",
        12,
    )
    assert source_line(event, program, lambda f, n: None, tmp_path / "elsewhere") is None
    launch = Event("launch", "_Z5twicei grid", 0, (), event.frames)
    assert (
        source_line(launch, program, lambda f, n: None, tmp_path) is None
    )  # the kernel's own stub
