"""Every translation compiles for waves of 64 and of 32 lanes, and in the host's pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.finding import Severity
from hipify.pipeline import translate_bytes
from hipify.toolchain.model import Toolchain
from tests.ptx import cases_float, cases_integer
from tests.ptx.device_statements import OLD_STATEMENTS, STATEMENTS
from tests.ptx.harness import SUPPORT, Case, program

pytestmark = pytest.mark.toolchain

_HEAD = """#include <cuda_runtime.h>
__device__ unsigned sink;
"""
_BODY = """
__global__ void statement_{number}(unsigned *p, unsigned s, unsigned *out) {{
  unsigned r = out[0], q = out[1], a = out[2], b = out[3];
  float f = out[4], g = out[5];
  unsigned long long l = out[6], m = out[7];
  double d = out[8];
  unsigned short h = out[9];
  {statement}
  out[0] = r + q + a + b + (unsigned)l + (unsigned)m + (unsigned)f + (unsigned)g + (unsigned)d + h;
}}
"""


def device_source(statements: tuple[str, ...] = STATEMENTS) -> str:
    """Every statement of device_statements in a kernel of its own, in CUDA."""
    return _HEAD + "".join(
        _BODY.format(number=number, statement=statement)
        for number, statement in enumerate(statements)
    )


def _all_device_source() -> str:
    return device_source(STATEMENTS + OLD_STATEMENTS)


def value_source() -> str:
    """All cases of the value tests, one of the tables of lop3 in sixteen."""
    cases: list[Case] = [
        case
        for number, case in enumerate([*cases_integer.all_cases(), *cases_float.all_cases()])
        if not case.text.startswith("lop3") or number % 16 == 0
    ]
    text = program(cases, signed=True).split("typedef void")[0]
    return text.replace("__device__ void", "__device__ __attribute__((used)) void")


def _translated(text: str) -> bytes:
    result = translate_bytes(text.encode(), path="statements.cu")
    errors = [found for found in result.findings if found.severity is Severity.ERROR]
    assert not errors, [
        (text.splitlines()[result.source.position(f.span.start)[0] - 1], f.message) for f in errors
    ]
    assert b"asm" not in result.data
    return result.data


@pytest.mark.parametrize("source", [_all_device_source, value_source])
@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100"])
def test_translations_compile(toolchain: Toolchain, tmp_path: Path, source, arch: str) -> None:  # type: ignore[no-untyped-def]
    if arch not in toolchain.archs:
        pytest.skip(f"the compiler at {toolchain.root} does not know {arch}")
    path = tmp_path / "statements.hip"
    path.write_bytes(_translated(source()))
    command = [
        *(toolchain.clang, "-x", "hip", f"--offload-arch={arch}", "-O1", "-c", "-Wall"),
        *("-Wno-unused-function", "-Wno-unused-but-set-variable", "-Wno-unused-variable"),
        *(*toolchain.base_flags, f"-I{SUPPORT}", path, "-o", tmp_path / "statements.o"),
    ]
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:6000]
    assert "warning" not in done.stderr, done.stderr[:3000]
