"""hipify-perl, as scripts call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.compat.perl import main

SOURCE = """#include <cuda_runtime.h>
__global__ void k(int* p) { p[0] = 1; }
int main() { int* p; cudaMalloc(&p, 4); k<<<1, 2>>>(p); cudaVDPAUSetVDPAUDevice(0, 0, 0); cudaFoo(); }
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return path


def test_the_translation_goes_to_standard_output(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([str(source)]) == 0
    out = capfd.readouterr().out
    assert out.startswith("#include <hip/hip_runtime.h>\n")
    assert "hipMalloc(&p, 4); k<<<1, 2>>>(p);" in out


@pytest.mark.parametrize("form", [["-o={}"], ["--o={}"], ["-o", "{}"], ["--o", "{}"]])
def test_an_output_file_is_named_in_any_of_perls_forms(source: Path, form: list[str]) -> None:
    output = source.with_name("out.hip")
    words = [word.format(output) for word in form]
    assert main([*words, str(source)]) == 0
    assert "hipMalloc" in output.read_text()
    assert source.read_text() == SOURCE


def test_in_place_keeps_the_original_and_reads_it_again(source: Path) -> None:
    assert main(["-inplace", str(source)]) == 0
    kept = source.with_name("a.cu.prehip")
    assert kept.read_text() == SOURCE
    first = source.read_text()
    assert "hipMalloc" in first
    source.write_text("spoilt")
    assert main(["-inplace", str(source)]) == 0
    assert source.read_text() == first
    assert kept.read_text() == SOURCE


def test_options_may_be_shortened_and_stand_behind_files(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([str(source), "--hip-kernel"]) == 0
    assert "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, p)" in capfd.readouterr().out


def test_warnings_have_amds_forms(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    main([str(source)])
    lines = capfd.readouterr().err.splitlines()
    assert f"  {source}:3: warning: unsupported HIP identifier: cudaVDPAUSetVDPAUDevice" in lines
    assert f"  warning: {source}:#3 : {SOURCE.splitlines()[2]}" in lines


@pytest.mark.parametrize(
    "option", ["-quiet-warnings", "-whitelist=cudaVDPAUSetVDPAUDevice,cudaFoo"]
)
def test_warnings_can_be_silenced(
    source: Path, capfd: pytest.CaptureFixture[str], option: str
) -> None:
    main(["-no-output", option, str(source)])
    assert capfd.readouterr() == ("", "")


def test_statistics(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["-examine", "-quiet-warnings", str(source)]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        f"\n[HIPIFY] info: file '{source}' statistics:\n"
        "  CONVERTED refs count: 2\n"
        "  TOTAL lines of code: 3\n"
        "  WARNINGS: 0\n"
        "[HIPIFY] info: CONVERTED refs by names:\n"
        "  cudaMalloc => hipMalloc: 1\n"
        "  cuda_runtime.h => hip/hip_runtime.h: 1\n"
    )


def test_statistics_of_several_files_end_with_their_sum(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = source.with_name("b.cu")
    other.write_text(SOURCE)
    main(["-examine", "-quiet-warnings", str(source), str(other)])
    total = capfd.readouterr().err.partition("file 'GLOBAL' statistics:\n")[2]
    assert total.startswith("  CONVERTED refs count: 4\n  TOTAL lines of code: 6\n")


def test_files_and_folders_can_be_left_out(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([f"-exclude-dirs={source.parent}", str(source)]) == 0
    assert main([f"-exclude-files={source}", str(source)]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "in the excluded directory" in err
    assert f"Skipping the excluded file: {source}" in err


def test_one_bad_file_does_not_stop_the_others(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([str(source.with_name("missing.cu")), str(source)]) == 1
    out, err = capfd.readouterr()
    assert "hipMalloc" in out
    assert "error: " in err
    assert "missing.cu" in err


@pytest.mark.parametrize(
    "words", [[], ["-frobnicate", "a.cu"], ["-o=x", "a.cu", "b.cu"], ["-rocm=six", "a.cu"]]
)
def test_what_makes_no_sense_is_an_error(
    words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    assert capfd.readouterr().err.startswith("error: ")


def test_versions_and_help_need_no_file(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["-version"]) == 0
    assert main(["-help"]) == 0
    assert "-whitelist" in capfd.readouterr().err


def test_headers_and_names_are_those_of_the_version(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "b.cu"
    path.write_text("#include <cublas_v2.h>\n")
    main(["-rocm=6.3", "-as-amd", str(path)])
    assert "#include <hipblas.h>" in capfd.readouterr().out
    main(["-roc", str(path)])
    assert "#include <rocblas/rocblas.h>" in capfd.readouterr().out
