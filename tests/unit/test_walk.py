"""A walk takes what git would take, follows no link, and says what it could not see."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify.errors import UsageError
from hipify.walk import Globs, Kind, Selection, WalkCount, walk

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def plant(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"int x;\n")


def names(root: Path, selection: Selection | None = None, kind: Kind | None = None) -> list[str]:
    entries = walk(root, selection or Selection())
    return [entry.relative for entry in entries if kind is None or entry.kind is kind]


def git(root: Path, *arguments: str) -> str:
    clean = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments], cwd=root, env=clean, capture_output=True, text=True, check=True
    )
    return done.stdout


def untracked(root: Path) -> list[str]:
    """The files that git sees, minus the ignore files themselves."""
    listed = git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    return sorted(name for name in listed if name)


def test_sources_companions_and_order(tmp_path: Path) -> None:
    plant(tmp_path, "b.cu", "a.CU", "Makefile", "z/a.cuh", "b/x.cpp", "b/data.bin", "c++.c++")
    entries = list(walk(tmp_path, Selection()))
    assert [entry.relative for entry in entries] == [
        *("Makefile", "a.CU", "b.cu", "c++.c++"),
        *("b/data.bin", "b/x.cpp"),
        "z/a.cuh",
    ]
    others = [entry.relative for entry in entries if entry.kind is Kind.OTHER]
    assert others == ["Makefile", "b/data.bin"]


def test_every_extension_of_the_list_is_a_source(tmp_path: Path) -> None:
    listed = "c cc cpp cu cuh cxx h hh hpp hxx inc inl ipp tpp"
    plant(tmp_path, *(f"a.{extension}" for extension in listed.split()))
    assert len(names(tmp_path, kind=Kind.SOURCE)) == len(listed.split())


def test_version_control_and_our_leftovers_are_no_part_of_the_tree(tmp_path: Path) -> None:
    plant(tmp_path, "a.cu", ".git/x.cu", "sub/.git", ".hg/x.cu", ".hipify-12-3.tmp", ".hipify/x.cu")
    assert names(tmp_path) == ["a.cu"]


def test_nested_ignore_files_and_negation(tmp_path: Path) -> None:
    plant(tmp_path, "a.cu", "gen/a.cu", "gen/keep.cu", "lib/b.cu", "lib/c.cu", "lib/in/b.cu")
    (tmp_path / ".gitignore").write_text("gen/*\n!gen/keep.cu\nb.cu\n")
    (tmp_path / "lib/.gitignore").write_text("!/b.cu\nc.cu\n")
    count = WalkCount()
    found = [e.relative for e in walk(tmp_path, Selection(), count) if e.kind is Kind.SOURCE]
    assert found == ["a.cu", "gen/keep.cu", "lib/b.cu"]
    assert count.ignored == 3
    every = names(tmp_path, Selection(gitignore=False), Kind.SOURCE)
    assert len(every) == 6


def test_ignore_files_above_the_root_count_inside_a_repository(tmp_path: Path) -> None:
    plant(tmp_path, "src/a.cu", "src/gen.cu", "src/deep/gen.cu", "src/secret.cu")
    (tmp_path / ".gitignore").write_text("/src/gen.cu\n")
    assert "gen.cu" in names(tmp_path / "src"), "without a repository the folder stands for itself"
    (tmp_path / ".git/info").mkdir(parents=True)
    (tmp_path / ".git/info/exclude").write_text("secret.cu\n")
    assert names(tmp_path / "src") == ["a.cu", "deep/gen.cu"]


def test_ignore_file_with_bom_crlf_and_a_senseless_pattern(tmp_path: Path) -> None:
    plant(tmp_path, "a.cu", "b.cu", "c.cu")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfa.cu\r\n!\r\nb.cu\r\n\xff\xfe\n")
    assert names(tmp_path, kind=Kind.SOURCE) == ["c.cu"]


@needs_git
@pytest.mark.parametrize(
    "lines",
    [
        ["build/", "!build/keep.cu"],
        ["build/**", "!build/keep.cu"],
        ["build/*", "!build/sub/"],
        ["**/sub", "!/sub"],
        ["*.cu", "!a.cu", "/a.cu"],
        ["a?.cu", r"\!x.cu", "# no", r"\#x.cu", "x.cu   "],
        ["sub/a.cu", "/build/sub/*.cu"],
        ["[ab].cu", "[!b]b.cu"],
        ["a/**/b.cu"],
        ["*", "!*/", "!*.cu"],
    ],
)
def test_ignores_what_git_ignores(tmp_path: Path, lines: list[str]) -> None:
    git(tmp_path, "init", "-q")
    plant(tmp_path, "a.cu", "ab.cu", "b.cu", "x.cu", "!x.cu", "#x.cu", "bb.cu", "sub/a.cu")
    plant(tmp_path, "build/keep.cu", "build/o.cu", "build/sub/a.cu", "a/b.cu", "a/c/d/b.cu")
    (tmp_path / ".gitignore").write_text("\n".join(lines) + "\n")
    assert sorted(names(tmp_path)) == untracked(tmp_path)


PARTS = st.sampled_from(["a", "b", "*", "?", "**", "a*", "[ab]"])
PATTERNS = st.builds(
    lambda negated, anchor, parts, tail: negated + anchor + "/".join(parts) + tail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)


@needs_git
@settings(max_examples=30)  # git takes its time
@given(st.lists(PATTERNS, max_size=4), st.lists(PATTERNS, max_size=3))
def test_ignores_what_git_ignores_whatever_the_patterns(
    tmp_path_factory: pytest.TempPathFactory, outer: list[str], inner: list[str]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q")
    plant(root, "a", "b/a", "b/b/a", "b/b/b", "ab/a/b", "ab/c", "c/b")
    (root / ".gitignore").write_text("\n".join(outer) + "\n")
    (root / "b/.gitignore").write_text("\n".join(inner) + "\n")
    assert sorted(names(root)) == untracked(root)
    shutil.rmtree(root)


def test_excluded_files_are_companions(tmp_path: Path) -> None:
    plant(tmp_path, "a.cu", "vendor/a.cu", "vendor/in/b.cu", "src/test.cu")
    excludes = (Globs(tmp_path, ("vendor/", "*test.cu")),)
    assert names(tmp_path, Selection(excludes=excludes), Kind.SOURCE) == ["a.cu"]
    assert len(names(tmp_path, Selection(excludes=excludes))) == 4


def test_excludes_count_from_their_own_folder(tmp_path: Path) -> None:
    plant(tmp_path, "proj/src/a.cu", "proj/src/b.cu")
    excludes = (Globs(tmp_path / "proj", ("/src/b.cu",)),)
    assert names(tmp_path / "proj/src", Selection(excludes=excludes), Kind.SOURCE) == ["a.cu"]


def test_a_senseless_exclude_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exclude"):
        list(walk(tmp_path, Selection(excludes=(Globs(tmp_path, ("!",)),))))


def test_links_are_told_and_not_followed(tmp_path: Path) -> None:
    plant(tmp_path, "tree/a.cu", "outside/b.cu")
    tree = tmp_path / "tree"
    (tree / "loop").symlink_to(".", target_is_directory=True)
    (tree / "out").symlink_to("../outside", target_is_directory=True)
    (tree / "b.cu").symlink_to("../outside/b.cu")
    (tree / "self").symlink_to("self")
    assert names(tree, kind=Kind.LINK) == ["b.cu", "loop", "out", "self"]
    assert names(tree, kind=Kind.SOURCE) == ["a.cu"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    plant(tmp_path, "a.cu")
    os.mkfifo(tmp_path / "pipe.cu")
    assert names(tmp_path) == ["a.cu"]


def test_a_folder_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "a.cu", "locked/b.cu", "z/c.cu")
    real = os.scandir

    def scandir(path: Path) -> os._ScandirIterator[str]:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    entries = list(walk(tmp_path, Selection()))
    assert [entry.relative for entry in entries] == ["a.cu", "locked/", "z/c.cu"]
    assert (entries[1].kind, entries[1].reason) == (Kind.UNREADABLE, "Permission denied")


def test_deep_folders_need_no_recursion(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(400):
        folder /= "d"
    folder.mkdir(parents=True)
    plant(folder, "a.cu")
    (found,) = names(tmp_path)
    assert found.count("d/") == 400
