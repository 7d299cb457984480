"""The statements of the value and compile tests are PTX: NVIDIA's own assembler takes them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ptx.test_compiles import device_source, value_source

pytestmark = pytest.mark.toolchain
ARCH = "sm_100"


def _cuda_value_source() -> str:
    return value_source().replace(
        "#include <hip/hip_runtime.h>", "#include <cuda_runtime.h>\n#include <string.h>"
    )


@pytest.mark.parametrize("source", [device_source, _cuda_value_source])
def test_nvcc_takes_the_statements(tmp_path: Path, source: Callable[[], str]) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc on PATH")
    known = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=False)
    if ARCH not in known.stdout.split():
        pytest.skip(f"this nvcc does not know {ARCH}, which has the newest instructions")
    path = tmp_path / "statements.cu"
    path.write_text(source())
    command = [
        nvcc,
        "-std=c++17",
        f"-arch={ARCH}a",
        "-w",
        "-c",
        str(path),
        "-o",
        str(tmp_path / "o"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[:3000]
