"""The nvcc stand-in, with a made-up compiler in place of clang."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from hipify.cli import main
from hipify.commands import nvcc
from hipify.errors import UsageError
from hipify.nvidia.drop_in import Place, own_names, serve
from hipify.nvidia.nvcc_line import parse
from hipify.targets import Target
from hipify.toolchain.build.sources import Translation, translated
from hipify.toolchain.model import Toolchain

CUDA = '#include <cuda_runtime.h>\n#include "part.cuh"\nint main() { return cudaDeviceSynchronize(); }\n'

COMPILER = """#!/bin/sh
# Writes its command beside the output, and copies the source there.
out=a.out source=
while [ $# -gt 0 ]; do
  echo "$1" >> "$LOG"
  case $1 in
    -o) out=$2; shift; echo "$1" >> "$LOG";;
    -MF) depfile=$2;;
    *.cu) source=$1;;
  esac
  shift
done
[ -z "$source" ] || cat "$source" > "$out"
[ -n "$source" ] || echo linked > "$out"
[ -z "$depfile" ] || echo "x: $source" > "$depfile"
[ -z "$FAIL" ] || { echo "$source:3:5: error: bad" >&2; exit 1; }
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the made-up compiler is a shell script")


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    clang = tmp_path / "clang++"
    clang.write_text(COMPILER)
    clang.chmod(clang.stat().st_mode | stat.S_IXUSR)
    chain = Toolchain("test", tmp_path, clang, tmp_path, tmp_path, (6, 4), (21, 1), ("gfx90a",), ())
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "main.cu").write_text(CUDA)
    (tree / "part.cuh").write_text(
        "inline int devices() { int n; cudaGetDeviceCount(&n); return n; }\n"
    )
    return Place(tree, (Target("amd", "gfx90a"),), chain)


def words(at: Place) -> list[str]:
    return (at.directory.parent / "log").read_text().splitlines()


def test_an_object_is_made_of_the_translation(at: Place) -> None:
    line = parse("-O2 -arch=sm_80 -Xcompiler -Wall -c main.cu -o main.o".split(), at.directory)
    assert serve(line, at) == 0
    assert "hipDeviceSynchronize" in (at.directory / "main.o").read_text()
    assert {"-O2", "-Wall", "--offload-arch=gfx90a"} <= set(words(at))
    assert not [word for word in words(at) if "sm_80" in word]
    assert (at.directory / "main.cu").read_text() == CUDA


def test_headers_are_translated_along(at: Place) -> None:
    serve(parse(["-c", "main.cu"], at.directory), at)
    folders = [Path(word) for word in words(at) if Path(word).is_dir()]
    parts = [folder / "part.cuh" for folder in folders if (folder / "part.cuh").is_file()]
    assert parts
    assert "hipGetDeviceCount" in parts[0].read_text()


def test_a_program_is_made_of_sources_and_objects(at: Place) -> None:
    (at.directory / "other.o").write_text("")
    line = parse("main.cu other.o -lcublas -o program".split(), at.directory)
    assert serve(line, at) == 0
    assert (at.directory / "program").read_text() == "linked\n"
    assert "-lhipblas" in words(at)
    assert str(at.directory / "other.o") in words(at)


def test_objects_with_unlinked_device_code_are_linked_as_such(at: Place) -> None:
    (at.directory / "a.o").write_bytes(b"...__CLANG_OFFLOAD_BUNDLE__host-x86_64...")
    serve(parse(["a.o", "-o", "program"], at.directory), at)
    assert "-fgpu-rdc" in words(at)


def test_errors_lead_back_to_the_cuda_file(
    at: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "1")
    assert serve(parse(["-c", "main.cu"], at.directory), at) == 1
    assert f"{at.directory / 'main.cu'}:3:5: error: bad" in capsys.readouterr().err


def test_the_dependency_file_names_the_users_source(at: Place) -> None:
    serve(parse(["-c", "main.cu", "-MMD"], at.directory), at)
    assert (at.directory / "main.d").read_text() == f"x: {at.directory / 'main.cu'}\n"


def test_names_with_spaces_in_lists_of_dependencies(tmp_path: Path) -> None:
    source = tmp_path / "my tree" / "a.cu"
    source.parent.mkdir()
    source.write_text("#include <cuda_runtime.h>\n")
    tree = translated([source], tmp_path / "my out", Translation(workers=1))
    (built,) = tree.origins
    escaped = str(built).replace(" ", "\\ ")
    assert own_names(f"a.o: {escaped}", [tree]) == "a.o: " + str(source).replace(" ", "\\ ")


def test_one_output_for_several_sources_is_refused(at: Place) -> None:
    with pytest.raises(UsageError, match="-o names one file"):
        serve(parse("-c a.cu b.cu -o x.o".split(), at.directory), at)


def test_a_dry_run_shows_the_command(at: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(replace(parse(["-c", "main.cu"], at.directory), dry_run=True), at) == 0
    assert capsys.readouterr().err.startswith("#$ ")
    assert not (at.directory / "main.o").exists()


def test_the_command_passes_everything_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nvcc", "--version"]) == 0
    assert "Cuda compilation tools" in capsys.readouterr().out
    assert nvcc.main(["--help"]) == 0
    assert "HIPIFY_ARCH" in capsys.readouterr().out


def test_an_unknown_platform(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HIPIFY_PLATFORM", "other")
    assert main(["nvcc", "-c", "main.cu"]) == 2
    assert "known are amd and nvidia" in capsys.readouterr().err
