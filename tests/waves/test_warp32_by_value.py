"""warp32.hpp by value: on a simulated wave of the host, and compiled for real targets."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
INCLUDE = HERE.parent.parent / "hipify" / "support" / "include"


@pytest.fixture(scope="module")
def by_value(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs a C++ compiler for the host: c++, g++ or clang++")
    program = tmp_path_factory.mktemp("waves") / "by_value"
    sources = [f"-I{INCLUDE}", f"-I{HERE}", str(HERE / "warp32_by_value.cpp"), "-o", str(program)]
    subprocess.run([compiler, "-std=c++17", "-O1", *sources], check=True)
    return program


@pytest.mark.parametrize("wave_size", [64, 32])
def test_each_function_gives_what_cuda_defines(by_value: Path, wave_size: int) -> None:
    done = subprocess.run(
        [by_value, str(wave_size), "100"], capture_output=True, text=True, check=False
    )
    checks = int(done.stdout.splitlines()[-1].split()[0]) if done.stdout else 0
    assert done.returncode == 0, done.stdout
    assert checks > 50_000
