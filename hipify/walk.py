"""Which files of a folder are sources, which are companions, and which are left alone."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipify.errors import UsageError

if TYPE_CHECKING:
    Patterns = tuple[tuple[bool, re.Pattern[str]], ...]

EXTENSIONS = frozenset(
    f".{name}" for name in "cu cuh h hpp hh hxx inl inc ipp tpp c cc c++ cpp cxx".split()
)
"""Lower-case extensions of files that can hold CUDA code."""

SKIPPED_NAMES = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", ".hipify"))
"""Version control's and our own folders (`.git` may also be a file): never part of a tree."""

_OPEN_END = re.compile(r"/\*\*(/?)\s*$")

TEMPORARY_PREFIX, TEMPORARY_SUFFIX = ".hipify-", ".tmp"
"""How our temporary files are named: those that a killed run left are no part of the tree."""


class Kind(Enum):
    """What a walk makes of a path."""

    SOURCE = "source"
    """A file to translate."""
    OTHER = "other"
    """A regular file to copy where a whole tree is wanted."""
    LINK = "link"
    """A symbolic link to a file or a folder; a walk never follows it."""
    UNREADABLE = "unreadable"
    """A folder that could not be listed; `reason` says why."""


class Entry(NamedTuple):
    """One path of a tree. `relative` is seen from the tree's root and has forward slashes.

    `size` is in bytes; `identity` is equal for names of the same file (hard links).
    """

    path: Path
    relative: str
    kind: Kind
    size: int = 0
    identity: tuple[int, int] | str = ""
    reason: str = ""


@dataclass(frozen=True)
class Globs:
    """Patterns in `.gitignore` syntax, and the folder that they are relative to."""

    base: Path
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """What to take from a folder.

    Files that `excludes` match are companions, not sources. What `.gitignore` files match is no
    part of the tree. `leave_out` holds resolved folders that are not entered (an output folder).
    """

    extensions: frozenset[str] = EXTENSIONS
    excludes: tuple[Globs, ...] = ()
    gitignore: bool = True
    leave_out: frozenset[Path] = frozenset()


@dataclass
class WalkCount:
    """What a walk passed over."""

    ignored: int = 0
    """Files and folders that a `.gitignore` matched."""


class _Rules(NamedTuple):
    """Compiled patterns and the prefix, relative to the root, of the paths that they apply to.

    `outer` stands before a path where the patterns come from a folder above the root.
    """

    prefix: str
    outer: str
    patterns: Patterns

    def verdict(self, relative: str) -> bool | None:
        """The word of the last pattern that matches: True to ignore, False to keep, None for none.

        A match must reach the path's end. One that ends before is of a folder around the path, on
        which the verdict has fallen already.
        """
        name = self.outer + relative[len(self.prefix) :]
        for include, pattern in reversed(self.patterns):
            if any(match.end() == len(name) for match in pattern.finditer(name)):
                return include
        return None


@dataclass
class _Folder:
    path: Path
    relative: str
    rules: tuple[_Rules, ...] = ()
    excluded: bool = False


def compiled(lines: list[str], where: str) -> Patterns:
    """Patterns in `.gitignore` syntax as regular expressions, those that begin with `!` as False.

    Raises UsageError, naming `where` they come from, for a pattern that makes no sense.
    """
    from pathspec import GitIgnoreSpec

    # pathspec lets "a/**" and "a/**/" match the folder "a/" itself; git only what is in it.
    exact = [_OPEN_END.sub(r"/**/*\1", line) for line in lines]
    try:
        patterns = GitIgnoreSpec.from_lines(exact).patterns
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None
    return tuple((p.include, p.regex) for p in patterns if p.include is not None and p.regex)


def identity_of(path: Path, status: os.stat_result) -> tuple[int, int] | str:
    """What two names of one file share: its inode, or its resolved path where there are none."""
    if status.st_ino:
        return status.st_dev, status.st_ino
    return os.path.normcase(path.resolve())


def is_source(name: str, selection: Selection) -> bool:
    """Whether a file of this name can hold CUDA code."""
    return Path(name).suffix.lower() in selection.extensions


def walk(root: Path, selection: Selection, count: WalkCount | None = None) -> Iterator[Entry]:
    """All paths of the tree under `root`, each folder's sorted by name, files before subfolders.

    Symbolic links are reported, never followed; devices, pipes and sockets are passed over.
    """
    count = count if count is not None else WalkCount()
    excludes = tuple(_above(root, globs, "exclude") for globs in selection.excludes)
    around = tuple(_repository_rules(root)) if selection.gitignore else ()
    pending = [_Folder(root, "", around)]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder.path) as listing:
                names = sorted(listing, key=lambda item: item.name)
        except OSError as error:
            yield Entry(
                folder.path, folder.relative, Kind.UNREADABLE, reason=error.strerror or str(error)
            )
            continue
        if selection.gitignore and any(item.name == ".gitignore" for item in names):
            folder.rules += tuple(_rules_in(folder.path, folder.relative, ""))
        subfolders = []
        for item in names:
            made = _visit(item, folder, selection, excludes, count)
            if isinstance(made, _Folder):
                subfolders.append(made)
            elif made is not None:
                yield made
        pending.extend(reversed(subfolders))


def _visit(
    item: os.DirEntry[str],
    folder: _Folder,
    selection: Selection,
    excludes: tuple[_Rules, ...],
    count: WalkCount,
) -> Entry | _Folder | None:
    if item.name in SKIPPED_NAMES or _is_temporary(item.name):
        return None
    relative, path = folder.relative + item.name, Path(item.path)
    link = item.is_symlink()
    inner = not link and item.is_dir()
    if _matches(folder.rules, relative, inner):
        count.ignored += 1
        return None
    if link:
        return Entry(path, relative, Kind.LINK)
    excluded = folder.excluded or _matches(excludes, relative, inner)
    if inner:
        if selection.leave_out and path.resolve() in selection.leave_out:
            return None
        return _Folder(path, relative + "/", folder.rules, excluded)
    try:
        status = path.lstat()
    except OSError:
        return Entry(path, relative, Kind.OTHER)  # whoever reads it will say what is wrong
    if not stat.S_ISREG(status.st_mode):
        return None
    source = not excluded and is_source(item.name, selection)
    kind = Kind.SOURCE if source else Kind.OTHER
    return Entry(path, relative, kind, status.st_size, identity_of(path, status))


def _is_temporary(name: str) -> bool:
    return name.startswith(TEMPORARY_PREFIX) and name.endswith(TEMPORARY_SUFFIX)


def _matches(rules: tuple[_Rules, ...], relative: str, is_folder: bool) -> bool:
    """The word of the innermost rules that have one, as git decides."""
    name = relative + "/" if is_folder else relative
    for rule in reversed(rules):
        verdict = rule.verdict(name)
        if verdict is not None:
            return verdict
    return False


def _above(root: Path, globs: Globs, where: str) -> _Rules:
    """Rules whose base may be the root, a folder above it or one within it."""
    base, here = globs.base.resolve(), root.resolve()
    spec = compiled(list(globs.patterns), where)
    if here.is_relative_to(base):
        outer = here.relative_to(base).as_posix()
        return _Rules("", "" if outer == "." else outer + "/", spec)
    return _Rules("", "", spec)


def _rules_in(folder: Path, prefix: str, outer: str, name: str = ".gitignore") -> Iterator[_Rules]:
    """The rules of one ignore file; none where it cannot be read, as git has it."""
    path = folder / name
    try:
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    except OSError:
        return
    sensible = []
    for line in text.splitlines():
        try:
            compiled([line], str(path))
        except UsageError:
            continue  # git passes over patterns that make no sense
        sensible.append(line)
    if sensible:
        yield _Rules(prefix, outer, compiled(sensible, str(path)))


def _repository_rules(root: Path) -> Iterator[_Rules]:
    """The ignore files of the repository around `root`, outermost first."""
    here = root.resolve()
    chain = [here, *here.parents]
    top = next((at for at, folder in enumerate(chain) if (folder / ".git").exists()), None)
    if top is None:
        return
    outer = here.relative_to(chain[top]).as_posix()
    outer = "" if outer == "." else outer + "/"
    yield from _rules_in(chain[top] / ".git" / "info", "", outer, "exclude")
    for folder in reversed(chain[1 : top + 1]):
        yield from _rules_in(folder, "", here.relative_to(folder).as_posix() + "/")
