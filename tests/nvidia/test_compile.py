"""Ports compile for NVIDIA with our headers; nothing here needs a GPU."""

from pathlib import Path

import pytest

from hipify.nvidia.build import build_with_nvcc
from hipify.nvidia.command import Nvcc
from hipify.nvidia.headers import write_headers
from hipify.nvidia.toolkit import Toolkit
from hipify.targets.platform import Job
from hipify.toolchain.call import call

pytestmark = pytest.mark.nvcc

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="session")
def include(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("include")
    write_headers(folder)
    return folder


def compiles(toolkit: Toolkit, include: Path, path: Path, *more: str) -> str:
    """Compiles a file for one GPU; what the compiler said."""
    words = [str(toolkit.nvcc), "-std=c++17", "-arch=sm_90", "-I", str(include), *more]
    done = call([*words, "-c", str(path), "-o", str(path.with_suffix(".o"))], check=False)
    assert done.ok, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "name",
    ["saxpy", "warp-vote", "graph-nodes", "managed-memory", "multi-device", "ptx-integer"],
)
def test_a_port_builds(name: str, toolkit: Toolkit, tmp_path: Path) -> None:
    built = build_with_nvcc(Job((CORPUS / name,), tmp_path, jobs=2), ("sm_90",), toolkit, port=True)
    assert built.problems == ()
    assert [program.name for program in built.programs] == ["main"]
    assert built.programs[0].path.is_file()


def test_a_tree_of_headers_and_host_files_builds(toolkit: Toolkit, tmp_path: Path) -> None:
    built = build_with_nvcc(
        Job((CORPUS / "particles",), tmp_path, jobs=2), ("sm_90",), toolkit, port=True
    )
    assert built.problems == ()
    assert [program.name for program in built.programs] == ["src/main"]


def test_an_error_leads_back_to_the_cuda_line(toolkit: Toolkit, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "main.cu").write_text(
        "#include <cuda_runtime.h>\n\nint main() {\n  cudaStream_t s = 5.0;\n  return 0;\n}\n"
    )
    built = build_with_nvcc(Job((tree,), tmp_path / "out"), ("sm_90",), toolkit, port=True)
    assert built.programs == ()
    assert any(problem.startswith(f"{tree / 'main.cu'}:4: ") for problem in built.problems)


HIP = r"""
#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>

struct Mine { float v; };
__device__ Mine operator+(Mine a, Mine b) { return {a.v + b.v}; }
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, 0); }

__global__ void kernel(float4 *a, int4 *b, float2 *c, unsigned long long *m) {
  const int i = threadIdx.x;
  a[i] = a[i] + a[i] * 2.0f;
  a[i] += 1;
  b[i] <<= 2;
  b[i] = -(~b[i] % 7);
  b[i]++;
  if (b[i] == b[0] && a[i] != a[0]) c[i] = c[i] * c[i];
  m[i] = __ballot_sync(0xffffffffffffffffull, i & 1) + __popcll(__ballot(i > 3));
  m[i] += __shfl_sync(~0ull, i, 3) + __shfl(i, 2) + __shfl_down_sync(0xffffffffu, i, 1);
  m[i] += __any(i) + __all(i) + __lane_id() + hipThreadIdx_x;
  __syncwarp(~0ull);
  __hip_atomic_fetch_add(m, 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

int main() {
  hipDeviceProp_t properties = {};
  hipError_t e = hipGetDeviceProperties(&properties, 0);
  float4 *a;
  int4 *b;
  float2 *c;
  unsigned long long *m;
  e = hipMalloc(&a, sizeof *a);
  e = hipMallocManaged(&b, sizeof *b);
  e = hipHostMalloc(&m, sizeof *m);
  e = hipHostMalloc((void **)&c, sizeof *c, hipHostMallocDefault | hipHostMallocCoherent);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), 32, 0, nullptr, a, b, c, m);
  hipModule_t module;
  hipFunction_t function;
  hipDeviceptr_t where = nullptr;
  size_t bytes;
  e = hipModuleLoad(&module, "x");
  e = hipModuleGetFunction(&function, module, "kernel");
  e = hipModuleGetGlobal(&where, &bytes, module, "m");
  e = hipMemcpyHtoD(where, &bytes, sizeof bytes);
  e = hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, NULL, 0);
  hipCtx_t context;
  e = hipCtxCreate(&context, 0, 0);
  e = hipCtxSynchronize();
  e = hipMemPrefetchAsync(a, 4, 0, 0);
  e = hipMemAdvise(a, 4, hipMemAdviseSetReadMostly, hipCpuDeviceId);
  hipGraph_t graph;
  hipGraphExec_t executable;
  e = hipGraphCreate(&graph, 0);
  e = hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  switch (e) {
    case hipSuccess: break;
    case hipErrorInvalidValue: return 1;
    default: return hipGetErrorName(e)[0];
  }
  return properties.clockRate + properties.gcnArchName[0] + properties.memoryClockRate;
}
"""


@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
def test_hip_as_people_write_it(
    standard: str, toolkit: Toolkit, include: Path, tmp_path: Path
) -> None:
    path = tmp_path / "hand_made.cu"
    path.write_text(HIP)
    assert "error" not in compiles(toolkit, include, path, f"-std={standard}")


def test_thrust_after_our_macros(toolkit: Toolkit, include: Path, tmp_path: Path) -> None:
    path = tmp_path / "sorted.cu"
    path.write_text(
        "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\n"
        "#include <thrust/device_vector.h>\n#include <thrust/sort.h>\n"
        "#include <thrust/system/hip/execution_policy.h>\n"
        "int main() {\n  thrust::device_vector<int> v(4);\n"
        "  thrust::sort(thrust::hip::par, v.begin(), v.end());\n  return hipcub::Sum()(1, 2) - 3;\n}\n"
    )
    compiles(toolkit, include, path)


@pytest.mark.parametrize("name", ["host.cpp", "host.c"])
def test_host_code_without_nvcc(name: str, toolkit: Toolkit, include: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(
        "#include <hip/hip_runtime_api.h>\nint main(void) {\n  hipStream_t stream;\n"
        "  hipModule_t module;\n  void *p;\n  hipError_t e = hipStreamCreate(&stream);\n"
        "  e = hipModuleLoad(&module, 0);\n  e = hipMalloc((void **)&p, 4);\n"
        "  e = hipHostMalloc(&p, 4, hipHostMallocDefault);\n  return e == hipSuccess;\n}\n"
    )
    headers = ["-isystem", str(toolkit.root / "include"), "-I", str(include)]
    compiler = "g++" if name.endswith("cpp") else "gcc"
    done = call([compiler, *headers, "-Wall", "-fsyntax-only", path], check=False)
    assert done.ok, done.stderr


def test_driver_calls_with_wrong_arguments_are_refused(
    toolkit: Toolkit, include: Path, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.cu"
    path.write_text(
        "#include <hip/hip_runtime.h>\nint main() {\n  hipModule_t m;\n  return hipModuleLoad(&m);\n}\n"
    )
    words = [
        toolkit.nvcc,
        "-std=c++17",
        "-arch=sm_90",
        "-I",
        include,
        "-c",
        path,
        "-o",
        "/dev/null",
    ]
    done = call(words, check=False)
    assert not done.ok
    assert "wrong number of arguments" in done.stderr


def test_command_lines(toolkit: Toolkit, tmp_path: Path) -> None:
    compiler = Nvcc(toolkit, ("sm_80", "sm_90"), tmp_path)
    words = compiler.link([Path("a.o")], Path("program"))
    assert "-gencode=arch=compute_80,code=sm_80" in words
    assert "-gencode=arch=compute_90,code=sm_90" in words
