"""Translations of floating-point instructions compute what the PTX ISA defines, run on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ptx.cases_float import all_cases
from tests.ptx.harness import inputs_of, run
from tests.ptx.reference_float import FORMATS, is_nan

pytestmark = pytest.mark.toolchain
VECTORS = 120


def agree(made: int, wanted: int, type_: str, within: int) -> bool:
    """Whether bits agree: any NaN with any, approximations within some units in the last place."""
    if wanted == -1:  # outside the range in which the approximation is checked
        return True
    if type_.endswith("x2"):
        part = type_[:-2]
        bits = FORMATS[part].bits
        mask = (1 << bits) - 1
        return all(agree(made >> at & mask, wanted >> at & mask, part, within) for at in (0, bits))
    if made == wanted:
        return True
    if not type_:
        return False
    if is_nan(made, type_) or is_nan(wanted, type_):
        return is_nan(made, type_) and is_nan(wanted, type_)
    return abs(made - wanted) <= within


def test_floating_point_instructions_give_the_defined_bits(clang: Path, tmp_path: Path) -> None:
    cases = all_cases()
    rows = [
        (number, *given) for number, case in enumerate(cases) for given in inputs_of(case, VECTORS)
    ]
    made = run(clang, cases, False, rows, tmp_path)
    wrong: dict[str, str] = {}
    for (number, *given), results in zip(rows, made, strict=True):
        case = cases[number]
        wanted = case.reference(*given)
        assert isinstance(wanted, int)
        if not agree(results[0], wanted, case.floats, case.within):
            told = f"{[hex(x) for x in given]} gives {results[0]:#x}, not {wanted:#x}"
            wrong.setdefault(case.text, told)
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong}"
