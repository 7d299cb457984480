"""Broken mappings are refused with file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.database.source import read_folder, read_yaml
from hipify.errors import MappingError

HEAD = "library: runtime\nsection: Memory\nentries:\n"
ENTRY = "  cudaMalloc: {kind: function, hip: hipMalloc}\n"


def _file(folder: Path, text: str | bytes) -> Path:
    path = folder / "runtime" / "memory.yaml"
    path.parent.mkdir()
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_reads_entries_and_headers(tmp_path: Path) -> None:
    _file(
        tmp_path,
        HEAD
        + '  cudaFree: {kind: function, hip: hipFree, hip_before: {"10.0": b, "9.0": a}}\n'
        + ENTRY
        + "headers:\n  cuda.h: {hip: x.h, main: v1}\n",
    )
    entries, headers, families = read_folder(str(tmp_path))
    assert [fields["cuda"] for fields in entries] == ["cudaFree", "cudaMalloc"]
    assert entries[0]["hip_before"] == (("9.0", "a"), ("10.0", "b")), "ordered as versions"
    assert headers[0]["main"] == "v1"
    assert families == []


def test_duplicate_key_names_its_line(tmp_path: Path) -> None:
    path = _file(tmp_path, HEAD + ENTRY + ENTRY)
    with pytest.raises(MappingError, match=r"memory\.yaml:5: cudaMalloc is there twice; keep one"):
        read_yaml(path)


def test_duplicate_key_inside_an_entry(tmp_path: Path) -> None:
    path = _file(tmp_path, HEAD + "  a: {kind: function, hip: b, hip: c}\n")
    with pytest.raises(MappingError, match=r"memory\.yaml:4: hip is there twice"):
        read_yaml(path)


def test_broken_yaml_names_its_line(tmp_path: Path) -> None:
    path = _file(tmp_path, HEAD + "  a: {kind: function, hip: b\n  c: }\n")
    with pytest.raises(MappingError, match=r"memory\.yaml:\d: not valid YAML: .*mend this line"):
        read_yaml(path)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "word\n"])
def test_a_file_that_is_no_mapping(tmp_path: Path, text: str) -> None:
    with pytest.raises(MappingError, match=r"memory\.yaml:1: expected `library:`"):
        read_yaml(_file(tmp_path, text))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="cannot be read"):
        read_yaml(_file(tmp_path, b"library: \xff\xfe\n"))
    with pytest.raises(MappingError, match="cannot be read"):
        read_yaml(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "entry",
    [
        '  a: {kind: function, hip: b, hip_before: {"seven": c}}\n',
        "  a: {hip: b}\n",
        "  a: b\n",
        "  a: {kind: function, hip: null, because: nothing-of-the-kind}\n",
    ],
)
def test_a_form_that_cannot_be_compiled(tmp_path: Path, entry: str) -> None:
    _file(tmp_path, HEAD + entry)
    with pytest.raises(MappingError, match=r"memory\.yaml:1: not as the schema asks .*db lint"):
        read_folder(str(tmp_path))


def test_a_family_without_a_caveat(tmp_path: Path) -> None:
    (tmp_path / "families.yaml").write_text("families:\n  npp: {library: npp, because: none}\n")
    with pytest.raises(MappingError, match=r"families\.yaml:1: a family lacks"):
        read_folder(str(tmp_path))
