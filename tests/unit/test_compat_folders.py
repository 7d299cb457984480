"""hipexamine and hipconvertinplace over a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.compat import folders

SOURCE = "#include <cuda_runtime.h>\nint main() { return cudaDeviceReset() == cudaSuccess; }\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name in ("a.cu", "sub/b.CPP", "sub/c.cuh", "notes.txt"):
        (tmp_path / name).write_text(SOURCE)
    return tmp_path


def test_examining_counts_and_writes_nothing(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = sorted(tree.rglob("*"))
    assert folders.examine([str(tree), "-engine=text"]) == 0
    assert folders.examine_perl([str(tree)]) == 0
    assert capfd.readouterr().err.count("GLOBAL") == 2
    assert sorted(tree.rglob("*")) == before


def test_converting_in_place_takes_all_code(tree: Path) -> None:
    assert folders.convert_in_place([str(tree), "-engine=text", "--", "-x", "cuda"]) == 0
    for name in ("a.cu", "sub/b.CPP", "sub/c.cuh"):
        assert "hipDeviceReset" in (tree / name).read_text()
    assert (tree / "notes.txt").read_text() == SOURCE


@pytest.mark.parametrize(
    ("kind", "changed"), [("sources", {"a.cu", "b.CPP"}), ("headers", {"c.cuh"})]
)
def test_perls_way_keeps_originals_and_filters(tree: Path, kind: str, changed: set[str]) -> None:
    assert folders.convert_in_place_perl([str(tree), f"-filter={kind}", "-quiet-warnings"]) == 0
    kept = {path.name.removesuffix(".prehip") for path in tree.rglob("*.prehip")}
    assert kept == changed


def test_a_folder_without_code_is_fine_and_a_missing_one_is_not(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert folders.examine([str(tmp_path)]) == 0
    assert folders.examine([str(tmp_path / "missing")]) == 1
    assert folders.examine([]) == 1
    assert folders.convert_in_place_perl([str(tmp_path), "-filter=odd"]) == 1
    assert "choose one of" in capfd.readouterr().err
