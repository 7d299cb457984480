"""launch_bounds.hpp by value, as each kind of compiler sees it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parent.parent.parent / "hipify" / "support" / "include"


@pytest.mark.parametrize(
    ("macros", "values"),
    [
        # 64-lane waves, four execution units of at most eight waves
        ([], {(256, 4): 4, (64, 1): 1, (1024, 2): 8, (96, 3): 2, (1024, 32): 8, (128, 0): 1}),
        # 32-lane waves, at most sixteen
        (["__GFX11__"], {(256, 4): 8, (64, 1): 1, (1024, 2): 16, (96, 3): 3, (1024, 32): 16}),
        (["__CUDACC__"], {(256, 4): 4, (64, 1): 1, (1024, 2): 2, (1024, 32): 32}),
    ],
)
def test_blocks_become_waves(
    macros: list[str], values: dict[tuple[int, int], int], tmp_path: Path
) -> None:
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs a C++ compiler for the host: c++, g++ or clang++")
    source = tmp_path / "values.cpp"
    checks = "".join(
        f'static_assert(hipify::min_waves_per_eu({threads}, {blocks}) == {waves}, "");\n'
        for (threads, blocks), waves in values.items()
    )
    source.write_text('#include "hipify/launch_bounds.hpp"\n' + checks)
    defined = [f"-D{macro}" for macro in macros]
    command = [compiler, "-std=c++11", "-fsyntax-only", *defined, f"-I{INCLUDE}", str(source)]
    subprocess.run(command, check=True)
