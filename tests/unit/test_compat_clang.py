"""hipify-clang, as scripts call it. Where the engine does not matter, the tokens serve."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.compat.clang import main
from tests.clang_engine import require_clang

SOURCE = """#include <cuda_runtime.h>
__global__ void k(int* p) { p[0] = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 4);
  k<<<1, 2>>>(p);
  cudaVDPAUSetVDPAUDevice(0, 0, 0);
}
"""
CLEAN = SOURCE.replace("  cudaVDPAUSetVDPAUDevice(0, 0, 0);\n", "")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return path


def run(*words: object) -> int:
    return main(["-engine=text", *map(str, words)])


def test_the_output_is_beside_the_source(source: Path) -> None:
    assert run(source) == 0
    assert "hipMalloc" in source.with_name("a.cu.hip").read_text()
    assert source.read_text() == SOURCE


def test_outputs_can_be_placed(source: Path) -> None:
    folder = source.parent / "out"
    assert run(f"--o-dir={folder}", source) == 0
    assert run(f"-o-dir={folder}", "-o=b.hip", source) == 0
    assert run("-o", source.with_name("c.hip"), source, "--", "-std=c++17") == 0
    texts = {(folder / "a.cu.hip").read_text(), (folder / "b.hip").read_text()}
    assert texts == {source.with_name("c.hip").read_text()}


def test_in_place_replaces_the_source(source: Path) -> None:
    assert run("--inplace", source) == 0
    assert "hipMalloc" in source.read_text()
    assert sorted(path.name for path in source.parent.iterdir()) == ["a.cu"]


def test_warnings_look_like_clangs(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run("-no-output", source)
    err = capfd.readouterr().err
    assert (
        f"{source}:7:3: warning: 'cudaVDPAUSetVDPAUDevice' is unsupported in 'HIP'.\n"
        "  cudaVDPAUSetVDPAUDevice(0, 0, 0);\n"
        "  ^\n"
    ) in err


def test_statistics_are_printed(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("--examine", source) == 0
    err = capfd.readouterr().err
    block = err[err.index("\n[HIPIFY] info: file") :].splitlines()
    block = ["  TIME ELAPSED s: X" if "TIME ELAPSED" in line else line for line in block]
    assert block == [
        "",
        f"[HIPIFY] info: file '{source}' statistics:",
        "  CONVERTED refs count: 2",
        "  UNCONVERTED refs count: 1",
        "  CONVERSION %: 66.7",
        "  REPLACED bytes: 24",
        f"  TOTAL bytes: {len(SOURCE)}",
        "  CHANGED lines of code: 2",
        "  TOTAL lines of code: 8",
        f"  CODE CHANGED (in bytes) %: {100 * 24 / len(SOURCE):.1f}",
        "  CODE CHANGED (in lines) %: 25.0",
        "  TIME ELAPSED s: X",
        "[HIPIFY] info: CONVERTED refs by type:",
        "  memory: 1",
        "  include_cuda_main_header: 1",
        "[HIPIFY] info: CONVERTED refs by API:",
        "  CUDA RT API: 2",
        "[HIPIFY] info: CONVERTED refs by names:",
        "  cudaMalloc: 1",
        "  cuda_runtime.h: 1",
        "[HIPIFY] info: UNCONVERTED refs by type:",
        "  VDPAU: 1",
        "[HIPIFY] info: UNCONVERTED refs by API:",
        "  CUDA RT API: 1",
        "[HIPIFY] info: UNCONVERTED refs by names:",
        "  cudaVDPAUSetVDPAUDevice: 1",
    ]


def test_statistics_are_written_as_csv(source: Path) -> None:
    other = source.with_name("b.cu")
    other.write_text(SOURCE)
    target = source.parent / "figures.csv"
    assert run("-no-output", f"-o-stats={target}", source, other) == 0
    text = target.read_text()
    assert text.count("\nCONVERTED refs count;2\n") == 2
    assert "\nfile 'GLOBAL' statistics:\nCONVERTED refs count;4\n" in text
    assert "\nCUDA ref name;Count\ncudaMalloc;1\n" in text
    assert text.endswith("\nTOTAL statistics:\nCONVERTED files;2\nPROCESSED files;2\n")


def test_csv_files_are_named_after_the_source(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source.parent)
    assert run("-no-output", "-print-stats-csv", "a.cu") == 0
    assert "CONVERTED refs count;2" in Path("a.cu.csv").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["-o=x", "-inplace", "a.cu"],
        ["-o=x", "-no-output", "a.cu"],
        ["-no-output", "-inplace", "a.cu"],
        ["-o-dir=x", "-inplace", "a.cu"],
        ["-o=x", "a.cu", "b.cu"],
        ["-engine=magic", "a.cu"],
        ["-frobnicate", "a.cu"],
        [],
    ],
)
def test_conflicts_are_errors(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    assert capfd.readouterr().err.startswith("[HIPIFY] error: ")


def test_options_that_mean_nothing_here_say_so(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("--save-temps", "--no-backup", "-temp-dir=/x", "-no-output", source) == 0
    err = capfd.readouterr().err
    for option in ("save-temps", "no-backup", "temp-dir"):
        assert f"[HIPIFY] info: -{option} changes nothing here: " in err


def test_a_missing_file_fails_and_the_others_go_on(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(source.with_name("missing.cu"), source) == 1
    assert source.with_name("a.cu.hip").exists()
    assert "missing.cu" in capfd.readouterr().err


@pytest.mark.usefixtures("clang_cache")
def test_a_file_that_clang_cannot_understand_is_translated_and_fails(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    require_clang()
    source.write_text(CLEAN + '#include "nowhere.h"\n')
    assert main([str(source)]) == 1
    assert "hipMalloc" in source.with_name("a.cu.hip").read_text()
    err = capfd.readouterr().err
    assert f"{source}:8:" in err
    assert "error: " in err
    assert "'nowhere.h' file not found" in err


@pytest.mark.usefixtures("clang_cache")
def test_branches_that_are_left_out_can_be_left_alone(source: Path) -> None:
    require_clang()
    source.write_text(CLEAN + "#ifdef NEVER\nvoid f() { cudaFree(0); }\n#endif\n")
    assert main(["--default-preprocessor", str(source)]) == 0
    assert "cudaFree(0)" in source.with_name("a.cu.hip").read_text()
    assert main(["--default-preprocessor", "--amap", str(source)]) == 0
    assert "hipFree(0)" in source.with_name("a.cu.hip").read_text()


@pytest.mark.usefixtures("clang_cache")
def test_options_for_clang_reach_it(source: Path) -> None:
    require_clang()
    source.write_text(CLEAN + "#ifndef WANTED\n#error not wanted\n#endif\n")
    assert main([str(source)]) == 1
    assert main([str(source), "--", "-DWANTED"]) == 0
    assert main(["-D", "WANTED", str(source)]) == 0
    assert main(["-DWANTED=1", str(source)]) == 0
