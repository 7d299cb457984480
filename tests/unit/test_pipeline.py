"""Properties of the whole translation: bytes survive, twice is once, nothing crashes it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify.edits import Edit, splice
from hipify.errors import UsageError
from hipify.finding import Finding, Severity
from hipify.options import Options, rocm_version
from hipify.pipeline import Engine, translate_bytes
from hipify.rules import Dispatch, Rule
from hipify.sites import SiteKind

_PIECES = st.sampled_from(
    [
        b"cudaMalloc",
        b"cudaMemcpyToSymbol(a, b, c)",
        b"cudaEventCreate(&e)",
        b"k<<<1, 2>>>(x);",
        b"k<T, 3><<<f(a, b), dim3(1)>>>();",
        b"#include <cuda_runtime.h>\n",
        b"#include <cublas_v2.h>\r\n",
        b"#ifdef __CUDA_ARCH__\n",
        b"#endif\n",
        b"#define X(a) cudaFree(a) \\\n",
        b"// cudaFree \xe9\n",
        b'"cudaFree"',
        b'R"(__global__ void k() { cudaFree(0); })"',
        b"'\"'",
        b"__global__ void k() {",
        b"}",
        b"cub::BlockReduce<int, 3>",
        b"thrust::cuda::par",
        b"\n",
        b"\r\n",
        b" ",
        b"(",
        b")",
        b",",
        b"\xef\xbb\xbf",
        b"cudaMallocHost(&p, n)",
        b"cudaFuncSetAttribute(k<1, 2>, a, b)",
        b"__shfl_xor_sync(0xffffffff, v, 1)",
        b'asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));',
    ]
)
_SOURCES = st.lists(_PIECES, max_size=25).map(b"".join)


@given(st.binary(max_size=300))
def test_random_bytes_never_crash(data: bytes) -> None:
    translate_bytes(data)


@settings(max_examples=200)
@given(_SOURCES)
def test_twice_is_once(data: bytes) -> None:
    once = translate_bytes(data, path="x.cu").data
    assert translate_bytes(once, path="x.cu").data == once


@settings(max_examples=200)
@given(_SOURCES, st.sampled_from(["cuda", "hip"]), st.sampled_from(["hip", "roc", "miopen"]))
def test_only_edits_change_bytes(data: bytes, launch: str, target: str) -> None:
    result = translate_bytes(data, Options(target=target, launch_syntax=launch), "x.cu")
    assert splice(data, result.edits) == result.data
    assert not [f for f in result.findings if f.rule == "edit-conflict"]


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_bom_line_ending_and_odd_bytes_survive(newline: bytes, bom: bytes) -> None:
    source = bom + newline.join(
        [b"// \xe9", b"__global__ void k() {}", b"void f() { cudaFree(0); }"]
    )
    result = translate_bytes(source, path="x.cu").data
    assert result == bom + newline.join(
        [b"#include <hip/hip_runtime.h>", source.removeprefix(bom).replace(b"cudaFree", b"hipFree")]
    )


def test_a_conflict_leaves_the_file_as_it_was() -> None:
    def visit(site: object, context: object) -> list[Finding]:
        return [
            Finding("x", Severity.NOTE, site.span, "", "", (Edit(0, 2, b"a"), Edit(1, 3, b"b")))
        ]  # type: ignore[attr-defined]

    rule = Rule("x", "x.", visit, frozenset((SiteKind.FILE,)))  # type: ignore[arg-type]
    engine = Engine(Engine.default().database, Dispatch((rule,)))
    result = translate_bytes(b"abcdef", path="x.cu", engine=engine)
    assert result.data == b"abcdef"
    assert result.worst is Severity.ERROR
    assert result.findings[0].rule == "edit-conflict"


@pytest.mark.parametrize("bad", ["six", "6.x", "", "6..3"])
def test_a_version_that_is_none_is_refused(bad: str) -> None:
    with pytest.raises(UsageError, match="--rocm"):
        rocm_version(bad)


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(UsageError, match="target"):
        Options(target="metal")
    with pytest.raises(UsageError, match="launch syntax"):
        Options(launch_syntax="opencl")


def test_names_as_of_a_rocm_version() -> None:
    code = b"#include <cublas_v2.h>\nint x = cublasGetStatusName(s);\n"
    new = translate_bytes(code, path="x.cu")
    old = translate_bytes(code, Options(rocm=(4, 0)), "x.cu")
    assert b"hipblas/hipblas.h" in new.data
    assert b"<hipblas.h>" in old.data
