import sys
from pathlib import Path

import pytest

from hipify.errors import UsageError
from hipify.targets.platform import Executable
from hipify.verify import files
from hipify.verify.compare import Rules
from hipify.verify.files import snapshot, working_copy, written
from hipify.verify.kernel_times import KernelTime, ratios, read_times
from hipify.verify.numbers import Tolerance
from hipify.verify.session import Verdict, compare_sides, report_lines, run_side

EXACT = Rules()


def verify(tmp_path: Path, original: str, port: str, rules: Rules = EXACT) -> Verdict:
    """Verifies two Python programs, which stand for compiled ones."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "input.txt").write_text("5\n")
    sides = []
    for name, code in (("cuda", original), ("hip", port)):
        script = tmp_path / f"{name}.py"
        script.write_text(code)
        program = Executable(name, script, (sys.executable,))
        work = tmp_path / "work" / name
        sides.append(run_side(program, ["7"], tree, work, leave_out=tmp_path / "out", timeout=60))
    return compare_sides(sides[0], sides[1], rules)


def test_programs_that_do_the_same(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "n = int(pathlib.Path('input.txt').read_text())\n"
        "print('result', n * int(sys.argv[1]))\n"
        "pathlib.Path('out.bin').write_bytes(b'\\0\\1')\n"
    )
    verdict = verify(tmp_path, code, code)
    assert verdict.same
    assert verdict.output.lines == 1
    assert verdict.files_compared == 1
    assert report_lines(verdict, 10)[-1] == "same: 1 lines, 1 files"
    assert not (tmp_path / "tree" / "out.bin").exists()  # each side has a folder of its own


def test_output_that_differs_is_shown_from_both_sides(tmp_path: Path) -> None:
    verdict = verify(tmp_path, "print('sum 1')", "print('sum 2')")
    assert not verdict.same
    text = "\n".join(report_lines(verdict, 10))
    assert "original  sum 1" in text
    assert "port      sum 2" in text
    assert text.endswith("DIFFERENT: 1 lines")


def test_exit_codes_must_agree(tmp_path: Path) -> None:
    verdict = verify(tmp_path, "raise SystemExit(0)", "raise SystemExit(3)")
    assert not verdict.same
    assert "the port ended with exit status 3" in report_lines(verdict, 10)[0]


def test_files_that_differ(tmp_path: Path) -> None:
    write = "import pathlib\npathlib.Path('a.txt').write_text('x 1.0')\npathlib.Path('b.bin').write_bytes(bytes([0, {}]))\n"
    more = "pathlib.Path('only.txt').write_text('')\n"
    verdict = verify(tmp_path, write.format(1), write.format(2) + more)
    assert [(each.path, each.why) for each in verdict.files] == [
        ("b.bin", "the bytes differ"),
        ("only.txt", "only the port writes it"),
    ]


def test_text_files_are_compared_by_the_rules(tmp_path: Path) -> None:
    write = "import pathlib\npathlib.Path('a.txt').write_text('x {}')\n"
    rules = Rules(Tolerance(relative=1e-3))
    assert verify(tmp_path, write.format(1.0), write.format(1.0001), rules).same


def test_an_input_that_a_program_changes_counts_as_written(tmp_path: Path) -> None:
    verdict = verify(tmp_path, "open('input.txt', 'w').write('6')", "pass")
    assert [each.path for each in verdict.files] == ["input.txt"]


def test_the_build_folder_is_not_copied(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "build").mkdir(parents=True)
    (tree / "build" / "object.o").write_text("")
    (tree / "data.txt").write_text("")
    copy = working_copy(tree, tmp_path / "copy", tree / "build")
    assert list(snapshot(copy)) == ["data.txt"]


def test_a_tree_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_COPY", 3)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "data.txt").write_text("1234")
    with pytest.raises(UsageError, match="name the program's folder"):
        working_copy(tree, tmp_path / "copy", tmp_path / "out")


def test_written() -> None:
    assert written({"a": "1", "b": "1"}, {"a": "1", "b": "2", "c": "3"}) == {"b": "2", "c": "3"}


def test_kernel_times_are_read_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "times.txt"
    path.write_text("1000\t2\t_Z1kPf\n500\t1\t_Z1gIfEvT_\n")
    original = read_times(path)
    assert original["_Z1kPf"] == KernelTime("_Z1kPf", 1000, 2)
    port = {"_Z1kPf": KernelTime("_Z1kPf", 1100, 2), "_Z1gIfEvT_": KernelTime("_Z1gIfEvT_", 500, 1)}
    found = ratios(original, port)
    assert found is not None
    assert found.total == pytest.approx(1600 / 1500)
    assert found.median == pytest.approx(1.05)
    assert ratios(original, {}) is None
    assert read_times(tmp_path / "missing.txt") == {}
