"""Whole files, translated by both engines: the same bytes, and a second run changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes
from tests.clang_engine import engines

_HERE = Path(__file__).parent
_CASES = sorted(path.parent.name for path in _HERE.glob("*/case.cu"))
_ONLY_CLANG_KNOWS = {
    "own-names-unqualified": "names of the user's own, used without a scope in their own scope, "
    "can be told from CUDA's by look-up only",
}
"""Cases for which the tokens cannot give the right answer, and why."""


def _options(case: str) -> Options:
    path = _HERE / case / "options.yaml"
    chosen: dict[str, Any] = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
    return Options(**chosen)


def _translated(case: str, translate: Any, data: bytes | None = None) -> Translation:
    path = _HERE / case / "case.cu"
    result: Translation = translate(
        path.read_bytes() if data is None else data, _options(case), str(path)
    )
    return result


@pytest.mark.parametrize("case", _CASES)
def test_the_tokens_give_the_expected_bytes_and_a_second_run_changes_nothing(case: str) -> None:
    expected = (_HERE / case / "case.hip").read_bytes()
    if case in _ONLY_CLANG_KNOWS:
        assert _translated(case, translate_bytes).data != expected, (
            "no exception is needed any more"
        )
        return
    assert _translated(case, translate_bytes).data == expected
    assert _translated(case, translate_bytes, expected).data == expected


@pytest.mark.parametrize("case", _CASES)
@pytest.mark.parametrize("headers", ["real", "stubs"])
def test_clang_gives_the_same_bytes(case: str, headers: str, clang_cache: Path) -> None:
    translation = _translated(case, engines(headers))
    assert translation.data == (_HERE / case / "case.hip").read_bytes()
    assert translation.engine.startswith("ast-")


def test_exceptions_are_cases() -> None:
    assert set(_CASES) >= _ONLY_CLANG_KNOWS.keys()
