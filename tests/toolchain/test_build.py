"""Real programs through the whole build: translation, code for AMD GPUs, link, start."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hipify.targets.amd import ARCHS, amd_targets
from hipify.toolchain.build.driver import BuildResult, Request, build
from hipify.toolchain.build.units import Choices
from hipify.toolchain.call import call
from hipify.toolchain.demangle import demangled
from hipify.toolchain.model import Toolchain
from hipify.toolchain.probe import probe

pytestmark = pytest.mark.toolchain

WANTED = "gfx90a,gfx942,gfx1100"

KERNELS = """\
#include <cuda_runtime.h>
#include "tile.h"

template <int N>
__global__ void blockSum(const float *in, float *out) {
  __shared__ float s[N];
  s[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
  __syncthreads();
  for (int k = N / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0] * SCALE;
}

void sum(const float *in, float *out, int blocks) { blockSum<TILE><<<blocks, TILE>>>(in, out); }
"""

MAIN = """\
#include <cuda_runtime.h>
#include <cstdio>

void sum(const float *in, float *out, int blocks);
int count();

int main() {
  float *p = nullptr;
  cudaError_t error = cudaMalloc(&p, 4096);
  std::printf("cudaMalloc: %d\\n", int(error));
  if (error == cudaSuccess) sum(p, p, count());
  return error == cudaSuccess ? 0 : 3;
}
"""


def archs(toolchain: Toolchain) -> str:
    there = [arch for arch in WANTED.split(",") if arch in toolchain.archs]
    if not there:
        pytest.skip(f"{toolchain.clang} builds for none of {WANTED}")
    return ",".join(there)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def project(folder: Path) -> Path:
    return write(
        folder / "project",
        {
            "kernels.cu": KERNELS,
            "main.cpp": MAIN,
            "count.cpp": "int count() { return 4; }\n",
            "include/tile.h": "#pragma once\n#define TILE 256\n",
        },
    )


def built(root: Path, out: Path, toolchain: Toolchain, **changes: object) -> BuildResult:
    targets = amd_targets(archs(toolchain))
    fields: dict[str, object] = {"choices": Choices(define=("SCALE=2",)), "jobs": 2} | changes
    return build(Request((root,), out, targets, toolchain, **fields))  # type: ignore[arg-type]


def messages(result: BuildResult) -> list[str]:
    return [item.text for unit in result.units for item in unit.diagnostics if item.is_error]


def test_the_probe_compiles(toolchain: Toolchain) -> None:
    assert probe(toolchain) == ""


def test_a_cuda_project_becomes_code_for_every_target(toolchain: Toolchain, tmp_path: Path) -> None:
    result = built(project(tmp_path), tmp_path / "out", toolchain)
    assert messages(result) == []
    assert result.ok
    units = {unit.unit.name: unit for unit in result.units}
    assert list(units["main.cpp"].verdicts) == ["host"]
    code = {item.arch: item for item in units["kernels.cu"].code}
    assert list(code) == archs(toolchain).split(",")
    for arch, item in code.items():
        (kernel,) = item.kernels
        assert kernel.lds == 256 * 4
        assert kernel.wave == ARCHS[arch].wave
        assert kernel.scratch == 0
        assert kernel.vgprs > 0
        readable = demangled([kernel.name], toolchain).get(kernel.name, "blockSum<256>")
        assert "blockSum<256>" in readable


def test_the_program_starts_and_uses_the_hip_runtime(toolchain: Toolchain, tmp_path: Path) -> None:
    result = built(project(tmp_path), tmp_path / "out", toolchain, link=True)
    (program,) = result.programs
    assert program.ok, program.diagnostics
    assert program.output is not None
    done = subprocess.run([program.output], capture_output=True, text=True, timeout=60, check=False)
    assert "cudaMalloc: " in done.stdout
    assert done.returncode == (0 if "cudaMalloc: 0" in done.stdout else 3)


def test_an_error_names_the_hip_line_and_the_cuda_line(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    text = "__global__ void k(int *p) {\n  cudaError_t e = cudaSuccess;\n  *p = nonsense(e);\n}\n"
    root = write(tmp_path / "broken", {"a.cu": text})
    result = built(root, tmp_path / "out", toolchain)
    assert not result.ok
    errors = [item for unit in result.units for item in unit.diagnostics if item.is_error]
    assert len(errors) == 1, "the same error for several targets is one"
    (error,) = errors
    assert "nonsense" in error.text
    assert (error.source, error.source_line) == (str(root / "a.cu"), 3)
    assert "nonsense" in Path(error.file).read_text().splitlines()[error.line - 1]


def test_a_fault_on_one_target_leaves_the_others(toolchain: Toolchain, tmp_path: Path) -> None:
    names = archs(toolchain).split(",")
    if len(names) < 2:
        pytest.skip("needs two targets")
    text = f"#ifdef __{names[0]}__\n#error not here\n#endif\n__global__ void k() {{}}\n"
    root = write(tmp_path / "one", {"a.cu": text})
    (unit,) = built(root, tmp_path / "out", toolchain).units
    assert {side: verdict.value for side, verdict in unit.verdicts.items()} == {
        names[0]: "failed",
        **dict.fromkeys(names[1:], "ok"),
    }
    (error,) = (item for item in unit.diagnostics if item.is_error)
    assert error.sides == (names[0],)
    assert [code.arch for code in unit.code] == names[1:]


def test_device_code_linked_across_units(toolchain: Toolchain, tmp_path: Path) -> None:
    root = write(
        tmp_path / "rdc",
        {
            "a.cu": "extern __device__ int twice(int);\n__global__ void k(int *p) { *p = twice(*p); }\n"
            "int main() { k<<<1, 1>>>(nullptr); return 0; }\n",
            "b.cu": "__device__ int twice(int x) { return 2 * x; }\n",
        },
    )
    commands = [
        {"directory": str(root), "file": name, "arguments": ["nvcc", "-rdc=true", "-c", name]}
        for name in ("a.cu", "b.cu")
    ]
    (root / "compile_commands.json").write_text(json.dumps(commands))
    result = built(root, tmp_path / "out", toolchain, link=True)
    assert messages(result) == []
    (program,) = result.programs
    assert program.ok, program.diagnostics


def test_host_code_with_openmp(toolchain: Toolchain, tmp_path: Path) -> None:
    if not list(toolchain.clang.resolve().parent.parent.glob("lib/clang/*/include/omp.h")):
        pytest.skip(f"{toolchain.clang} comes without OpenMP (omp.h)")
    text = (
        "#include <omp.h>\n__global__ void k() {}\n"
        "int main() {\n  int n = 0;\n  k<<<1, 1>>>();\n"
        "#pragma omp parallel reduction(+ : n)\n  n += omp_get_num_threads();\n  return n == 0;\n}\n"
    )
    root = write(tmp_path / "openmp", {"a.cu": text})
    result = built(root, tmp_path / "out", toolchain, link=True)
    assert messages(result) == []
    assert result.programs[0].ok, result.programs[0].diagnostics


def test_a_missing_function_is_the_linkers_error(toolchain: Toolchain, tmp_path: Path) -> None:
    text = "int absent();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return absent(); }\n"
    root = write(tmp_path / "lacking", {"a.cu": text})
    (program,) = built(root, tmp_path / "out", toolchain, link=True).programs
    assert not program.ok
    assert any("absent" in item.text for item in program.diagnostics)


def test_a_second_build_compiles_nothing(toolchain: Toolchain, tmp_path: Path) -> None:
    root = project(tmp_path)
    built(root, tmp_path / "out", toolchain)
    assert all(unit.reused for unit in built(root, tmp_path / "out", toolchain).units)
    header = root / "include" / "tile.h"
    header.write_text(header.read_text().replace("256", "128"))
    again = {u.unit.name: u for u in built(root, tmp_path / "out", toolchain).units}
    assert not again["kernels.cu"].reused
    assert again["main.cpp"].reused
    assert again["kernels.cu"].code[0].kernels[0].lds == 128 * 4


def test_the_wrappers_of_a_private_toolchain_choose_amd(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    hipcc = toolchain.root.parent / "bin" / "hipcc"
    if not hipcc.is_file() or toolchain.root.name != "rocm":
        pytest.skip("the toolchain found is not a private one")
    arch = archs(toolchain).partition(",")[0]
    source = write(tmp_path, {"k.hip": "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"})
    done = call([hipcc, f"--offload-arch={arch}", "-c", source / "k.hip", "-o", tmp_path / "k.o"])
    assert done.ok
    assert (tmp_path / "k.o").stat().st_size > 0
