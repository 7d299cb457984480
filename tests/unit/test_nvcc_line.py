from pathlib import Path

import pytest

from hipify.errors import UsageError
from hipify.nvidia.nvcc_line import Mode, parse

HERE = Path("/build")


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("main.cu", Mode.LINK),
        ("-c main.cu", Mode.OBJECT),
        ("--compile main.cu", Mode.OBJECT),
        ("-dc main.cu", Mode.OBJECT),
        ("--device-c main.cu", Mode.OBJECT),
        ("-cubin main.cu", Mode.IMAGE),
        ("--fatbin main.cu", Mode.IMAGE),
        ("--ptx main.cu", Mode.IMAGE),
        ("-E main.cu", Mode.PREPROCESSED),
        ("-M main.cu", Mode.DEPENDENCIES),
        ("-lib a.o", Mode.LIBRARY),
    ],
)
def test_modes(words: str, mode: Mode) -> None:
    assert parse(words.split(), HERE).mode is mode


def test_inputs_output_and_the_rest_are_told_apart() -> None:
    line = parse(
        "-O3 -arch sm_90 -Xcompiler -Wall -I inc -c a.cu -o out/a.o -lcublas b.o".split(), HERE
    )
    assert line.sources == [HERE / "a.cu"]
    assert line.objects == ["b.o"]
    assert line.output == HERE / "out" / "a.o"
    assert line.words == ["-O3", "-arch", "sm_90", "-Xcompiler", "-Wall", "-I", "inc", "-lcublas"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("-c dir/main.cu", "main.o"),
        ("-ptx main.cu", "main.ptx"),
        ("-cubin main.cu", "main.cubin"),
        ("-fatbin main.cu", "main.fatbin"),
        ("-c main.cu -odir build", "build/main.o"),
        ("-c main.cu -o other.obj", "other.obj"),
        ("-c main.cu --output-file=other.obj", "other.obj"),
    ],
)
def test_where_the_output_goes(words: str, name: str) -> None:
    line = parse(words.split(), HERE)
    assert line.output_of(line.sources[0], HERE) == HERE / name


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("-c a.cu -o b/a.o", []),
        ("-c a.cu -o b/a.o -MMD", ["-MMD", "-MF", "/build/b/a.d", "-MT", "b/a.o"]),
        ("-c a.cu -MD", ["-MD", "-MF", "/build/a.d", "-MT", "a.o"]),
        ("-c a.cu -o x.o -MD -MF y.d -MT z", ["-MD", "-MF", "y.d", "-MT", "z"]),
    ],
)
def test_dependency_files_speak_of_the_target_as_it_is_written(
    words: str, options: list[str]
) -> None:
    line = parse(words.split(), HERE)
    found = [Path(word).as_posix() for word in line.dependency_options(line.sources[0], HERE)]
    assert found == options


def test_any_file_is_a_source_after_a_language() -> None:
    assert parse(["-x", "cu", "-c", "kernel.inc"], HERE).sources == [HERE / "kernel.inc"]
    assert parse(["-x=cu", "kernel.inc"], HERE).sources == [HERE / "kernel.inc"]


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "args").write_text("-c main.cu\n-DN=3\n")
    line = parse(["@args", "-o", "x.o"], tmp_path)
    assert line.sources == [tmp_path / "main.cu"]
    assert line.words == ["-DN=3"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-dlink a.o", "-dlink"),
        ("--device-link a.o", "--device-link"),
        ("-optix-ir main.cu", "OptiX"),
        ("-run main.cu", "hipify run"),
        ("main.xyz", "main.xyz"),
        ("-c main.cu -o", "lacks its value"),
    ],
)
def test_what_cannot_be_served_is_refused_by_name(words: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse(words.split(), HERE)


def test_switches() -> None:
    line = parse(["--version"], HERE)
    assert line.version
    line = parse(["--dryrun", "-shared", "a.o"], HERE)
    assert line.dry_run
    assert line.shared
