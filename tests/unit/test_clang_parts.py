"""The parts of the AST engine that need no clang: options, units, headers, stand-ins."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.headers.cuda import find_headers
from hipify.lexer import lex
from hipify.mapping import Database
from hipify.translators.clang.flags import parsing_options, user_folders, with_standard
from hipify.translators.clang.pch import heavy_includes
from hipify.translators.clang.units import Units
from hipify.translators.stubs import stub_folder


def test_of_nvccs_options_those_for_parsing_are_kept(tmp_path: Path) -> None:
    words = (
        "-gencode arch=compute_70,code=sm_70 -O3 --std=c++14 -Iinc -I other -isystem sys "
        "-DX=1 -D Y -Xcompiler -fopenmp,-Wall --expt-extended-lambda -lcublas -o a.o -c a.cu"
    ).split()
    options = parsing_options(words, tmp_path)
    assert options == [
        *("-std=c++14", f"-I{tmp_path / 'inc'}", f"-I{tmp_path / 'other'}"),
        *("-isystem", str(tmp_path / "sys"), "-DX=1", "-DY", "-fopenmp"),
    ]
    assert with_standard(options) == options
    assert with_standard(["-DX"]) == ["-std=c++17", "-DX"]
    assert user_folders(options) == [str(tmp_path / "inc"), str(tmp_path / "other")]


def test_an_option_without_its_value_does_no_harm(tmp_path: Path) -> None:
    assert parsing_options(["-DX", "-o"], tmp_path) == ["-DX"]


def test_headers_find_the_source_that_includes_them(tmp_path: Path) -> None:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    deep = write("include/lib/deep.h", "")
    write("include/lib/outer.cuh", '#include "deep.h"\n')
    host = write("src/host.cpp", "#include <lib/outer.cuh>\n")
    unused = write("include/unused.h", "")
    assert Units(tmp_path).unit_of(deep) == host
    main = write("src/main.cu", '#  include "lib/outer.cuh"\n')
    units = Units(tmp_path)
    assert units.unit_of(deep) == main, "CUDA's sources come first"
    assert units.unit_of(unused) is None
    assert units.unit_of(main) is None
    part = write("src/part.cu", "")
    write("src/all.cu", '#include "part.cu"\n')
    assert Units(tmp_path).unit_of(part) == tmp_path / "src" / "all.cu"
    write("src/main.cu", '#include <hip/hip_runtime.h>\n#include "lib/outer.cuh"\n')
    assert Units(tmp_path).unit_of(deep) == host, "a port cannot be read as CUDA"


def test_only_leading_system_headers_are_precompiled(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("")
    code = (
        b"// text\n#include <vector>\n#include <thrust/sort.h>\n#include <cub/cub.cuh>\n"
        b'#include "cublas_v2.h"\n#include <own.h>\n#include <thrust/copy.h>\n'
    )

    def found(text: bytes) -> tuple[str, ...]:
        return heavy_includes(
            lex(text, frozenset()), [str(tmp_path)], lambda name: name == "cublas_v2.h"
        )

    assert found(code) == ("cub/cub.cuh", "cublas_v2.h", "thrust/sort.h")
    assert found(b"#define X\n" + code) == ()
    assert found(b"int x;\n" + code) == ()
    assert found(b'#include "mine.h"\n' + code) == ()


@pytest.mark.parametrize("layout", ["toolkit", "cu13", "cuda_runtime"])
def test_headers_are_found_by_layout(
    tmp_path: Path, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path if layout == "toolkit" else tmp_path / "nvidia" / layout
    (root / "include").mkdir(parents=True)
    (root / "include" / "cuda_runtime.h").write_text("")
    (root / "include" / "cuda_runtime_api.h").write_text("#define CUDART_VERSION  12060\n")
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    if layout == "toolkit":
        monkeypatch.setenv("CUDA_PATH", str(tmp_path))
    else:
        monkeypatch.setattr("sys.path", [str(tmp_path)])
        monkeypatch.setattr("shutil.which", lambda name: None)
        if Path("/usr/local/cuda/include/cuda_runtime.h").exists():
            pytest.skip("a toolkit in its usual place comes before wheels")
    headers = find_headers()
    assert headers is not None
    assert (headers.root, headers.version) == (root, (12, 6))
    assert headers.level == ("toolkit" if layout == "toolkit" else "wheels")


def test_a_folder_that_is_named_is_the_only_one_looked_at(tmp_path: Path) -> None:
    assert find_headers(tmp_path) is None


@pytest.mark.usefixtures("clang_cache")
def test_stand_ins_cover_every_header_and_are_made_once() -> None:
    database = Database.load()
    folder = stub_folder(database, real=False)
    assert "cudaMalloc(A&&...)" in (folder / "hipify_stub" / "core.h").read_text("utf-8")
    assert (folder / "cublas_v2.h").is_file()
    stamp = folder.stat().st_mtime_ns
    assert stub_folder(database, real=False) == folder
    assert folder.stat().st_mtime_ns == stamp
    assert stub_folder(database, real=True) != folder
