"""The build with a made-up compiler: verdicts, CUDA lines, order, records, programs, exit codes."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hipify.cli import main
from hipify.errors import UsageError
from hipify.targets import Target
from hipify.targets.amd import amd_target, amd_targets
from hipify.toolchain import detect
from hipify.toolchain.build.command import SYNC_BUILTINS, Compiler
from hipify.toolchain.build.compile import HOST, UnitResult, Verdict
from hipify.toolchain.build.driver import BuildResult, Request, build
from hipify.toolchain.build.link import programs
from hipify.toolchain.build.record import dependencies
from hipify.toolchain.build.report import as_json, diagnostic_lines
from hipify.toolchain.build.units import Choices, Unit
from hipify.toolchain.model import Toolchain

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("true") is None,
    reason="the made-up compiler is a script that copies an ELF file",
)

# Stops at the first target that a line of the source says it is bad for, as clang does.
CLANG = """\
#!{python}
import pathlib, re, shutil, sys
words = sys.argv[1:]
archs = [w.partition("=")[2] for w in words if w.startswith("--offload-arch=")]
output = words[words.index("-o") + 1] if "-o" in words else None
log = pathlib.Path({log!r})
if "-c" not in words and "-fsyntax-only" not in words:
    log.open("a").write("link " + " ".join(words) + "\\n")
    shutil.copy({elf!r}, output)
    sys.exit(0)
source = pathlib.Path(words[-1] if "-fsyntax-only" in words else words[words.index("-c") + 1])
log.open("a").write("compile " + source.name + "\\n")
text = source.read_text()
for side in [*archs, "host"]:
    for number, line in enumerate(text.splitlines(), 1):
        if "BAD_" + side in line or "BAD_all" in line:
            sys.stderr.write(f"{{source}}:{{number}}:3: error: bad for you\\n")
            sys.stderr.write(f"1 error generated when compiling for {{side}}.\\n")
            sys.exit(1)
if "BACKEND_" in text and any("BACKEND_" + arch in text for arch in archs):
    sys.stderr.write("fatal: cannot select\\n")
    sys.exit(1)
if output:
    shutil.copy({elf!r}, output)
    headers = re.findall(r'#include "(.*?)"', text)
    inputs = [source, *(source.parent / name for name in headers)]
    pathlib.Path(output + ".d").write_text("x: " + " \\\\\\n ".join(map(str, inputs)) + "\\n")
"""
TARGETS = amd_targets("gfx90a,gfx1100")


class Bench:
    """A tree, a compiler that only pretends, and its log."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.root.mkdir()
        self.out = folder / "out"
        self.log = folder / "log"
        clang = folder / "clang++"
        elf = str(Path(shutil.which("true") or "").resolve())
        clang.write_text(CLANG.format(python=sys.executable, log=str(self.log), elf=elf))
        clang.chmod(0o755)
        place = folder / "rocm"
        archs = ("gfx90a", "gfx942", "gfx1100")
        self.toolchain = Toolchain(
            "test", place, clang, place / "include", place / "bc", (6, 4, 3), (21, 1), archs, ()
        )

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_cu", ".cu").replace("_h", ".h")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def request(self, **changes: object) -> Request:
        request = Request((self.root,), self.out, TARGETS, self.toolchain)
        return replace(request, **changes)  # type: ignore[arg-type]

    def build(self, **changes: object) -> BuildResult:
        return build(self.request(**changes))

    @property
    def compiled(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line.split()[1] for line in lines if line.startswith("compile")]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


CUDA = "#include <cuda_runtime.h>\n__global__ void k() {}\nvoid f() { cudaDeviceSynchronize(); }\n"
HIP = "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"


def verdicts(result: BuildResult) -> dict[str, dict[str, str]]:
    return {
        unit.unit.name: {side: verdict.value for side, verdict in unit.verdicts.items()}
        for unit in result.units
    }


def test_a_cuda_tree_is_translated_into_the_build_folder(bench: Bench) -> None:
    bench.write(a_cu=CUDA)
    result = bench.build()
    assert result.ok
    assert result.tree.translated
    assert b"hipDeviceSynchronize" in (bench.out / "src" / "a.cu").read_bytes()
    assert (bench.root / "a.cu").read_text() == CUDA
    assert (bench.out / "obj" / "a.cu.o").is_file()


def test_a_hip_tree_is_compiled_where_it_lies(bench: Bench) -> None:
    bench.write(a_cu=HIP)
    result = bench.build()
    assert result.ok
    assert not result.tree.translated
    assert result.units[0].unit.path == bench.root / "a.cu"


def test_no_translate_leaves_cuda_alone(bench: Bench) -> None:
    bench.write(a_cu=CUDA)
    result = bench.build(translate=False)
    assert not result.tree.translated
    assert not (bench.out / "src").exists()


def test_an_error_leads_back_to_the_cuda_line_when_lines_were_inserted(bench: Bench) -> None:
    text = "__global__ void k() {}\nvoid f() {\n  cudaDeviceSynchronize();\n  int BAD_all;\n}\n"
    bench.write(a_cu=text)
    (unit,) = bench.build().units
    (error,) = unit.diagnostics
    port = (bench.out / "src" / "a.cu").read_text().splitlines()
    assert "BAD_all" in port[error.line - 1]
    assert error.line == 5, "the main header was inserted above"
    assert (error.source, error.source_line) == (str(bench.root / "a.cu"), 4)
    shown = "\n".join(diagnostic_lines(unit.diagnostics, warnings=False))
    assert "a.cu:5:3: error: bad for you" in shown
    assert "tree/a.cu:4: int BAD_all;" in shown


def test_each_target_has_its_own_verdict(bench: Bench) -> None:
    bench.write(a_cu=HIP + "// BAD_gfx90a\n", b_cu=HIP)
    result = bench.build(keep_going=True)
    assert verdicts(result) == {
        "a.cu": {"gfx90a": "failed", "gfx1100": "ok"},
        "b.cu": {"gfx90a": "ok", "gfx1100": "ok"},
    }
    assert not result.ok


def test_a_failure_on_the_host_is_one_for_every_target(bench: Bench) -> None:
    bench.write(a_cu=HIP + "// BAD_host\n")
    assert verdicts(bench.build()) == {"a.cu": {"gfx90a": "failed", "gfx1100": "failed"}}


def test_a_failure_that_names_no_target_is_tried_one_by_one(bench: Bench) -> None:
    bench.write(a_cu=HIP + "// BACKEND_gfx1100\n")
    result = bench.build()
    assert verdicts(result) == {"a.cu": {"gfx90a": "ok", "gfx1100": "failed"}}
    assert "cannot select" in result.units[0].diagnostics[-1].text


def test_a_failure_ends_the_build_unless_told_to_keep_going(bench: Bench) -> None:
    bench.write(a_cu=HIP + "// BAD_all\n", b_cu=HIP, c_cu=HIP)
    first = bench.build()
    assert verdicts(first)["c.cu"] == {"gfx90a": "not tried", "gfx1100": "not tried"}
    assert not first.ok
    assert verdicts(bench.build(keep_going=True))["c.cu"] == {"gfx90a": "ok", "gfx1100": "ok"}


def test_units_whose_inputs_did_not_change_are_not_compiled_again(bench: Bench) -> None:
    bench.write(a_cu='#include "x.h"\n' + HIP, b_cu=HIP, x_h="// 1\n")
    bench.build()
    assert sorted(bench.compiled) == ["a.cu", "b.cu"]
    again = bench.build()
    assert all(unit.reused for unit in again.units)
    assert len(bench.compiled) == 2
    bench.write(x_h="// another\n")
    bench.build()
    assert bench.compiled[2:] == ["a.cu"]


def test_other_flags_and_targets_compile_anew(bench: Bench) -> None:
    bench.write(a_cu=HIP)
    bench.build()
    bench.build(choices=Choices(define=("X",)))
    bench.build(targets=amd_targets("gfx942"))
    assert len(bench.compiled) == 3


def test_a_unit_that_failed_is_tried_again(bench: Bench) -> None:
    bench.write(a_cu=HIP + "// BAD_all\n")
    bench.build()
    assert not bench.build().units[0].reused


def test_syntax_only_makes_no_objects(bench: Bench) -> None:
    bench.write(a_cu=HIP)
    assert bench.build(syntax_only=True).ok
    assert not list((bench.out / "obj").glob("*.o"))


def test_files_that_the_source_no_longer_has_are_not_built(bench: Bench) -> None:
    bench.write(a_cu=CUDA, b_cu=CUDA)
    bench.build()
    (bench.root / "b.cu").unlink()
    assert list(verdicts(bench.build())) == ["a.cu"]


def test_what_cmake_made_is_no_source_but_its_headers_are_found(bench: Bench) -> None:
    bench.write(a_cu=CUDA, build__id_cu=CUDA, build__gen__config_h="")
    (bench.root / "build" / "CMakeCache.txt").touch()
    generated = bench.root / "build" / "gen"
    result = bench.build(choices=Choices(include=(generated,)))
    assert list(verdicts(result)) == ["a.cu"]
    assert str(generated) in result.units[0].unit.flags


def test_a_file_that_cannot_be_translated_is_told_not_hidden(bench: Bench) -> None:
    bench.write(a_cu=CUDA)
    (bench.root / "b.cu").write_text(CUDA, "utf-16")
    result = bench.build()
    assert list(verdicts(result)) == ["a.cu"]
    assert not result.ok
    (bench.root / "a.cu").unlink()
    alone = bench.build()
    assert (alone.units, alone.ok) == ([], False)
    assert "b.cu" in alone.tree.failures[0]


def test_one_file_brings_the_headers_that_it_includes(bench: Bench) -> None:
    bench.write(a_cu='#include "x.h"\n' + CUDA, x_h="#include <cuda_runtime.h>\n", other_cu=CUDA)
    result = bench.build(paths=(bench.root / "a.cu",))
    assert list(verdicts(result)) == ["a.cu"]
    assert b"hip/hip_runtime.h" in (bench.out / "src" / "x.h").read_bytes()
    assert not (bench.out / "src" / "other.cu").exists()


def test_a_header_folder_outside_the_tree_is_translated_along(bench: Bench, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "s.h").write_text("#include <cuda_runtime.h>\n")
    bench.write(a_cu="#include <s.h>\n" + CUDA)
    result = bench.build(choices=Choices(include=(shared,)))
    assert list(verdicts(result)) == ["a.cu"]
    assert b"hip/hip_runtime.h" in (bench.out / "src" / "shared" / "s.h").read_bytes()
    assert str(bench.out / "src" / "shared") in result.units[0].unit.flags


def test_a_program_is_linked_of_all_units_for_all_targets(bench: Bench) -> None:
    bench.write(main_cu=HIP + "int main() {}\n", b_cu=HIP)
    result = bench.build(link=True)
    (program,) = result.programs
    assert program.ok
    assert program.output == bench.out / "bin" / "main"
    linked = bench.log.read_text().splitlines()[-1]
    assert "--offload-arch=gfx90a --offload-arch=gfx1100" in linked
    assert "main.cu.o" in linked
    assert "b.cu.o" in linked


def test_a_program_with_a_broken_unit_is_not_linked_and_says_why(bench: Bench) -> None:
    bench.write(main_cu=HIP + "int main() {}\n", b_cu=HIP + "// BAD_all\n")
    result = bench.build(link=True, keep_going=True)
    (program,) = result.programs
    assert not program.ok
    assert program.reason == "b.cu failed"


def test_the_command_tells_units_errors_table_and_exit_code(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(detect, "find_toolchain", lambda machine, chosen: bench.toolchain)
    words = ["build", str(bench.root), "-o", str(bench.out), "--arch", "gfx90a,gfx1100", "-j1"]
    bench.write(a_cu=CUDA)
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "a.cu: ok" in text
    assert text.splitlines()[-1] == "1 of 1 units built for gfx90a, gfx1100"
    bench.write(b_cu=CUDA + "int BAD_gfx1100;\n")
    assert main([*words, "--keep-going"]) == 1
    text = capsys.readouterr().out
    assert "a.cu: ok (up to date)" in text
    assert "b.cu: FAILED for gfx1100" in text
    assert "error: bad for you (for gfx1100)" in text
    assert "b.cu  ok      FAILED" in text
    assert "1 failed" in text.splitlines()[-1]


def test_the_command_goes_by_the_configuration_of_the_tree(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "find_toolchain", lambda machine, chosen: bench.toolchain)
    bench.write(a_cu=CUDA, old__b_cu=CUDA)
    (bench.root / "hipify.toml").write_text('exclude = ["old/"]\nrename = {".cu" = ".hip"}\n')
    words = ["build", str(bench.root), "-o", str(bench.out), "--arch", "gfx90a", "-j1"]
    assert main(words) == 0
    assert bench.compiled == ["a.hip", "b.cu"]
    assert (bench.out / "src" / "old" / "b.cu").read_text() == CUDA
    assert main([*words, "--no-config"]) == 0
    assert "a.cu" in bench.compiled


def test_the_command_refuses_what_makes_no_sense(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(detect, "find_toolchain", lambda machine, chosen: bench.toolchain)
    bench.write(a_cu=CUDA)
    assert main(["build", str(bench.root), "--arch", "gfx90b"]) == 2
    assert "did you mean gfx90a" in capsys.readouterr().err
    assert main(["build", str(bench.root / "gone")]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    assert main(["build", str(bench.root), "-j", "0"]) == 2


def test_the_command_without_a_toolchain_names_the_remedy(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write(a_cu=CUDA)
    assert main(["build", str(bench.root), "--toolchain", str(bench.root)]) == 2
    assert "hipify toolchain install" in capsys.readouterr().err


def test_the_command_prints_nothing_but_json_when_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(detect, "find_toolchain", lambda machine, chosen: bench.toolchain)
    bench.write(a_cu=CUDA)
    words = ["--arch", "gfx90a", "--format", "json", "-o", str(bench.out)]
    assert main(["build", str(bench.root), *words]) == 0
    assert json.loads(capsys.readouterr().out)["units"][0]["verdicts"] == {"gfx90a": "ok"}


def unit_result(name: str, has_main: bool = False) -> UnitResult:
    unit = Unit(Path("/t") / name, name, "hip", has_main, Path("/t"))
    return UnitResult(unit, {"gfx90a": Verdict.OK})


def names(results: list[UnitResult]) -> dict[str, list[str]]:
    return {p.name: [r.unit.name for r in p.units] for p in programs(results)}


def test_one_main_takes_the_whole_tree() -> None:
    results = [unit_result("app/main.cu", True), unit_result("lib/a.cu"), unit_result("b.cu")]
    assert names(results) == {"app/main": ["app/main.cu", "lib/a.cu", "b.cu"]}


def test_several_mains_take_their_folders() -> None:
    results = [
        unit_result("one/main.cu", True),
        unit_result("one/src/k.cu"),
        unit_result("two/x.cu", True),
        unit_result("two/y.cu", True),
        unit_result("two/util.cu"),
    ]
    assert names(results) == {
        "one/main": ["one/main.cu", "one/src/k.cu"],
        "two/x": ["two/x.cu", "two/util.cu"],
        "two/y": ["two/y.cu", "two/util.cu"],
    }


def test_without_a_main_nothing_is_linked_and_that_is_said(bench: Bench) -> None:
    bench.write(a_cu=HIP)
    result = bench.build(link=True)
    assert result.programs == []
    assert "no unit has a main function: nothing was linked" in result.notes


def test_unknown_targets_are_refused_with_near_misses() -> None:
    with pytest.raises(UsageError, match=r"did you mean.*gfx1101"):
        amd_target("gfx110")
    with pytest.raises(UsageError, match="xnack or sramecc"):
        amd_target("gfx90a:fast+")
    with pytest.raises(UsageError, match="no architecture"):
        amd_targets(" , ")
    assert amd_targets("gfx90a, GFX90A,gfx942:xnack-") == (
        Target("amd", "gfx90a"),
        Target("amd", "gfx942:xnack-"),
    )
    assert amd_target("gfx90a:sramecc+:xnack-").processor == "gfx90a"


def test_a_target_that_the_compiler_lacks_is_named(bench: Bench) -> None:
    bench.write(a_cu=HIP)
    with pytest.raises(UsageError, match=r"cannot build for gfx1201.*gfx90a, gfx942, gfx1100"):
        bench.build(targets=amd_targets("gfx90a,gfx1201"))


def test_the_commands_say_what_the_headers_want(bench: Bench) -> None:
    unit = Unit(Path("/t/a.cu"), "a.cu", "hip", False, Path("/t"))
    old = Compiler(bench.toolchain).compile(unit, TARGETS, Path("/o/a.o"))
    assert SYNC_BUILTINS in old
    assert "-O3" in old
    assert old.index("-x") < old.index("/t/a.cu")
    new = Compiler(replace(bench.toolchain, hip_version=(7, 0, 2)))
    assert SYNC_BUILTINS not in new.compile(unit, TARGETS, Path("/o/a.o"))
    assert "-O3" not in new.compile(replace(unit, flags=("-O1",)), TARGETS, Path("/o/a.o"))
    linked = Compiler(bench.toolchain).link([Path("/o/a.o")], TARGETS, Path("/o/a"))
    assert "-x" not in linked, "objects are no sources"


def test_host_code_is_compiled_once_without_targets(bench: Bench) -> None:
    bench.write(a_cu=CUDA)
    (bench.root / "h.cpp").write_text(
        "#include <cuda_runtime.h>\nvoid g() { cudaDeviceReset(); }\n"
    )
    result = bench.build()
    assert verdicts(result)["h.cpp"] == {HOST: "ok"}


def test_dependencies_with_blanks_and_continued_lines(tmp_path: Path) -> None:
    listed = tmp_path / "a.d"
    listed.write_text("out.o: a.cu \\\n  /x/with\\ blank.h /y/do$$ar.h\n")
    assert dependencies(listed) == [Path("a.cu"), Path("/x/with blank.h"), Path("/y/do$ar.h")]


def test_the_json_form_holds_verdicts_and_places(bench: Bench) -> None:
    bench.write(a_cu=CUDA + "int BAD_all;\n")
    request = bench.request()
    data = json.loads(json.dumps(as_json(request, build(request))))
    (unit,) = data["units"]
    assert (data["ok"], unit["verdicts"]["gfx90a"]) == (False, "failed")
    assert unit["diagnostics"][0]["source"] == str(bench.root / "a.cu")
    assert unit["diagnostics"][0]["source_line"] == 4
