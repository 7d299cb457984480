"""The files that a program writes: each side runs in a folder of its own, a copy of the tree."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import UsageError
from hipify.verify.compare import Comparison, Rules, compare_texts

LARGEST_COPY = 2 << 30
_LEFT_OUT = frozenset((".git", ".hg", ".svn", ".hipify", "__pycache__"))
_SAMPLE = 1 << 16
_LARGEST_TEXT = 64 << 20


@dataclass(frozen=True)
class FileDifference:
    """A file that differs: its path in the folder, why, and how the texts differ where they do."""

    path: str
    why: str
    comparison: Comparison | None = None


def working_copy(tree: Path, folder: Path, leave_out: Path) -> Path:
    """A fresh copy of a tree's files for a program to run in; of a single file, an empty folder.

    `leave_out` is the build folder. Raises UsageError for a tree that is too large to be copied.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if not tree.is_dir():
        return folder
    size = 0
    for path in _files(tree, leave_out):
        size += path.stat().st_size
        if size > LARGEST_COPY:
            raise UsageError(
                f"{tree} is larger than {LARGEST_COPY >> 30} GiB: name the program's folder only"
            )
        target = folder / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return folder


def _files(folder: Path, leave_out: Path | None = None) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path == leave_out or path.name in _LEFT_OUT:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path, leave_out)
        elif path.is_file():
            yield path


def snapshot(folder: Path) -> dict[str, str]:
    """Every file of a folder by its path, with a digest of its bytes."""
    return {path.relative_to(folder).as_posix(): _digest(path) for path in _files(folder)}


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def written(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """The files that are new or have changed."""
    return {path: digest for path, digest in after.items() if before.get(path) != digest}


def compare_files(
    original: Path, port: Path, wrote: dict[str, str], port_wrote: dict[str, str], rules: Rules
) -> list[FileDifference]:
    """Compares what both sides wrote: texts by the rules, other files byte by byte."""
    found = []
    for path in sorted(wrote.keys() | port_wrote.keys()):
        if path not in port_wrote:
            found.append(FileDifference(path, "the port does not write it"))
        elif path not in wrote:
            found.append(FileDifference(path, "only the port writes it"))
        elif wrote[path] != port_wrote[path]:
            difference = _compare(path, original / path, port / path, rules)
            if difference is not None:
                found.append(difference)
    return found


def _compare(name: str, original: Path, port: Path, rules: Rules) -> FileDifference | None:
    if not (_is_text(original) and _is_text(port)):
        return FileDifference(name, "the bytes differ")
    texts = [path.read_bytes().decode("utf-8", "replace") for path in (original, port)]
    comparison = compare_texts(texts[0], texts[1], rules)
    return None if comparison.same else FileDifference(name, "the texts differ", comparison)


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
    return b"\0" not in sample and path.stat().st_size <= _LARGEST_TEXT
