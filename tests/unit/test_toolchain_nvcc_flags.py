"""nvcc's options in all their spellings become clang's, are dropped for a reason, or reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.errors import SourceError
from hipify.toolchain.nvcc_flags import Flags, convert, host_flags


def flags_of(*words: str, directory: Path = Path("/nowhere")) -> Flags:
    return convert(words, directory)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-std=c++17"], ["-std=c++17"]),
        (["--std", "c++14"], ["-std=c++14"]),
        (["-std", "c++20"], ["-std=c++20"]),
        (["-Iinclude"], ["-I", "include"]),
        (["-I", "a,b"], ["-I", "a", "-I", "b"]),
        (["--include-path=a"], ["-I", "a"]),
        (["-isystem", "sys"], ["-isystem", "sys"]),
        (["-isystem=sys"], ["-isystem", "sys"]),
        (["-DN=4", "-D", "M", "--define-macro=K=1"], ["-DN=4", "-DM", "-DK=1"]),
        (["-UN"], ["-UN"]),
        (["-include", "config.h"], ["-include", "config.h"]),
        (["-O2"], ["-O2"]),
        (["--optimize", "3"], ["-O3"]),
        (["--use_fast_math"], ["-ffast-math"]),
        (["-use_fast_math"], ["-ffast-math"]),
        (["-lineinfo"], ["-gline-tables-only"]),
        (["--generate-line-info"], ["-gline-tables-only"]),
        (["-G"], ["-g", "-O0"]),
        (["-Xcompiler", "-fPIC,-Wall"], ["-fPIC", "-Wall"]),
        (["-Xcompiler=-fopenmp"], ["-fopenmp"]),
        (["--compiler-options", "-march=native"], ["-Xarch_host", "-march=native"]),
        (["--default-stream=per-thread"], ["-fgpu-default-stream=per-thread"]),
        (["-ftz=true"], ["-fgpu-flush-denormals-to-zero"]),
        (["-fmad=false"], ["-ffp-contract=off"]),
        (["-Werror", "all-warnings"], ["-Werror"]),
        (["-Wall"], ["-Wall"]),
    ],
)
def test_options_that_clang_has(words: list[str], expected: list[str]) -> None:
    flags = flags_of(*words)
    assert flags.compile == expected
    assert flags.unknown == []


@pytest.mark.parametrize(
    "words",
    [
        ["-arch=sm_70"],
        ["-arch", "sm_70"],
        ["--gpu-architecture=sm_80"],
        ["-gencode", "arch=compute_70,code=sm_70"],
        ["-gencode=arch=compute_70,code=sm_70"],
        ["--generate-code=arch=compute_70,code=[compute_70,sm_70]"],
        ["--expt-relaxed-constexpr", "--extended-lambda", "-expt-extended-lambda"],
        ["-maxrregcount=32"],
        ["--maxrregcount", "32"],
        ["-Xptxas", "-v"],
        ["--ptxas-options=-v"],
        ["-ccbin", "g++-12"],
        ["-o", "out.o", "-c"],
        ["-MD", "-MT", "x.o", "-MF", "x.d"],
        ["-Xcudafe", "--diag_suppress=177"],
        ["--diag-suppress", "177"],
        ["-Wno-deprecated-gpu-targets"],
        ["-Werror=cross-execution-space-call"],
        ["--threads", "0"],
    ],
)
def test_options_that_mean_nothing_on_amd(words: list[str]) -> None:
    flags = flags_of(*words)
    assert (flags.compile, flags.link, flags.unknown) == ([], [], [])
    assert flags.dropped


def test_an_unknown_option_is_reported_by_name() -> None:
    flags = flags_of("--invented-by-nobody", "-DX", "--other=1")
    assert flags.unknown == ["--invented-by-nobody", "--other=1"]
    assert flags.compile == ["-DX"]


def test_unknown_options_go_on_where_nvcc_was_told_to_forward_them() -> None:
    flags = flags_of("--forward-unknown-to-host-compiler", "-fno-plt")
    assert flags.compile == ["-fno-plt"]
    assert flags.unknown == []


def test_the_libraries_become_those_of_amd() -> None:
    flags = flags_of("-lcublas", "-lcudart", "-l", "cufft,m", "-L/opt/x", "-Xlinker", "-z,defs")
    assert flags.link == ["-lhipblas", "-lhipfft", "-lm", "-L/opt/x", "-Wl,-z", "-Wl,defs"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["-rdc=true"], True), (["-dc"], True), (["-rdc=false"], False), ([], False)],
)
def test_relocatable_device_code(words: list[str], expected: bool) -> None:
    assert flags_of(*words).rdc is expected


def test_a_language_is_noted() -> None:
    flags = flags_of("-x", "cu", "kernel.cpp")
    assert flags.as_cuda
    assert flags.inputs == ["kernel.cpp"]


def test_response_files_are_read_in_their_folder_and_within_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.rsp").write_text('-DA="x y" --options-file b.rsp # said here\n')
    (tmp_path / "b.rsp").write_text("-I inc\n")
    assert flags_of("@a.rsp", directory=tmp_path).compile == ["-DA=x y", "-I", "inc"]


def test_response_files_that_include_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.rsp").write_text("@a.rsp")
    with pytest.raises(SourceError, match="include each other"):
        flags_of("@a.rsp", directory=tmp_path)


def test_a_missing_response_file_and_a_missing_value_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.rsp"):
        flags_of("@gone.rsp", directory=tmp_path)
    with pytest.raises(SourceError, match="-isystem lacks its value"):
        flags_of("-isystem")


def test_the_options_of_other_compilers_pass_without_outputs_and_architectures() -> None:
    words = ["-x", "cuda", "--cuda-gpu-arch=sm_70", "-fPIC", "-I", "inc", "-DX", "-c", "-o", "a.o"]
    flags = host_flags([*words, "-MD", "-MF", "a.d", "-Wall", "a.cu"], Path("/nowhere"))
    assert flags.compile == ["-fPIC", "-I", "inc", "-DX", "-Wall"]
    assert flags.as_cuda
    assert flags.inputs == ["a.cu"]
