"""Inputs on which other translators were seen to fail, with the right result."""

from __future__ import annotations

from typing import Any

import pytest

from hipify.finding import Severity
from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes

INCLUDE = "#include <hip/hip_runtime.h>\n"


def _translate(code: str, path: str = "case.cu", **options: Any) -> Translation:
    return translate_bytes(code.encode(), Options(**options), path)


def _body(code: str, **options: Any) -> str:
    """The translation of `code`, both behind the main header."""
    result = _translate(INCLUDE + code, **options).data.decode()
    assert result.startswith(INCLUDE)
    return result.removeprefix(INCLUDE)


@pytest.mark.parametrize(
    "code",
    [
        "// see cudaMemcpy docs\n",
        'int x = puts("cudaMalloc failed");\n',
        "struct A { int cudaMalloc; };\n",
        "struct A { void cudaFree(int* p) {} };\n",
        "namespace a { int cudaMalloc(int size); }\n",
        "enum class A { cudaSuccess, other };\n",
        "void f() { app::cudaMemcpy(3); }\n",
        "auto s = at::cuda::getCurrentCUDAStream();\n",
        "int my_cudaMalloc = PROJECT_cudaSuccess;\n",
        "void f() { x.cudaFree(); y->cudaFree(); }\n",
        "void f(int cudaFree) {}\n",
        "int min = 3, max = min; std::min(min, max);\n",
    ],
)
def test_what_is_not_the_cuda_api_stays(code: str) -> None:
    assert _body(code) == code


def test_a_string_with_a_cuda_name_gets_a_note() -> None:
    (finding,) = _translate('int x = puts("cudaMalloc failed");\n').findings
    assert finding.severity is Severity.NOTE
    assert "cudaMalloc" in finding.message


def test_a_runtime_compiled_source_is_translated_as_a_whole() -> None:
    code = 'const char* k = R"(extern "C" __global__ void k(cudaTextureObject_t t) { __syncthreads(); })";\n'
    assert "hipTextureObject_t" in _body(code)
    escaped = 'const char* k = "__global__ void k(cudaTextureObject_t t) {}\\n";\n'
    result = _translate(INCLUDE + escaped)
    assert result.data.decode() == INCLUDE + escaped
    assert any(
        f.rule == "string-literal" and f.severity is Severity.WARNING for f in result.findings
    )


def test_whole_tokens_only() -> None:
    assert _body("cudaError_t a; cudaError b;\n") == "hipError_t a; hipError_t b;\n"
    result = _translate(INCLUDE + "void f() { cuLaunchKernel(); }\n")
    assert not [f for f in result.findings if "cuLaunch " in f.message]


LAUNCHES = [
    (
        "(n > 3 ? k<1,2> : k<3,4>)<<<1, n>>>(p);",
        "hipLaunchKernelGGL((n > 3 ? k<1,2> : k<3,4>), dim3(1), dim3(n), 0, 0, p);",
    ),
    ("k<<<1,1>>>();", "hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0);"),
    (
        "k<<<std::min(n, 65535), dim3(32,4), f(a,b)*4, s>>>(x);",
        "hipLaunchKernelGGL(k, dim3(std::min(n, 65535)), dim3(32,4), f(a,b)*4, s, x);",
    ),
    (
        "sort<512,8><<<1,512>>>(a);",
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(sort<512,8>), dim3(1), dim3(512), 0, 0, a);",
    ),
    (
        "k<<<g, /* blocks */ b>>>(\n    x, // one\n    y);",
        "hipLaunchKernelGGL(k, dim3(g), /* blocks */ dim3(b), 0, 0, x, // one\n    y);",
    ),
]


@pytest.mark.parametrize(("code", "expected"), LAUNCHES)
def test_both_launch_syntaxes(code: str, expected: str) -> None:
    code, expected = (f"void f() {{ {text} }}\n" for text in (code, expected))
    assert _body(code) == code
    assert _body(code, launch_syntax="hip") == expected


def test_a_launch_in_a_macro_is_rewritten_once_in_its_body() -> None:
    code = "#define L(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\nvoid f() { L(k, 1, 2, p); }\n"
    expected = (
        "#define L(k, g, b, ...) hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, ##__VA_ARGS__)\n"
        "void f() { L(k, 1, 2, p); }\n"
    )
    assert _body(code, launch_syntax="hip") == expected


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("__global__ void p() { child<<<1,1>>>(); }", "device-launch"),
        ("__global__ void __cluster_dims__(2) k();", "thread-block-cluster"),
        ("int a = cudaLaunchAttributeClusterDimension;", "thread-block-cluster"),
    ],
)
def test_what_amd_cannot_launch_is_an_error(code: str, rule: str) -> None:
    findings = _translate(INCLUDE + code + "\n").findings
    assert any(f.rule == rule and f.severity is Severity.ERROR for f in findings)


def test_a_cooperative_launch_on_several_devices_is_reported() -> None:
    findings = _translate(
        INCLUDE + "void f() { cudaLaunchCooperativeKernelMultiDevice(l, 1); }"
    ).findings
    assert any("cudaLaunchCooperativeKernelMultiDevice" in f.message for f in findings)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("cudaMemcpyToSymbol(c, h, n)", "hipMemcpyToSymbol(HIP_SYMBOL(c), h, n)"),
        ("cudaMemcpyFromSymbolAsync(h, c, n)", "hipMemcpyFromSymbolAsync(h, HIP_SYMBOL(c), n)"),
        ("cudaGetSymbolAddress(&p, a[1])", "hipGetSymbolAddress(&p, HIP_SYMBOL(a[1]))"),
        ("cudaGetSymbolSize(&p, N::a)", "hipGetSymbolSize(&p, HIP_SYMBOL(N::a))"),
        (
            "cudaFuncSetAttribute(k, a, 3)",
            "hipFuncSetAttribute(reinterpret_cast<const void*>(k), a, 3)",
        ),
        (
            "cudaFuncSetCacheConfig(k<int, 3>, cudaFuncCachePreferL1)",
            "hipFuncSetCacheConfig(reinterpret_cast<const void*>(k<int, 3>), hipFuncCachePreferL1)",
        ),
        (
            "cudaFuncGetAttributes(&a, k)",
            "hipFuncGetAttributes(&a, reinterpret_cast<const void*>(k))",
        ),
        (
            "cudaLaunchKernel(k, g, b, a)",
            "hipLaunchKernel(reinterpret_cast<const void*>(k), g, b, a)",
        ),
        ("cudaGraphInstantiate(&x, g, 0)", "hipGraphInstantiateWithFlags(&x, g, 0)"),
        ("cudaGraphInstantiate(&x, g, 0, 0, 0)", "hipGraphInstantiate(&x, g, 0, 0, 0)"),
        ("cudaMallocHost(&p, n)", "hipHostMalloc(&p, n, hipHostMallocDefault)"),
        ("cudaMallocHost<float>(&p, n)", "hipHostMalloc<float>(&p, n, hipHostMallocDefault)"),
    ],
)
def test_arguments_follow_the_twin(code: str, expected: str) -> None:
    assert _body(f"void f() {{ {code}; }}\n") == f"void f() {{ {expected}; }}\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("#if defined(__CUDA_ARCH__)\n#endif\n", "#if defined(__HIP_DEVICE_COMPILE__)\n#endif\n"),
        ("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
        ("#ifdef __CUDACC__\n#endif\n", "#ifdef __HIPCC__\n#endif\n"),
        ("#if 0\nint x = cudaFree(0);\n#endif\n", "#if 0\nint x = hipFree(0);\n#endif\n"),
        ("#ifdef X\n#error no\nint x = cudaFree(0);\n#endif\n", "#ifdef X\n#error no\nint x = hipFree(0);\n#endif\n"),
    ],
)  # fmt: skip
def test_preprocessor(code: str, expected: str) -> None:
    assert _body(code) == expected


@pytest.mark.parametrize(
    "macro", ["__CUDA_ARCH__ >= 700", "CUDART_VERSION >= 12000", "CUDA_VERSION"]
)
def test_a_test_of_a_number_of_nvidias_is_kept_and_reported(macro: str) -> None:
    code = f"#if {macro}\n#endif\n"
    result = _translate(code)
    assert result.data.decode() == code
    assert any(
        f.rule == "compiler-macro" and f.severity is Severity.WARNING for f in result.findings
    )


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("cuda_bf16.h", "hip/hip_bf16.h"),
        ("cuda_fp8.h", "hip/hip_fp8.h"),
        ("cuda_fp16.h", "hip/hip_fp16.h"),
        ("cublas_v2.h", "hipblas/hipblas.h"),
        ("cusparse.h", "hipsparse/hipsparse.h"),
        ("cufft.h", "hipfft/hipfft.h"),
        ("curand_kernel.h", "hiprand/hiprand_kernel.h"),
        ("cusolverDn.h", "hipsolver/hipsolver.h"),
        ("nvrtc.h", "hip/hiprtc.h"),
        ("nccl.h", "rccl/rccl.h"),
        ("cub/cub.cuh", "hipcub/hipcub.hpp"),
        ("cub/device/device_reduce.cuh", "hipcub/device/device_reduce.hpp"),
    ],
)
def test_headers(header: str, expected: str) -> None:
    assert _body(f"#include <{header}>\n") == f"#include <{expected}>\n"


def test_nvtx_by_rocm_version() -> None:
    code = '#include <nvtx3/nvToolsExt.h>\nvoid f() { nvtxRangePushA("x"); }\n'
    assert '<roctracer/roctx.h>\nvoid f() { roctxRangePushA("x")' in _body(code, rocm=(6, 0))
    assert "<rocprofiler-sdk-roctx/roctx.h>" in _body(code)


def test_device_launch_parameters_goes_with_its_line() -> None:
    code = '#include "cuda_runtime.h"\r\n#include "device_launch_parameters.h"\r\nint x;\r\n'
    assert _translate(code).data == b'#include "hip/hip_runtime.h"\r\nint x;\r\n'


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("#include <cstdio>\n__global__ void k();\n", 0),
        ("// licence\n#pragma once\n#include <x>\nvoid f(cudaStream_t);\n", 2),
        ("#ifndef A\n#define A\nvoid f(cudaStream_t);\n#endif\n", 2),
        ("#define _GNU_SOURCE\n#include <x>\nvoid f(cudaStream_t);\n", 1),
        ("void f(cudaStream_t);\n", 0),
        ("int main() { cudaDeviceSynchronize(); }", 0),
    ],
)
def test_main_header_is_added_once(code: str, place: int) -> None:
    lines = _translate(code).data.decode().splitlines()
    assert lines.count(INCLUDE.strip()) == 1
    assert lines[place] == INCLUDE.strip()


def test_a_header_for_plain_compilers_gets_no_hip_header() -> None:
    code = (
        "#pragma once\n#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"
        "HD int f(int x);\n"
    )
    assert INCLUDE.strip() not in _translate(code, "a.h").data.decode()
    assert INCLUDE.strip() in _translate(code + "void g(cudaStream_t s);\n", "a.h").data.decode()


def test_local_headers_follow_a_rename_only_if_they_exist() -> None:
    code = (INCLUDE + '#include "k.cuh"\n#include "other.cuh"\n').encode()
    options = Options(renamed_files={".cuh": ".hiph"})
    result = translate_bytes(code, options, "a.cu", exists=lambda name: name == "k.cuh")
    assert b'"k.hiph"' in result.data
    assert b'"other.cuh"' in result.data
    kept = translate_bytes(code, Options(), "a.cu", exists=lambda name: True)
    assert kept.data == code


def test_a_header_of_the_users_own_is_not_cudas() -> None:
    code = b'#include "helper_cuda.h"\n'
    own = translate_bytes(code, path="a.cpp", exists=lambda name: name == "helper_cuda.h")
    assert own.data == code


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("namespace c = cub;\n", "namespace c = hipcub;\n"),
        ("using namespace cub;\n", "using namespace hipcub;\n"),
        ("cub::DeviceReduce::Sum();\n", "hipcub::DeviceReduce::Sum();\n"),
        ("thrust::sort(thrust::cuda::par.on(s), a, b);\n", "thrust::sort(thrust::hip::par.on(s), a, b);\n"),
    ],
)  # fmt: skip
def test_namespaces(code: str, expected: str) -> None:
    assert _body(code) == expected


@pytest.mark.parametrize("text", ["int x; // \u202e\n", "int \u0441udaMalloc;\n"])
def test_deceptive_text_is_reported(text: str) -> None:
    result = _translate(text)
    assert result.data.decode() == text
    assert any(f.rule == "deceptive-text" for f in result.findings)


def test_support_headers_are_found_from_a_folder_below() -> None:
    code = (INCLUDE + "__global__ void k(int v) { v = __shfl_sync(1u << 3, v, 0); }\n").encode()
    result = translate_bytes(code, path="a/b/c.cu", way_up="../../")
    assert b'#include "../../hipify/warp32.hpp"\n' in result.data
    assert translate_bytes(result.data, path="a/b/c.cu", way_up="../../").data == result.data


def test_a_header_of_nvidias_samples_is_kept_where_the_tree_has_it() -> None:
    code = (INCLUDE + "#include <helper_cuda.h>\n").encode()
    own = translate_bytes(code, path="a.cu", exists=lambda name: name == "**/helper_cuda.h")
    assert own.data == code
    assert not own.findings
    assert (
        translate_bytes(code, path="a.cu").data
        == (INCLUDE + "#include <hip/hip_runtime_api.h>\n").encode()
    )


def test_the_cublas_without_handles_stays_whole_on_every_run() -> None:
    code = (
        INCLUDE + "#include <cublas.h>\nvoid f() { cublasInit(); cublasSaxpy(1, 2, x, 1, y, 1); }\n"
    )
    result = _translate(code)
    assert "#include <cublas.h>" in result.data.decode()
    assert _translate(result.data.decode()).data == result.data
    assert any(f.rule == "include" and f.severity is Severity.ERROR for f in result.findings)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # A macro stands where others write a semicolon.
        (
            "struct A { void f() { cudaFree(p); CUERR cudaFree(q); } };\n",
            "struct A { void f() { hipFree(p); CUERR hipFree(q); } };\n",
        ),
        # A function of no scope stands in for CUDA's own.
        (
            'extern "C" cudaError_t cudaFree(void* p) { return cudaSuccess; }\n',
            'extern "C" hipError_t hipFree(void* p) { return hipSuccess; }\n',
        ),
    ],
)
def test_what_looks_like_a_declaration_and_is_the_cuda_api(code: str, expected: str) -> None:
    assert _body(code) == expected
