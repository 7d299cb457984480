"""The whole corpus: ported with no edit by hand, built, right on waves of 64 and of 32 lanes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.targets.amd import amd_targets
from hipify.toolchain.model import Toolchain
from tests.corpus.port import NOT_EMULATED, port, run_emulated
from tests.corpus.programs import Program, programs

pytestmark = pytest.mark.toolchain

TARGETS = amd_targets("gfx90a,gfx942,gfx1100")


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_a_program_is_built_and_right(
    program: Program, toolchain: Toolchain, tmp_path: Path
) -> None:
    outcome = port(program, TARGETS, toolchain, tmp_path)
    assert outcome.ok, (outcome.verdicts, outcome.messages)
    assert outcome.errors == 0
    if not program.needs_library:
        words = run_emulated(outcome, ["gfx90a", "gfx1100"], timeout=120)
        lacking = NOT_EMULATED if program.name == "texture-objects" else "ok"
        assert set(words.values()) == {lacking}, words
