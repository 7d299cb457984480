"""Translations compute what the PTX ISA defines as code of real AMD targets, run on the emulator.

The host's run (test_integer_values, test_float_values) checks all cases against stand-ins for HIP's
functions; this one takes a part of them through HIP's own headers and the compiler's code for waves
of 64 and of 32 lanes.
"""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from hipify.emulator.build import build_runtime
from hipify.emulator.errors import EmulatorError
from hipify.emulator.run import run_program
from hipify.emulator.tools import Tools, find_tools
from hipify.finding import Severity
from hipify.pipeline import translate_bytes
from hipify.toolchain.model import Toolchain
from tests.ptx import cases_float, cases_integer
from tests.ptx.harness import SUPPORT, Case, inputs_of, program
from tests.ptx.test_float_values import agree

pytestmark = pytest.mark.toolchain
LANES = 64
STEP = 5


@pytest.fixture(scope="module")
def tools(toolchain: Toolchain) -> Tools:
    """The emulator's tools; skips with the reason where they are missing."""
    for root in (toolchain.root, None):
        try:
            return find_tools(root)
        except EmulatorError as error:
            reason = str(error)
    pytest.skip(f"the emulator cannot run: {reason}")


def _source(cases: list[Case]) -> str:
    """A program that runs each case in a kernel of its own, one lane a row of the input."""
    text = program(cases, signed=True).split("typedef void")[0]
    text = text.replace("__device__ void case_", "static __device__ void case_")
    parts = [text]
    for number in range(len(cases)):
        parts.append(
            f"__global__ void kernel_{number}(const unsigned long long *in, unsigned long long *out) {{\n"
            f"  case_{number}(in + threadIdx.x * 8, out + threadIdx.x * 4);\n}}"
        )
    launches = "\n".join(f"  RUN(kernel_{number});" for number in range(len(cases)))
    parts.append(_MAIN.replace("@LAUNCHES@", launches))
    return "\n".join(parts)


_MAIN = """
#define RUN(kernel)                                                   \\
  if (fread(given, sizeof given, 1, in) != 1) return 2;               \\
  (void)cudaMemcpy(d_in, given, sizeof given, cudaMemcpyHostToDevice);  \\
  (void)cudaMemset(d_out, 0, sizeof made);                            \\
  kernel<<<1, 64>>>(d_in, d_out);                                     \\
  if (cudaMemcpy(made, d_out, sizeof made, cudaMemcpyDeviceToHost)) return 3; \\
  fwrite(made, sizeof made, 1, out)
int main(int count, char **names) {
  static unsigned long long given[64 * 8], made[64 * 4];
  FILE *in = fopen(names[1], "rb"), *out = fopen(names[2], "wb");
  unsigned long long *d_in, *d_out;
  (void)cudaMalloc(&d_in, sizeof given);
  (void)cudaMalloc(&d_out, sizeof made);
@LAUNCHES@
  return fclose(out);
}
"""


def _cases(module: str) -> list[Case]:
    if module == "float":
        return cases_float.all_cases()[::2]
    cases = [case for case in cases_integer.all_cases() if not case.text.startswith("lop3")]
    return cases[::STEP]


@pytest.mark.parametrize("module", ["integer", "float"])
@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100"])
def test_code_for_amd_gpus_gives_the_defined_bits(
    toolchain: Toolchain, tools: Tools, tmp_path: Path, module: str, arch: str
) -> None:
    if arch not in toolchain.archs:
        pytest.skip(f"the compiler at {toolchain.root} does not know {arch}")
    cases = _cases(module)
    rows = [inputs_of(case, LANES)[:LANES] for case in cases]
    translation = translate_bytes(_source(cases).encode(), path="cases.cu")
    assert not [f for f in translation.findings if f.severity is Severity.ERROR]
    source, binary = tmp_path / "cases.hip", tmp_path / "cases"
    source.write_bytes(translation.data)
    command = [
        *(toolchain.clang, "-x", "hip", f"--offload-arch={arch}", "-O1", "-w", "--hip-link"),
        *(*toolchain.base_flags, f"-I{SUPPORT}", source, "-o", binary),
        *(f"-L{build_runtime(tools).folder}", *toolchain.link_flags),
    ]
    built = subprocess.run([str(w) for w in command], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[:3000]
    given = [row + (0,) * (8 - len(row)) for of_case in rows for row in of_case]
    (tmp_path / "in").write_bytes(b"".join(struct.pack("<8Q", *row) for row in given))
    result = run_program(
        binary, arch, [str(tmp_path / "in"), str(tmp_path / "out")], timeout=300, tools=tools
    )
    assert result.returncode == 0, result.stderr[-2000:]
    _compare(cases, rows, (tmp_path / "out").read_bytes())


def _compare(cases: list[Case], rows: list[list[tuple[int, ...]]], made: bytes) -> None:
    wrong: dict[str, str] = {}
    at = 0
    for case, of_case in zip(cases, rows, strict=True):
        for given in of_case:
            results = struct.unpack_from("<4Q", made, at)
            at += 32
            wanted = case.reference(*given)
            words = wanted if isinstance(wanted, tuple) else (wanted,)
            if not all(
                agree(result, word, case.floats, case.within)
                for result, word in zip(results, words, strict=False)
            ):
                told = f"{[hex(x) for x in given]} gives {[hex(x) for x in results]}, not {words}"
                wrong.setdefault(case.text, told)
    assert at == len(made)
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong}"
