"""The corpus and its manifest agree: every folder is described, every described file is there."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
MANIFEST: dict[str, Any] = yaml.safe_load((CORPUS / "manifest.yaml").read_text(encoding="utf-8"))
PROGRAMS: dict[str, dict[str, Any]] = MANIFEST["programs"]
FOLDERS = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
TRANSLATION_UNITS = {".cu", ".cpp", ".cc", ".c"}

TEXT = {"type": "string", "pattern": r"^\S(.*\S)?$"}
TEXTS = {"type": "array", "items": TEXT, "minItems": 1, "uniqueItems": True}
RELATIVE_PATH = {"type": "string", "pattern": r"^(?!/|.*\\|(.*/)?\.\.(/|$)).+$"}
PATHS = {"type": "array", "items": RELATIVE_PATH, "minItems": 1, "uniqueItems": True}
TARGET = {"type": "string", "pattern": r"^gfx[0-9]+[0-9a-f]{2}$"}
EXCEPTIONS = {
    "type": "object",
    "required": ["except", "because"],
    "additionalProperties": False,
    "properties": {
        "except": {"type": "array", "items": TARGET, "minItems": 1, "uniqueItems": True},
        "because": TEXT,
    },
}
PROGRAM = {
    "type": "object",
    "required": ["title", "shows", "libraries", "sources", "link", "targets", "wave"],
    "additionalProperties": False,
    "properties": {
        "title": TEXT,
        "shows": TEXTS,
        "libraries": TEXTS,
        "sources": PATHS,
        "link": {"type": "array", "items": {"type": "string", "pattern": r"^-l\w+$"}},
        "targets": {"oneOf": [{"const": "all"}, EXCEPTIONS]},
        "wave": {"type": "boolean"},
        "include": PATHS,
        "images": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": RELATIVE_PATH,
            "additionalProperties": RELATIVE_PATH,
        },
    },
}
SCHEMA = {
    "type": "object",
    "required": ["libraries", "programs"],
    "additionalProperties": False,
    "properties": {
        "libraries": {"type": "object", "additionalProperties": TEXT, "minProperties": 1},
        "programs": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {r"^[a-z0-9]+(-[a-z0-9]+)*$": PROGRAM},
        },
    },
}


def listed_units(program: dict[str, Any]) -> set[str]:
    return {*program["sources"], *program.get("images", {}).values()}


def corpus_bytes() -> list[bytes]:
    return [path.read_bytes() for name in FOLDERS for path in sorted((CORPUS / name).rglob("*.cu"))]


def test_manifest_has_the_documented_shape() -> None:
    jsonschema.validate(MANIFEST, SCHEMA)


@pytest.mark.parametrize(
    "path", ["/etc/main.cu", "../main.cu", "src/../../main.cu", "src\\main.cu"]
)
def test_schema_refuses_paths_that_leave_the_folder(path: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([path], PATHS)


def test_every_folder_is_in_the_manifest_and_the_other_way_round() -> None:
    assert sorted(PROGRAMS) == FOLDERS


def test_manifest_is_sorted() -> None:
    assert list(PROGRAMS) == sorted(PROGRAMS)


def test_libraries_come_from_the_vocabulary_and_each_is_used() -> None:
    used = {library for program in PROGRAMS.values() for library in program["libraries"]}
    assert used == set(MANIFEST["libraries"])


@pytest.mark.parametrize("name", FOLDERS)
def test_listed_files_exist(name: str) -> None:
    program = PROGRAMS[name]
    missing = [unit for unit in listed_units(program) if not (CORPUS / name / unit).is_file()]
    missing += [path for path in program.get("include", []) if not (CORPUS / name / path).is_dir()]
    assert missing == []


@pytest.mark.parametrize("name", FOLDERS)
def test_translation_units_on_disk_are_listed(name: str) -> None:
    folder = CORPUS / name
    found = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in TRANSLATION_UNITS
    }
    assert found == listed_units(PROGRAMS[name])


@pytest.mark.parametrize("name", FOLDERS)
def test_expected_output_is_there_and_ends_in_pass(name: str) -> None:
    expected = (CORPUS / name / "expected.txt").read_bytes()
    lines = expected.split(b"\n")
    assert lines[-2:] == [b"PASS", b""]
    assert len(lines) > 2, "a result comes before PASS"
    assert b"\r" not in expected
    assert expected.isascii()


@pytest.mark.parametrize("name", FOLDERS)
def test_program_can_fail(name: str) -> None:
    """The word for a mismatch is in the sources, so the check is not a formality."""
    units = b"".join((CORPUS / name / unit).read_bytes() for unit in PROGRAMS[name]["sources"])
    assert b"FAIL" in units


def test_some_source_has_a_byte_order_mark_and_crlf_throughout() -> None:
    marked = [data for data in corpus_bytes() if data.startswith(b"\xef\xbb\xbf")]
    assert marked
    assert all(data.count(b"\n") == data.count(b"\r\n") > 0 for data in marked)


def test_some_source_is_latin_1() -> None:
    def is_utf_8(data: bytes) -> bool:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    assert not all(is_utf_8(data) for data in corpus_bytes())


@pytest.mark.parametrize(
    ("build_file", "marker"), [("Makefile", "nvcc"), ("CMakeLists.txt", "CUDA")]
)
def test_some_program_has_a_build_file_for_cuda(build_file: str, marker: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in CORPUS.glob(f"*/{build_file}")]
    assert any(marker in text for text in texts)
