import re

import pytest

from hipify.mapping import Database
from hipify.verify.compare import DEFAULT_IGNORED, Rules, compare_texts
from hipify.verify.names import Counterparts
from hipify.verify.numbers import Tolerance

EXACT = Rules()
IGNORING = Rules(ignored=tuple(re.compile(pattern) for pattern in DEFAULT_IGNORED))


def same(left: str, right: str, rules: Rules = EXACT) -> bool:
    return compare_texts(left, right, rules).same


def test_the_same_text_is_the_same() -> None:
    result = compare_texts("a 1\nb\n", "a 1\nb\n", Rules())
    assert result.same
    assert result.lines == 2


def test_a_number_that_differs_is_told_with_its_line() -> None:
    result = compare_texts("sum 10\nmax 3.5\n", "sum 10\nmax 3.25\n", Rules())
    (difference,) = result.differences
    assert (difference.line, difference.other_line) == (2, 2)
    assert difference.text == "max 3.5"
    assert "3.5 and 3.25" in difference.why


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("error 1.0e-05", "error 1.00001e-05"),
        ("[1.0, 2.0]", "[1.00001,  2.0]"),
        ("x=-1.00000", "x=-1.00001"),
        ("value nan", "value nan"),
    ],
)
def test_numbers_within_the_tolerance(left: str, right: str) -> None:
    assert same(left, right, Rules(Tolerance(relative=1e-4)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("float4 1.0", "float3 1.0"),  # digits of a word are no number
        ("PASS", "FAIL"),
        ("1 2", "1 2 3"),
        ("value nan", "value 1.0"),
        ("x 1", "y 1"),
        ("0x10", "0x11"),
    ],
)
def test_no_tolerance_hides_other_differences(left: str, right: str) -> None:
    assert not same(left, right, Rules(Tolerance(relative=0.9, absolute=100.0, ulp=100)))


def test_the_worst_error_among_numbers_let_pass_is_told() -> None:
    result = compare_texts("1.0 2.0", "1.0 2.002", Rules(Tolerance(relative=0.01)))
    assert result.same
    assert result.worst == pytest.approx(0.000999, rel=1e-2)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Average kernel execution time: 3.25 (us)", "Average kernel execution time: 3.5 (us)"),
        ("kernel took 0.003 s", "kernel took 0.1 s"),
        ("copied at 12.5 GB/s", "copied at 11 GB/s"),
        ("buffer at 0x7f12aa003000", "buffer at 0x7fedab005000"),
        ("Elapsed: 5", "Elapsed: 6"),
        ("1.2 GFLOPS", "1.3 GFLOPS"),
    ],
)
def test_times_rates_and_addresses_are_ignored(left: str, right: str) -> None:
    assert not same(left, right)
    assert same(left, right, IGNORING)


@pytest.mark.parametrize(
    ("left", "right"),
    [("sum 5", "sum 6"), ("5 samples", "6 samples"), ("mask 0xff", "mask 0xfe"), ("3 mm", "4 mm")],
)
def test_results_are_not_taken_for_times(left: str, right: str) -> None:
    assert not same(left, right, IGNORING)


def test_what_is_ignored_is_counted() -> None:
    assert compare_texts("t 1 ms\nt 2 ms", "t 3 ms\nt 2 ms", IGNORING).ignored == 2


def test_a_missing_line_moves_no_others() -> None:
    result = compare_texts("a\nb 1\nc\n", "a\nc\n", Rules())
    (difference,) = result.differences
    assert difference.text == "b 1"
    assert (difference.line, difference.other_line) == (2, 0)
    assert "lacks" in difference.why


def test_a_line_of_the_port_only() -> None:
    (difference,) = compare_texts("a\n", "a\nwarning\n", Rules()).differences
    assert (difference.line, difference.other_line) == (0, 2)


@pytest.mark.parametrize(
    ("cuda", "hip", "alike"),
    [
        ("cudaErrorInvalidValue", "hipErrorInvalidValue", True),
        ("CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue", True),
        ("cudaErrorInvalidValue", "hipErrorOutOfMemory", False),
        ("cudaErrorInvalidValue", "hello", False),
        ("CUDA_ERROR_INVALID_VALUE", "cudaErrorInvalidValue", True),
    ],
)
def test_names_of_both_apis_mean_the_same(cuda: str, hip: str, alike: bool) -> None:
    rules = Rules(same_name=Counterparts(Database.load()))
    assert same(f"failed: {cuda}", f"failed: {hip}", rules) is alike
