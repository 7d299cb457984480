"""`hipify query`: both directions, headers, families and typos."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

import pytest

from hipify.commands import query
from hipify.database.similar import similar_names


def _run(*words: str) -> int:
    parser = ArgumentParser()
    query.configure(parser)
    return query.run(parser.parse_args(words))


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    _run("--format", "json", *words)
    answers: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return answers


def test_a_cuda_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("cublasCaxpy") == 0
    out = capsys.readouterr().out
    assert out.startswith("cublasCaxpy -> hipblasCaxpy\n")
    assert "hipblasCaxpy_v2 before ROCm 7.0" in out
    assert "rocblas_caxpy" in out
    assert "where cublas_v2.h is included" in out


def test_a_version_and_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--rocm", "6.3", "cublasCherkx") == 0
    assert capsys.readouterr().out.startswith("cublasCherkx -> hipblasCherkx_v2\n")
    assert _run("--target", "roc", "cublasCherkx") == 0
    assert capsys.readouterr().out.startswith("cublasCherkx -> rocblas_cherkx\n")


def test_a_hip_name(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = _json(capsys, "hipMalloc")
    assert found["direction"] == "hip"
    assert {"cudaMalloc", "cuMemAlloc_v2"} <= {entry["cuda"] for entry in found["entries"]}


@pytest.mark.parametrize("word", ["cublas_v2.h", "<cublas_v2.h>", '"cublas_v2.h"'])
def test_a_header(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(word) == 0
    assert capsys.readouterr().out.startswith("cublas_v2.h -> hipblas/hipblas.h\n")


def test_a_hip_header_and_one_that_goes_away(capsys: pytest.CaptureFixture[str]) -> None:
    (found, _) = _json(capsys, "hipblas/hipblas.h", "hipblas.h")
    assert "cublas_v2.h" in {entry["cuda"] for entry in found["entries"]}
    assert _run("device_launch_parameters.h") == 0
    assert "the include goes away" in capsys.readouterr().out


def test_unsupported_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("cuTensorMapEncodeTiled") == 0
    out = capsys.readouterr().out
    assert out.startswith("cuTensorMapEncodeTiled -> unsupported\n")
    assert "caveat" in out


def test_argument_rules_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    _run("cudaMemcpyToSymbol", "cudaGetDriverEntryPoint", "cudnnSoftmaxForward", "cudaEventCreate")
    out = capsys.readouterr().out
    assert "hip: argument 0 in HIP_SYMBOL()" in out
    assert "before ROCm 7.1" in out
    assert "miopen: 2 from argument 1 on moved to 9" in out
    assert "hipEventCreateWithFlags with 2 arguments" in out


def test_every_entry_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    from hipify.mapping import Database

    database = Database.load()
    names = [*database.names(), *database.headers()]
    assert _run(*names) == 0
    assert _run("--format", "json", *names[:2000]) == 0
    assert capsys.readouterr().out


def test_a_typo_gets_suggestions_and_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("cudaMaloc", "cudaMalloc") == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("cudaMaloc: not in the database; did you mean cudaMalloc")
    assert "cudaMalloc -> hipMalloc" in rest


def test_nothing_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("qqqqzzzz") == 1
    assert capsys.readouterr().out == "qqqqzzzz: not in the database\n"


def test_a_name_of_a_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("nppiAdd_8u_C1RSfs") == 0
    assert "RPP" in capsys.readouterr().out


def test_similar_names() -> None:
    names = ["cudaMalloc", "cudaMallocHost", "cudaFree", "hipMalloc"]
    assert similar_names("cudaMalocc", names)[0] == "cudaMalloc"
    assert similar_names("CUDAMALLOC", names)[0] == "cudaMalloc"
    assert similar_names("x", names) == []
    assert similar_names("", names) == []
