"""The compiled form: used while it is fresh, made anew when stale or damaged, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipify.database import compiled, source
from hipify.database.compiled import cache_folder, content_key, load_cached, pack, write_compiled
from hipify.mapping import Database

TEXT = """library: runtime
section: Memory
entries:
  cudaMalloc: {kind: function, hip: hipMalloc, rocm: {added: "1.5.0"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "mappings"
    (path / "runtime").mkdir(parents=True)
    _write(path, TEXT)
    return path


def _write(folder: Path, text: str, age: float = 60) -> None:
    """Writes the one file of the folder, as of `age` seconds ago."""
    path = folder / "runtime" / "memory.yaml"
    path.write_text(text)
    os.utime(path, (time.time() - age, time.time() - age))


def _name(folder: Path, cache: Path) -> str | None:
    entry = Database(load_cached(str(folder), str(cache))).get("cudaMalloc")
    assert entry is not None
    return entry.hip


@pytest.fixture
def no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes reading the YAML an error, so that only a fresh cache can answer."""

    def refuse(folder: str) -> None:
        raise AssertionError(f"{folder} was read again")

    monkeypatch.setattr(source, "read_folder", refuse)


def _cached(cache: Path) -> Path:
    (path,) = cache.iterdir()
    return path


def test_a_fresh_cache_is_used(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assert _name(folder, tmp_path / "cache") == "hipMalloc"
    request.getfixturevalue("no_yaml")
    assert _name(folder, tmp_path / "cache") == "hipMalloc"


def test_a_change_of_the_same_size_is_noticed(folder: Path, tmp_path: Path) -> None:
    _name(folder, tmp_path / "cache")
    _write(folder, TEXT.replace("hipMalloc", "hipMaxxoc"), age=30)
    assert _name(folder, tmp_path / "cache") == "hipMaxxoc"


def test_a_change_in_the_same_moment_is_noticed(folder: Path, tmp_path: Path) -> None:
    """A file written a moment ago may change without its time changing; then contents decide."""
    now = time.time()
    path = folder / "runtime" / "memory.yaml"
    os.utime(path, (now, now))
    _name(folder, tmp_path / "cache")
    path.write_text(TEXT.replace("hipMalloc", "hipMaxxoc"))
    os.utime(path, (now, now))
    assert _name(folder, tmp_path / "cache") == "hipMaxxoc"


def test_a_touched_file_costs_no_new_compilation(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _name(folder, tmp_path / "cache")
    _write(folder, TEXT, age=30)
    request.getfixturevalue("no_yaml")
    assert _name(folder, tmp_path / "cache") == "hipMalloc"


def test_a_new_file_is_noticed(folder: Path, tmp_path: Path) -> None:
    load_cached(str(folder), str(tmp_path / "cache"))
    (folder / "runtime" / "more.yaml").write_text(TEXT.replace("Malloc", "Free"))
    database = Database(load_cached(str(folder), str(tmp_path / "cache")))
    assert sorted(database.names()) == ["cudaFree", "cudaMalloc"]


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other"])
def test_a_damaged_cache_is_made_anew(folder: Path, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    _name(folder, cache)
    path = _cached(cache)
    data = path.read_bytes()
    at = len(data) - 20
    path.write_bytes(
        {
            "empty": b"",
            "cut": data[:at],
            "flipped": data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :],
            "other": b"something else altogether\n" * 20,
        }[damage]
    )
    assert _name(folder, cache) == "hipMalloc"
    assert path.read_bytes() == data


def test_an_unusable_cache_folder_costs_time_only(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert _name(folder, tmp_path / "file" / "cache") == "hipMalloc"
    assert not write_compiled(str(tmp_path / "file" / "cache" / "x"), b"", b"", b"")


def test_nothing_but_the_cache_is_left_behind(folder: Path, tmp_path: Path) -> None:
    _name(folder, tmp_path / "cache")
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".bin"]


def test_several_processes_at_once(folder: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from hipify.database.compiled import load_cached\n"
        "from hipify.mapping import Database\n"
        "print(Database(load_cached(*sys.argv[1:])).get('cudaMalloc').hip)\n"
    )
    command = [sys.executable, "-c", code, str(folder), str(tmp_path / "cache")]
    root = Path(compiled.__file__).parents[2]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root, text=True) for _ in range(4)
    ]
    outputs = [process.communicate()[0].strip() for process in running]
    assert outputs == ["hipMalloc"] * 4
    assert _name(folder, tmp_path / "cache") == "hipMalloc"


def test_the_key_depends_on_names_and_contents(folder: Path) -> None:
    before = content_key(str(folder))
    assert content_key(str(folder)) == before
    (folder / "runtime" / "memory.yaml").rename(folder / "runtime" / "other.yaml")
    assert content_key(str(folder)) != before


def test_what_is_packed_comes_back() -> None:
    entries = [
        {"cuda": "a", "kind": "type", "library": "x", "section": "s", "hip": "b", "args": ()},
        {"cuda": "a", "kind": "type", "library": "y", "section": "s", "caveat": "No."},
    ]
    headers = [{"cuda": "a.h", "library": "x", "section": "s", "hip": ""}]
    database = Database(pack(entries, headers, [("ab", "x", "Why."), ("a", "x", "Else.")]))
    assert [(e.library, e.hip, e.caveat) for e in database.get_all("a")] == [
        ("x", "b", ""),
        ("y", None, "No."),
    ]
    header = database.header("a.h")
    assert header is not None
    assert header.hip == ""
    assert [database.family(name) for name in ("abC", "aC", "abc")] == ["Why.", "Else.", None]
    assert [entry.cuda for entry in database.by_hip("b")] == ["a"]


def test_bytes_of_another_kind_are_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        Database(b"nothing of the kind")


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPIFY_CACHE_DIR", "chosen")
    assert cache_folder() == "chosen"
    monkeypatch.delenv("HIPIFY_CACHE_DIR")
    assert "hipify" in cache_folder()


def test_a_fresh_cache_needs_no_heavy_imports(folder: Path, tmp_path: Path) -> None:
    _name(folder, tmp_path / "cache")
    code = (
        "import sys; before = set(sys.modules)\n"
        "from hipify.database.compiled import load_cached\n"
        "from hipify.mapping import Database\n"
        "assert Database(load_cached(*sys.argv[1:])).get('cudaMalloc').hip == 'hipMalloc'\n"
        "heavy = {'yaml', 'jsonschema', 'pathlib', 'dataclasses', 'hashlib', 'json', 'gzip'}\n"
        "print(sorted(heavy & (set(sys.modules) - before)))\n"
    )
    command = [sys.executable, "-c", code, str(folder), str(tmp_path / "cache")]
    root = Path(compiled.__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
