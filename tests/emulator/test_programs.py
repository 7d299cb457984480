"""Whole HIP programs on emulated wave64 and wave32 targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.emulator import EmulatorError, Tools, run_program

from .conftest import Build

pytestmark = pytest.mark.toolchain
ARCHITECTURES = ("gfx90a", "gfx1100")
PROGRAMS = Path(__file__).with_name("programs")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("program", sorted(path.stem for path in PROGRAMS.glob("*.hip")))
def test_program_checks_itself(build: Build, tools: Tools, arch: str, program: str) -> None:
    executable = build((PROGRAMS / f"{program}.hip").read_text(), arch)
    result = run_program(executable, arch, timeout=60, tools=tools)
    assert (result.returncode, result.stdout.splitlines()[-1:]) == (0, [b"PASS"]), (
        result.stdout + result.stderr
    )


@pytest.mark.parametrize("arch", ["gfx942", "gfx1030", "gfx950", "gfx1201"])
def test_other_targets(build: Build, tools: Tools, arch: str) -> None:
    executable = build((PROGRAMS / "basics.hip").read_text(), arch)
    result = run_program(executable, arch, timeout=60, tools=tools)
    assert result.stdout.splitlines()[-1:] == [b"PASS"], result.stdout + result.stderr


_BALLOT = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void count(int *out) {
  const unsigned votes = __ballot(threadIdx.x % 64 < 40);  // a mask of 32 lanes
  if ((threadIdx.x & 31) == 0) atomicAdd(out, __popc(votes));
}
int main() {
  int *out, result = 0;
  (void)hipMalloc(&out, 4);
  (void)hipMemset(out, 0, 4);
  count<<<1, 256>>>(out);
  (void)hipMemcpy(&result, out, 4, hipMemcpyDeviceToHost);
  printf("%d\\n", result);
}
"""


def test_wave_size_bug_shows(build: Build, tools: Tools) -> None:
    """A mask kept in 32 bits counts right on 32 lanes and wrong on 64."""
    counts = [
        int(run_program(build(_BALLOT, arch), arch, timeout=60, tools=tools).stdout)
        for arch in ARCHITECTURES
    ]
    assert counts == [256, 160]


_FAULT = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void write(int *p, long k) {
  p[k] = 1;  // MARK
}
int main() {
  int *p;
  (void)hipMalloc(&p, 4096);
  write<<<1, 1>>>(p, 1 << 20);
  const hipError_t e = hipDeviceSynchronize();
  printf("%s, then %s\\n", hipGetErrorName(e), hipGetErrorName(hipFree(p)));
}
"""


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_fault_names_kernel_and_line(build: Build, tools: Tools, arch: str) -> None:
    result = run_program(build(_FAULT, arch), arch, timeout=60, tools=tools)
    line = 1 + _FAULT.split("MARK", maxsplit=1)[0].count("\n")
    assert result.stdout.startswith(b"hipErrorIllegalAddress")
    assert f"{arch}.hip:{line}" in result.stderr.decode()
    assert "_Z5writePil" in result.stderr.decode()


def test_instruction_limit_ends_an_endless_kernel(build: Build, tools: Tools) -> None:
    source = _FAULT.replace("p[k] = 1;", "while (((volatile int *)p)[0] == 0) {}").replace(
        "(void)hipMalloc(&p, 4096);", "(void)hipMalloc(&p, 4096); (void)hipMemset(p, 0, 4096);"
    )
    result = run_program(
        build(source, "gfx90a"), "gfx90a", timeout=60, tools=tools,
        env={"HIPIFY_EMULATOR_LIMIT": "1000000", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert b"hipErrorLaunchFailure" in result.stdout
    assert b"1000000 instructions" in result.stderr


def test_unknown_architecture_is_refused(tools: Tools) -> None:
    with pytest.raises(EmulatorError, match="gfx803 is not emulated"):
        run_program(Path("program"), "gfx803", tools=tools)
