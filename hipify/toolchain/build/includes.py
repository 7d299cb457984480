"""The include directives of source files, and the folders in which their headers are found."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

DIRECTIVE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


class Include(NamedTuple):
    """One directive."""

    name: str
    quoted: bool


def includes(path: Path) -> list[Include]:
    """The directives of a file; none when it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    return [
        Include(match[2].decode("utf-8", "replace").strip(), match[1] == b'"')
        for match in DIRECTIVE.finditer(data)
    ]


def closure(files: Iterable[Path], folders: Sequence[Path] = ()) -> Iterator[Path]:
    """The files, and whatever they include from where they lie or from `folders`, each once.

    Headers of the system and of CUDA itself are left out.
    """
    todo = deque(files)
    seen = set(todo)
    while todo:
        path = todo.popleft()
        yield path
        for include in includes(path):
            beside = Path(_normal(path.parent / include.name))
            header: Path | None = beside
            if not include.quoted or not beside.is_file():
                places = (Path(_normal(folder / include.name)) for folder in folders)
                header = next((place for place in places if place.is_file()), None)
                if header is not None and is_system(header):
                    continue
            if header is not None and header not in seen:
                seen.add(header)
                todo.append(header)


def is_system(header: Path) -> bool:
    """Whether a header belongs to the system, a CUDA toolkit or ROCm."""
    if header.is_relative_to("/usr") or header.is_relative_to("/opt"):
        return True
    return any((folder / "cuda_runtime.h").exists() for folder in header.parents[:3])


def _normal(path: Path) -> str:
    return os.path.normpath(path)  # resolve() would follow links


class IncludeFinder:
    """Knows the files of a tree, and from which folders an include of one of them works."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._by_name: dict[str, list[Path]] = {}
        for path in files:
            self._by_name.setdefault(path.name, []).append(path)

    def target(self, includer: Path, include: Include) -> Path | None:
        """The file of the tree that an include means, the nearest one when several fit."""
        if include.quoted:
            beside = Path(_normal(includer.parent / include.name))
            if beside in self._by_name.get(beside.name, ()):
                return beside
        parts = Path(include.name).parts
        if ".." in parts or not parts:
            return None
        fits = [
            path
            for path in self._by_name.get(parts[-1], ())
            if path.parts[-len(parts) :] == parts and path != includer
        ]
        return max(fits, key=lambda path: _shared(path, includer), default=None)

    def folders(self, unit: Path) -> list[Path]:
        """The folders that a unit and the headers it reaches need, in order of first need."""
        folders: dict[Path, None] = {}
        todo, seen = deque([unit]), {unit}
        while todo:
            path = todo.popleft()
            for include in includes(path):
                target = self.target(path, include)
                if target is None or target in seen:
                    continue
                seen.add(target)
                todo.append(target)
                depth = len(Path(include.name).parts)
                if not include.quoted or target != Path(_normal(path.parent / include.name)):
                    folders[target.parents[depth - 1]] = None
        return list(folders)


def _shared(path: Path, other: Path) -> tuple[int, int]:
    """How near two files are: parts of the path in common, then shortness."""
    common = 0
    for mine, its in zip(path.parts, other.parts, strict=False):
        if mine != its:
            break
        common += 1
    return common, -len(path.parts)


def existing(folders: Sequence[Path]) -> list[Path]:
    """The folders that are there, each once."""
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]
