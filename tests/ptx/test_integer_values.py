"""Translations of integer instructions compute what the PTX ISA defines, run on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ptx.cases_integer import all_cases
from tests.ptx.harness import Case, inputs_of, run

pytestmark = pytest.mark.toolchain
VECTORS = 150


@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
def test_integer_instructions_give_the_defined_bits(
    clang: Path, tmp_path: Path, signed: bool
) -> None:
    cases = all_cases()
    rows = [
        (number, *given) for number, case in enumerate(cases) for given in inputs_of(case, VECTORS)
    ]
    made = run(clang, cases, signed, rows, tmp_path)
    wrong: dict[str, str] = {}
    for (number, *given), results in zip(rows, made, strict=True):
        case = cases[number]
        wanted = _as_tuple(case, given)
        if results[: len(wanted)] != wanted:
            told = f"{[hex(x) for x in given]} gives {[hex(x) for x in results]}, not {wanted}"
            wrong.setdefault(case.text, told)
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong}"


def _as_tuple(case: Case, given: list[int]) -> tuple[int, ...]:
    wanted = case.reference(*given)
    return wanted if isinstance(wanted, tuple) else (wanted,)
