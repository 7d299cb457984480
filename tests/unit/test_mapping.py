"""What the database says of names, by target and ROCm version."""

from __future__ import annotations

import pytest

from hipify.mapping import Database, HeaderEntry, MappingEntry, resolve
from hipify.version import Version


@pytest.fixture(scope="module")
def database() -> Database:
    return Database.load()


def _entry(database: Database, name: str) -> MappingEntry:
    entry = database.get(name)
    assert entry is not None
    return entry


def _header(database: Database, path: str) -> HeaderEntry:
    header = database.header(path)
    assert header is not None
    return header


@pytest.mark.parametrize(
    ("name", "rocm", "becomes"),
    [
        ("cudaMalloc", None, "hipMalloc"),
        ("cublasCherkx", (6, 3), "hipblasCherkx_v2"),
        ("cublasCherkx", (6, 4, 3), "hipblasCherkx_v2"),
        ("cublasCherkx", (7,), "hipblasCherkx"),
        ("cublasCherkx", (7, 0, 0), "hipblasCherkx"),
        ("cublasCherkx", None, "hipblasCherkx"),
        ("CU_JIT_MAX_REGISTERS", (6, 3), "HIPRTC_JIT_MAX_REGISTERS"),
        ("CU_JIT_MAX_REGISTERS", (6, 4), "hipJitOptionMaxRegisters"),
        ("__nv_bfloat16", (6, 4), "__hip_bfloat16"),
        ("nv_bfloat16", None, "__hip_bfloat16"),
        ("CUBLAS_GEMM_DEFAULT_TENSOR_OP", None, "HIPBLAS_GEMM_DEFAULT"),
        ("cuMemAlloc_v2", None, "hipMalloc"),
        ("thrust::cuda", None, "thrust::hip"),
        ("nvcuda::wmma", None, "rocwmma"),
        ("nvtxRangePushA", None, "roctxRangePushA"),
        ("nvtxRangeEnd", None, "roctxRangeStop"),
        ("ncclAllReduce", None, "ncclAllReduce"),
    ],
)
def test_hip_name_as_of_a_version(
    database: Database, name: str, rocm: Version | None, becomes: str
) -> None:
    result = resolve(_entry(database, name), rocm=rocm)
    assert result.name == becomes
    assert result.status == ("same" if becomes == name else "mapped")


def test_a_name_that_is_too_new_says_since_when(database: Database) -> None:
    entry = _entry(database, "cudaMemcpyBatchAsync")
    result = resolve(entry, rocm=(6, 4))
    assert (result.name, result.status, result.since) == (None, "too-new", "7.1.0")
    assert "hipMemcpyBatchAsync" in result.caveat
    assert "7.1" in result.caveat
    assert resolve(entry, rocm=(7, 1)).name == "hipMemcpyBatchAsync"


def test_a_removed_name_says_since_when(database: Database) -> None:
    entry = _entry(database, "cutensorContraction")
    assert resolve(entry, rocm=(6, 4)).name == "hiptensorContraction"
    for rocm in ((7, 0), None):
        result = resolve(entry, rocm=rocm)
        assert (result.name, result.status, result.since) == (None, "removed", "7.0.0")


def test_an_experimental_name_wants_consent(database: Database) -> None:
    entry = _entry(database, "cudaLaunchKernelExC")
    refused = resolve(entry)
    assert (refused.name, refused.status) == (None, "experimental")
    assert "--experimental" in refused.caveat
    assert resolve(entry, experimental=True).name == "hipLaunchKernelExC"
    assert entry.experimental


def test_unsupported_says_why(database: Database) -> None:
    result = resolve(_entry(database, "cuTensorMapEncodeTiled"))
    assert (result.name, result.status) == (None, "unsupported")
    assert "Tensor Memory Accelerator" in result.caveat


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("cublasSgemm_v2", "rocblas_sgemm"),
        ("cusparseSpMV", "rocsparse_spmv"),
        ("cudnnConvolutionForward", "miopenConvolutionForward"),
        ("cudaMalloc", "hipMalloc"),
        ("__nv_bfloat16", "rocblas_bfloat16"),
    ],
)
@pytest.mark.parametrize("target", ["roc", "miopen"])
def test_roc_targets_use_roc_names_where_there_are_some(
    database: Database, target: str, name: str, becomes: str
) -> None:
    assert resolve(_entry(database, name), target).name == becomes


def test_a_roc_target_never_gets_the_name_of_an_api_that_rocm_lacks(database: Database) -> None:
    """The HIP name serves for a ROC target only where nothing says that there is no counterpart."""
    result = resolve(_entry(database, "cusolverDnCgetrf"), "roc")
    assert (result.name, result.status) == (None, "unsupported")
    assert "hipsolverDnCgetrf" in result.caveat
    both = resolve(_entry(database, "cudaGraphAddNode_v2"), "roc")
    assert (both.name, both.status) == (None, "unsupported")


def test_miopen_has_its_own_stream_type_before_rocm_7(database: Database) -> None:
    entry = _entry(database, "cudaStream_t")
    assert resolve(entry, "miopen", (6, 3)).name == "miopenAcceleratorQueue_t"
    assert resolve(entry, "miopen").name == "hipStream_t"
    assert resolve(entry, "roc", (6, 3)).name == "hipStream_t"


@pytest.mark.parametrize(
    ("path", "rocm", "becomes"),
    [
        ("cuda_runtime.h", None, "hip/hip_runtime.h"),
        ("cublas_v2.h", None, "hipblas/hipblas.h"),
        ("cublas_v2.h", (5, 1), "hipblas.h"),
        ("cublas_v2.h", (5, 2), "hipblas/hipblas.h"),
        ("cusparse.h", None, "hipsparse/hipsparse.h"),
        ("cufft.h", None, "hipfft/hipfft.h"),
        ("curand_kernel.h", None, "hiprand/hiprand_kernel.h"),
        ("cusolverDn.h", None, "hipsolver/hipsolver.h"),
        ("nvrtc.h", None, "hip/hiprtc.h"),
        ("nccl.h", None, "rccl/rccl.h"),
        ("cuda_bf16.h", None, "hip/hip_bf16.h"),
        ("cuda_fp8.h", None, "hip/hip_fp8.h"),
        ("device_launch_parameters.h", None, ""),
        ("nvtx3/nvToolsExt.h", (6, 4), "roctracer/roctx.h"),
        ("nvtx3/nvToolsExt.h", None, "rocprofiler-sdk-roctx/roctx.h"),
        ("cub/device/device_reduce.cuh", None, "hipcub/device/device_reduce.hpp"),
        ("thrust/system/cuda/execution_policy.h", None, "thrust/system/hip/execution_policy.h"),
        ("thrust/sort.h", None, "thrust/sort.h"),
        ("cooperative_groups/reduce.h", (6, 4), None),
        ("cooperative_groups/reduce.h", None, "hip/cooperative_groups/hip_reduce.h"),
        ("mma.h", None, "rocwmma/rocwmma.hpp"),
        ("cuda/atomic", None, "cuda/atomic"),
        ("cutlass/gemm/device/gemm.h", None, None),
        ("optix.h", None, None),
    ],
)
def test_header_as_of_a_version(
    database: Database, path: str, rocm: Version | None, becomes: str | None
) -> None:
    result = resolve(_header(database, path), rocm=rocm)
    assert result.name == becomes
    assert becomes is not None or result.caveat


def test_headers_for_roc_targets(database: Database) -> None:
    assert resolve(_header(database, "cublas_v2.h"), "roc").name == "rocblas/rocblas.h"
    assert resolve(_header(database, "cudnn.h"), "miopen").name == "miopen/miopen.h"
    assert _header(database, "cublas_v2.h").main == "v2"
    assert _header(database, "helper_cuda.h").local


def test_entry_fields(database: Database) -> None:
    assert _entry(database, "cublasCaxpy").v2_only
    assert not _entry(database, "cublasCherkx").everyday
    assert _entry(database, "saturate").everyday
    assert _entry(database, "cudaEventCreate").overloads == {
        1: "hipEventCreate",
        2: "hipEventCreateWithFlags",
    }
    assert _entry(database, "cuMemAdvise").not_for_cuda == ("13.0", "")
    (symbol,) = _entry(database, "cudaMemcpyToSymbol").args
    assert (symbol.target, symbol.index, symbol.action) == ("hip", 0, "symbol")
    dropped = _entry(database, "cuOccupancyMaxPotentialBlockSize").args[0]
    assert (dropped.action, dropped.loses) == ("remove", True)
    moved = _entry(database, "cudnnSoftmaxForward").args[0]
    assert (moved.target, moved.action, moved.to, moved.count) == ("miopen", "move", 9, 2)


def test_a_name_of_two_libraries_keeps_both_entries(database: Database) -> None:
    assert [e.library for e in database.get_all("libraryPropertyType")] == ["runtime", "dnn"]
    assert _entry(database, "libraryPropertyType").library == "runtime"
    assert _entry(database, "CUstream_st").also_in == ("driver",)


def test_by_hip_finds_present_and_former_names(database: Database) -> None:
    assert "cudaMalloc" in {entry.cuda for entry in database.by_hip("hipMalloc")}
    assert "cublasCherkx" in {entry.cuda for entry in database.by_hip("hipblasCherkx_v2")}
    assert "cublasCherkx" in {entry.cuda for entry in database.by_hip("rocblas_cherkx")}
    assert database.by_hip("cudaMalloc") == []


def test_families_answer_for_names_without_an_entry(database: Database) -> None:
    assert database.get("nppiAdd_8u_C1RSfs") is None
    assert "RPP" in (database.family("nppiAdd_8u_C1RSfs") or "")
    assert "AMD SMI" in (database.family("nvmlDeviceGetSomethingNew") or "")
    assert database.family("nvmlike") is None
    assert database.family("my_function") is None


def test_no_name_and_unknown_names(database: Database) -> None:
    assert database.get("") is None
    assert database.get("cudaMallo") is None
    assert database.get_all("cudaMallo") == []
    assert database.header("my/cuda.h") is None
