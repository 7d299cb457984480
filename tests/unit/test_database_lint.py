"""The lint: silent on the real database, and it names each planted fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hipify.commands import db
from hipify.database.compiled import mappings_folder
from hipify.database.lint import lint
from hipify.errors import MappingError

GOOD = """library: runtime
section: Memory
entries:
  cudaFree: {kind: function, hip: hipFree}
  cudaMalloc: {kind: function, hip: hipMalloc, rocm: {added: "1.5.0"}}
  cudaNever: {kind: function, hip: null, because: for-tests}
"""
CAVEATS = 'caveats:\n  for-tests: "There is no such thing; use another."\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    real = Path(mappings_folder())
    for name in ("schema.json", "hip_api.txt.gz"):
        shutil.copy(real / name, tmp_path / name)
    (tmp_path / "caveats.yaml").write_text(CAVEATS)
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "memory.yaml").write_text(GOOD)
    return tmp_path


def test_the_real_database_is_clean() -> None:
    assert [str(fault) for fault in lint(mappings_folder())] == []


def test_the_sample_is_clean(folder: Path) -> None:
    assert lint(str(folder)) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("hip: hipFree}", "hip: hipFree, hop: x}", 4, "'hop' was unexpected"),
        ("kind: function, hip: hipFree", "kind: verb, hip: hipFree", 4, "'verb' is not one of"),
        ('added: "1.5.0"', "added: 1.5", 5, "1.5"),
        ('added: "1.5.0"', 'added: "1.x"', 5, "1.x"),
        ("hip: hipMalloc,", "hip: hipMaloc,", 5, "no HIP or ROCm header declares hipMaloc"),
        (", because: for-tests}", "}", 6, "no caveat"),
        ("because: for-tests", "because: for-test", 6, "no caveat 'for-test'"),
        ("hip: hipFree}", "hip: hipFree, rule: no-such-rule}", 4, "no rule 'no-such-rule'"),
        ("hip: hipFree}", "hip: hipFree, also_in: [driver]}", 4, "no other library"),
        (
            "  cudaFree: {kind: function, hip: hipFree}\n",
            "  cudaNone: {kind: function, hip: hipFree}\n",
            5,
            "cudaMalloc stands after cudaNone",
        ),
        ("  cudaFree: {kind", "  cudaFree:\n    {kind", 1, "no line of its own"),
        ("  cudaMalloc: {", "  cudaFree: {", 5, "cudaFree is there twice"),
        ("for-tests}", "for-tests, caveat: 'And it says so too.'}", 6, "a caveat and a because"),
    ],
)
def test_a_planted_fault_is_found(folder: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    (folder / "runtime" / "memory.yaml").write_text(GOOD.replace(old, new))
    found = [f for f in lint(str(folder)) if f.path.endswith("memory.yaml")]
    assert any(fault.line == line and says in fault.message for fault in found), found
    assert all(fault.remedy for fault in found)


def test_names_are_unique_across_files(folder: Path) -> None:
    text = GOOD.replace("Memory", "More")
    (folder / "runtime" / "more.yaml").write_text(text)
    messages = [fault.message for fault in lint(str(folder))]
    assert "cudaFree is in runtime/memory.yaml:4 already" in messages
    (folder / "runtime" / "more.yaml").write_text(text.replace("runtime", "driver"))
    faults = lint(str(folder))
    assert any(fault.remedy == "write also_in: [driver]" for fault in faults)


def test_headers_are_unique_across_files(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / f"{name}.yaml").write_text(
            f"library: {name}\nsection: Headers\nheaders:\n  cuda.h: {{hip: x.h}}\n"
        )
    assert [fault.message for fault in lint(str(folder))] == ["cuda.h is in a.yaml already"]


def test_a_caveat_that_nothing_uses(folder: Path) -> None:
    (folder / "caveats.yaml").write_text(CAVEATS + '  for-what: "Used by no entry at all."\n')
    (fault,) = lint(str(folder))
    assert (fault.line, fault.message) == (3, "caveat for-what is used nowhere")


def test_a_file_that_is_no_yaml_is_one_fault_among_others(folder: Path) -> None:
    (folder / "runtime" / "memory.yaml").write_text(GOOD.replace("hipFree}", "hipFre}"))
    (folder / "runtime" / "other.yaml").write_text("library: [\n")
    messages = [fault.message for fault in lint(str(folder))]
    assert any(message.startswith("not valid YAML") for message in messages)
    assert any("hipFre" in message for message in messages)


def test_a_folder_without_the_list_of_names(folder: Path) -> None:
    (folder / "hip_api.txt.gz").unlink()
    with pytest.raises(MappingError, match=r"hip_api\.txt\.gz: cannot be read"):
        lint(str(folder))


def _run(*words: str) -> int:
    from argparse import ArgumentParser

    parser = ArgumentParser()
    db.configure(parser)
    return db.run(parser.parse_args(words))


def test_the_command_says_and_returns_what_it_found(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("lint", str(folder)) == 0
    assert "no faults" in capsys.readouterr().out
    (folder / "runtime" / "memory.yaml").write_text(GOOD.replace("hipFree}", "hipFre}"))
    assert _run("lint", str(folder)) == 1
    assert "memory.yaml:4: cudaFree: no HIP or ROCm header" in capsys.readouterr().out
    assert _run("lint", "--format", "json", str(folder)) == 1
    assert '"line": 4' in capsys.readouterr().out
