"""Edits: order-independent, merged when identical, nested when wrapped, refused on overlap."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.edits import Edit, apply_edits, copy_to, replace_all, wrap
from hipify.errors import EditConflictError
from hipify.source import Span


def test_order_does_not_matter() -> None:
    edits = [Edit(0, 1, b"X"), Edit(2, 2, b"-"), Edit(3, 5, b"")]
    results = {apply_edits(b"abcdef", order) for order in itertools.permutations(edits)}
    assert results == {b"Xb-cf"}


def test_identical_edits_merge() -> None:
    assert apply_edits(b"abc", [Edit(1, 2, b"X"), Edit(1, 2, b"X")]) == b"aXc"


@pytest.mark.parametrize("other", [Edit(0, 3, b"Z"), Edit(1, 2, b"Y"), Edit(2, 4, b"")])
def test_different_edits_that_overlap_are_refused(other: Edit) -> None:
    with pytest.raises(EditConflictError, match="overlap"):
        apply_edits(b"abcdef", [Edit(1, 3, b"X"), other])


def test_wraps_that_share_edges_nest() -> None:
    data = b"f(x, y)"
    edits = [*wrap(2, 3, b"<", b">"), *wrap(2, 6, b"[", b"]"), *wrap(5, 6, b"{", b"}")]
    expected = b"f([<x>, {y}])"
    assert {apply_edits(data, order) for order in itertools.permutations(edits)} == {expected}


def test_a_wrap_goes_around_a_rename() -> None:
    assert apply_edits(b"f(x)", [Edit(2, 3, b"y"), *wrap(2, 3, b"S(", b")")]) == b"f(S(y))"


def test_a_replacement_swallows_what_is_inside() -> None:
    edits = [replace_all(2, 5, b"null"), Edit(3, 4, b"Z"), *wrap(2, 5, b"(", b")")]
    assert apply_edits(b"f(abc)", edits) == b"f(null)"


def test_moved_text_carries_its_own_edits() -> None:
    data = b"f(aa, bb, cc)"
    edits = [
        Edit(2, 4, b"A"),
        Edit(6, 8, b"B"),
        copy_to(12, Span(2, 4), b", "),
        replace_all(2, 6, b""),
        copy_to(12, Span(6, 8), b", "),
        replace_all(6, 10, b""),
    ]
    assert apply_edits(data, edits) == b"f(cc, A, B)"


def test_swapped_pairs() -> None:
    data = b"f(a, b)"
    edits = [
        copy_to(5, Span(2, 3), b"", b", "),
        replace_all(2, 5, b""),
        copy_to(2, Span(5, 6), b"", b", "),
        replace_all(3, 6, b""),
    ]
    with pytest.raises(EditConflictError):
        apply_edits(data, edits)


@given(st.binary(max_size=40), st.data())
def test_bytes_outside_edits_survive(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8)))
    spans = list(itertools.pairwise(cuts))[::2]
    edits = [Edit(a, b, b"#") for a, b in spans if a < b]
    expected, at = b"", 0
    for a, b in sorted({(e.start, e.end) for e in edits}):
        expected += data[at:a] + b"#"
        at = b
    assert apply_edits(data, edits) == expected + data[at:]
