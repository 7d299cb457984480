"""Line maps and differences follow from edits, and agree with what the edits do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify.edits import Edit, apply_edits, ordered, wrap
from hipify.source import SourceFile
from hipify.tree.lines import Change, LineMap, changes, line_map, split_lines, unified_diff


def made(data: bytes, *edits: Edit) -> list[Change]:
    return list(changes(SourceFile("a.cu", data), ordered(data, edits)))


def test_a_change_is_whole_lines() -> None:
    assert made(b"ab\ncd\nef\n", Edit(3, 4, b"X")) == [Change(1, 2, (b"Xd\n",))]


def test_edits_of_one_line_are_one_change() -> None:
    assert made(b"abc\n", Edit(0, 1, b"X"), Edit(2, 3, b"Y")) == [Change(0, 1, (b"XbY\n",))]


def test_an_inserted_line_changes_no_other() -> None:
    assert made(b"a\nb\n", Edit(2, 2, b"new\n")) == [Change(1, 1, (b"new\n",))]


def test_a_removed_line_changes_no_other() -> None:
    assert made(b"a\nb\nc\n", Edit(2, 4, b"")) == [Change(1, 2, ())]


def test_an_edit_that_changes_nothing_is_none() -> None:
    assert made(b"a\nb\n", Edit(0, 1, b"a")) == []


def test_wraps_that_share_an_edge_survive_the_move() -> None:
    edits = [*wrap(4, 6, b"(", b")"), *wrap(4, 5, b"[", b"]")]
    assert made(b"ab\n cd\n", *edits) == [Change(1, 2, (b" ([c]d)\n",))]


def test_lines_map_back_through_insertions_and_removals() -> None:
    data = b"1\n2\n3\n4\n5\n"
    edits = [Edit(0, 0, b"new\n"), Edit(4, 6, b""), Edit(8, 9, b"V\nW")]
    output = split_lines(apply_edits(data, edits))
    lines = line_map(made(data, *edits))
    origin = [(line, lines.source_line(at)) for at, line in enumerate(output, 1)]
    assert origin == [
        (b"new\n", 1),
        (b"1\n", 1),
        (b"2\n", 2),
        (b"4\n", 4),
        (b"V\n", 5),
        (b"W\n", 5),
    ]


def test_a_map_of_no_changes_is_the_identity() -> None:
    assert [LineMap().source_line(line) for line in (1, 2, 99)] == [1, 2, 99]
    assert line_map([]) == LineMap()


TEXTS = st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"\xff", b"cuda"]), max_size=24).map(
    b"".join
)


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    """A text and edits of it that do not overlap."""
    data = draw(TEXTS)
    places = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    edits, reach = [], 0
    for start, end in zip(places[::2], places[1::2], strict=False):
        if start >= reach:
            edits.append(Edit(start, end, draw(TEXTS)))
            reach = end + 1
    return data, edits


@given(edited())
def test_changes_rebuild_the_output(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    lines, out, at = split_lines(data), [], 0
    for start, end, new in made(data, *edits):
        assert at <= start <= end <= len(lines)
        out += [*lines[at:start], *new]
        at = end
    assert b"".join(out + lines[at:]) == apply_edits(data, edits)


@given(edited())
def test_every_unchanged_line_maps_to_itself(case: tuple[bytes, list[Edit]]) -> None:
    data, edits = case
    found = made(data, *edits)
    lines, at, shift = line_map(found), 0, 0
    count = len(split_lines(data))
    for start, end, new in [*found, Change(count, count, ())]:
        for line in range(at, start):
            assert lines.source_line(line + shift + 1) == line + 1
        for number in range(len(new)):
            assert start + 1 <= lines.source_line(start + shift + number + 1) <= max(end, start + 1)
        at, shift = end, shift + len(new) - (end - start)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(max_examples=30)  # git takes its time
@given(edited())
def test_git_applies_the_difference(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[bytes, list[Edit]]
) -> None:
    data, edits = case
    found = made(data, *edits)
    if not found:
        return
    root: Path = tmp_path_factory.mktemp("diff")
    (root / "a.cu").write_bytes(data)
    diff = unified_diff(b"a.cu", b"a.cu", data, found)
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"],
        cwd=root,
        input=diff,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, (done.stderr, diff)
    assert (root / "a.cu").read_bytes() == apply_edits(data, edits)
    shutil.rmtree(root)


def test_neighbouring_changes_show_all_old_lines_first() -> None:
    data = b"a\nb\nc\n"
    diff = unified_diff(b"x", b"y", data, made(data, Edit(0, 1, b"A"), Edit(2, 3, b"B")))
    assert diff == b"--- a/x\n+++ b/y\n@@ -1,3 +1,3 @@\n-a\n-b\n+A\n+B\n c\n"


def test_far_changes_are_hunks_of_their_own_and_a_missing_newline_is_said() -> None:
    data = b"".join(b"%d\n" % n for n in range(20)) + b"end"
    diff = unified_diff(b"x", b"x", data, made(data, Edit(0, 1, b"A\nB"), Edit(50, 53, b"END")))
    assert diff.count(b"@@ -") == 2
    assert b"@@ -1,4 +1,5 @@\n-0\n+A\n+B\n 1\n" in diff
    assert diff.endswith(
        b"-end\n\\ No newline at end of file\n+END\n\\ No newline at end of file\n"
    )
