"""Every program of the corpus is ported with no edit by hand and built by the real compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.targets.amd import amd_targets
from hipify.toolchain.model import Toolchain
from tests.corpus.port import port
from tests.corpus.programs import Program, programs

pytestmark = pytest.mark.toolchain

TARGETS = amd_targets("gfx90a,gfx942,gfx1100")


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_a_program_is_built_for_every_target(
    program: Program, toolchain: Toolchain, tmp_path: Path
) -> None:
    outcome = port(program, TARGETS, toolchain, tmp_path)
    assert outcome.ok, (outcome.verdicts, outcome.messages)
    assert outcome.errors == 0
