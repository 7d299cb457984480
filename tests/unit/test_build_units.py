"""Which files are translation units, how each is compiled, and where its headers are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.compile_db import CompileCommand, find_compile_db, read_compile_db
from hipify.errors import SourceError, UsageError
from hipify.toolchain.build.includes import IncludeFinder, closure, is_system
from hipify.toolchain.build.sources import as_they_are
from hipify.toolchain.build.units import Choices, Unit, find_units, units_of_commands

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"
MAIN = "int main() { return 0; }\n"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def units(root: Path, *paths: str, **choices: object) -> tuple[dict[str, Unit], list[str]]:
    wanted = [root / path for path in paths] or [root]
    found, notes = find_units(as_they_are(wanted, root / "out"), Choices(**choices))  # type: ignore[arg-type]
    return {unit.name: unit for unit in found}, notes


def included(unit: Unit) -> list[str]:
    return [
        value for option, value in zip(unit.flags, unit.flags[1:], strict=False) if option == "-I"
    ]


def test_languages_and_what_is_no_unit(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "a.cu": KERNEL,
            "b.hip": KERNEL,
            "host.cpp": "#include <hip/hip_runtime.h>\nvoid f() { hipDeviceSynchronize(); }\n",
            "kernels.cc": KERNEL,
            "api.c": "#include <hip/hip_runtime_api.h>\n",
            "plain.cpp": "int helper() { return 1; } // calls hipMalloc elsewhere\n",
            "header.cuh": KERNEL,
            "text.cpp": 'const char *s = "cudaMalloc <<<";\n',
        },
    )
    found, _ = units(tmp_path)
    assert {name: unit.language for name, unit in found.items()} == {
        "a.cu": "hip",
        "b.hip": "hip",
        "host.cpp": "hip",
        "kernels.cc": "hip",
        "api.c": "c",
    }


def test_plain_files_join_where_programs_are_linked(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": KERNEL + MAIN, "plain.cpp": "int f() { return 1; }\n"})
    found, _ = units(tmp_path, plain=True)
    assert {name: unit.language for name, unit in found.items()} == {
        "a.cu": "hip",
        "plain.cpp": "c++",
    }
    assert found["a.cu"].has_main
    assert not found["plain.cpp"].has_main


def test_a_source_that_another_includes_is_no_unit_and_that_is_said(tmp_path: Path) -> None:
    tree(tmp_path, {"main.cu": '#include "kernels.cu"\n' + MAIN, "kernels.cu": KERNEL})
    found, notes = units(tmp_path)
    assert list(found) == ["main.cu"]
    assert notes == ["kernels.cu is no unit of its own: main.cu includes it"]


def test_with_a_main_of_its_own_or_when_it_is_named_it_is_one(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "a.cu": '#include "b.cu"\n',
            "b.cu": KERNEL + MAIN,
            "c.cu": '#include "d.cu"\n',
            "d.cu": KERNEL,
        },
    )
    assert "b.cu" in units(tmp_path)[0]
    assert list(units(tmp_path, "d.cu")[0]) == ["d.cu"]


def test_a_main_in_a_comment_is_none(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": KERNEL + "// int main()\n/* int main() {} */\n"})
    assert not units(tmp_path)[0]["a.cu"].has_main


def test_the_c_file_beside_its_port_is_left_out(tmp_path: Path) -> None:
    tree(tmp_path, {"main.cu": KERNEL + MAIN, "main.c": MAIN})
    found, notes = units(tmp_path, plain=True)
    assert list(found) == ["main.cu"]
    assert notes == ["main.c is left out: main.cu beside it has the same name"]


def test_header_folders_are_found_from_the_includes_of_units_and_headers(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "src/a.cu": '#include "util/x.h"\n#include <vector>\n' + KERNEL,
            "include/util/x.h": "#include <deep.h>\n",
            "third/deep.h": "",
            "unused/other.h": "",
        },
    )
    found, _ = units(tmp_path)
    folders = included(found["src/a.cu"])
    assert str(tmp_path / "include") in folders
    assert str(tmp_path / "third") in folders
    assert str(tmp_path / "unused") not in folders


def test_of_two_headers_with_one_name_the_nearer_is_meant(tmp_path: Path) -> None:
    files = ["one/inc/x.h", "two/inc/x.h", "two/src/a.cu"]
    tree(tmp_path, dict.fromkeys(files, '#include "x.h"\n'))
    finder = IncludeFinder(tmp_path / name for name in files)
    assert finder.folders(tmp_path / "two" / "src" / "a.cu")[0] == tmp_path / "two" / "inc"


def test_includes_that_go_round_in_circles_end(tmp_path: Path) -> None:
    tree(tmp_path, {"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'})
    assert len(list(closure([tmp_path / "a.h"]))) == 2


def test_headers_outside_the_tree_are_reached_but_not_those_of_cuda(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "app/a.cu": '#include "../shared/s.h"\n#include <helper.h>\n#include <cuda_runtime.h>\n',
            "shared/s.h": "",
            "common/helper.h": "",
            "toolkit/include/cuda_runtime.h": "",
        },
    )
    folders = [tmp_path / "common", tmp_path / "toolkit" / "include"]
    reached = {path.name for path in closure([tmp_path / "app" / "a.cu"], folders)}
    assert reached == {"a.cu", "s.h", "helper.h"}


def test_folders_of_the_system() -> None:
    assert is_system(Path("/usr/include/x.h"))
    assert is_system(Path("/opt/rocm/include/hip/hip_runtime.h"))


def test_a_header_beside_its_user_is_taken_although_cuda_is_there(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": '#include "x.h"\n', "x.h": "", "cuda_runtime.h": ""})
    assert [path.name for path in closure([tmp_path / "a.cu"])] == ["a.cu", "x.h"]


def test_the_users_choices_reach_every_unit(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": KERNEL, "inc/x.h": ""})
    found, _ = units(tmp_path, include=(tmp_path / "inc",), define=("N=4",), std="c++20")
    flags = found["a.cu"].flags
    assert "-DN=4" in flags
    assert "-std=c++20" in flags
    assert str(tmp_path / "inc") in included(found["a.cu"])


def test_the_build_folder_is_no_part_of_the_tree(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": KERNEL, "out/src/a.cu": KERNEL})
    assert list(units(tmp_path)[0]) == ["a.cu"]


def test_nothing_to_compile_is_a_usage_error(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cpp": "int f() { return 1; }\n"})
    with pytest.raises(UsageError, match="GPU code"):
        units(tmp_path)


def test_a_database_gives_units_their_flags(tmp_path: Path) -> None:
    tree(tmp_path, {"src/a.cu": KERNEL, "inc/x.h": "", "src/plain.cpp": "int f();\n"})
    entries = [
        {
            "directory": str(tmp_path / "build"),
            "file": "../src/a.cu",
            "command": "ccache /usr/local/cuda/bin/nvcc -DX='a b' -I../inc -arch=sm_70 -rdc=true "
            "-std=c++14 --strange -c ../src/a.cu -o a.o -lcublas",
        },
        {"directory": str(tmp_path), "file": "src/plain.cpp", "arguments": ["g++", "-c", "x"]},
    ]
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(entries))
    database = find_compile_db(tmp_path)
    assert database is not None
    source = as_they_are([tmp_path], tmp_path / "out")
    (unit,), notes = units_of_commands(source, Choices(), read_compile_db(database))
    assert (unit.name, unit.language, unit.rdc) == ("src/a.cu", "hip", True)
    assert "-DX=a b" in unit.flags
    assert "-std=c++14" in unit.flags
    assert str(tmp_path / "inc") in included(unit)
    assert unit.link == ("-lhipblas",)
    assert any("--strange" in note for note in notes)


def test_the_compiler_behind_launchers_and_windows_paths(tmp_path: Path) -> None:
    def compiler(*words: str) -> str:
        return CompileCommand(tmp_path, tmp_path, words).compiler

    assert compiler("ccache", "/x/nvcc", "-c") == "nvcc"
    assert compiler("C:\\CUDA\\bin\\nvcc.exe") == "nvcc"
    assert compiler() == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no JSON"),
        ("{}", "a list of entries"),
        ('[{"directory": "."}]', "entry 1: `file`"),
        ('[{"file": "a.cu"}]', "neither `arguments` nor `command`"),
        ('[{"file": "a.cu", "command": "nvcc \\""}]', "cannot be split"),
        ('[{"file": "a.cu", "arguments": [1]}]', "no list of texts"),
    ],
)
def test_a_bad_database_is_named_with_its_fault(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(SourceError, match=reason):
        read_compile_db(tmp_path)


def test_a_missing_database_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="compile_commands"):
        read_compile_db(tmp_path)
