"""From the paths that a user names to the jobs for them: walk, layout of the output, collisions."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify.errors import UsageError
from hipify.options import Options
from hipify.tree.disk import absolute, reason
from hipify.tree.file import renamed
from hipify.tree.results import Action, Job
from hipify.tree.support import is_support_header
from hipify.walk import Entry, Kind, Selection, WalkCount, identity_of, is_source, walk


@dataclass
class Plan:
    """The jobs of a run. `root` is the deepest folder that holds all of its paths.

    `output` is the folder that outputs go to, None where they go elsewhere. `ignored` counts the
    paths that a `.gitignore` kept out. `kept` is as in Work.
    """

    root: Path
    output: Path | None = None
    jobs: list[Job] = field(default_factory=list)
    ignored: int = 0
    kept: frozenset[Path] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The names of all files of the plan, without their folders."""
        return frozenset(job.source.name for job in self.jobs)


def common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that holds all paths; a folder holds itself."""
    folders = [absolute(path if path.is_dir() else path.parent) for path in paths]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:
        raise UsageError("the paths lie on different drives: run once for each") from None


def make_plan(
    paths: Sequence[Path],
    action: Action,
    options: Options,
    selection: Selection,
    output: Path | None = None,
) -> Plan:
    """The jobs for files and folders, each file once, in the order of the paths.

    With an `output` folder the tree below the paths' common folder is laid out there, companions
    and symbolic links included. `action` is what is done with sources.

    Raises UsageError for a path that is not there, folders that hold no source file, and an output
    that would overwrite a source.
    """
    for path in paths:
        _require(path)
    root = common_folder(paths)
    if output is not None:
        _require_apart(output, paths)
        selection = replace(selection, leave_out=selection.leave_out | {output.resolve()})
    planner = _Planner(root, action, options, selection, output)
    count = WalkCount()
    for path in paths:
        if path.is_dir():
            planner.add_folder(path, count)
        else:
            planner.add_file(path)
    return Plan(root, output, planner.finished(), count.ignored, frozenset(planner.kept))


def _require(path: Path) -> None:
    try:
        path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise UsageError(f"{path}: is a symbolic link to nowhere") from None
        raise UsageError(f"{path}: no such file or folder") from None
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path}: cannot be read: {why}") from None


def _require_apart(output: Path, paths: Sequence[Path]) -> None:
    if output.exists() and not output.is_dir():
        raise UsageError(f"-o {output}: is a file, and a folder is needed for more than one file")
    for path in paths:
        if path.is_dir() and path.resolve() == output.resolve():
            raise UsageError(
                f"-o {output}: is the source folder itself: use --in-place, or name another folder"
            )


class _Planner:
    """Gathers jobs; knows which files and which outputs are taken already."""

    def __init__(
        self,
        root: Path,
        action: Action,
        options: Options,
        selection: Selection,
        output: Path | None,
    ) -> None:
        self.root, self.action, self.options = root, action, options
        self.selection, self.output = selection, output
        self.kept: set[Path] = set()
        self._jobs: list[Job] = []
        self._seen: dict[object, int] = {}
        """Number of the job for each file and extension."""
        self._paths: set[str] = set()
        self._inputs: set[str] = set()
        self._folders: dict[Path, str] = {}

    def add_folder(self, folder: Path, count: WalkCount) -> None:
        """All of a folder; it must hold a source."""
        sources = 0
        failed = 0
        for entry in walk(folder, self.selection, count):
            sources += entry.kind is Kind.SOURCE
            failed += entry.kind is Kind.UNREADABLE
            self._add_entry(entry)
        if not sources and not failed:
            wanted = " ".join(sorted(self.selection.extensions))
            ignored = f"; .gitignore hides {count.ignored} paths" if count.ignored else ""
            raise UsageError(f"{folder}: no source files in it ({wanted}{ignored})")

    def add_file(self, path: Path) -> None:
        """A file that was named, whatever its extension."""
        status = path.stat()
        if self.action is Action.REPLACE and path.is_symlink():
            if self._is_new(path):
                self._fail(path, f"is a symbolic link: name the file itself, {path.resolve()}")
            return
        if self.action is Action.REPLACE and not stat.S_ISREG(status.st_mode):
            self._fail(path, "is no regular file, so it cannot be replaced")
            return
        size = status.st_size
        self._add_source(path, size, identity_of(path, status))

    def _add_entry(self, entry: Entry) -> None:
        kind = entry.kind
        if kind is Kind.OTHER and entry.path.suffix in self.options.renamed_files:
            self.kept.add(absolute(entry.path))
        if kind is Kind.UNREADABLE:
            self._fail(entry.path, f"the folder cannot be listed: {entry.reason}")
        elif kind is Kind.SOURCE and not is_support_header(entry.path, entry.relative):
            self._add_source(entry.path, entry.size, entry.identity)
        elif self.output is not None and self._is_new(entry.path):
            if kind is Kind.LINK:
                self._add_link(entry)
            else:
                self._inputs.add(self._real(entry.path))
                output = self._place(entry.path)
                self._jobs.append(
                    Job(entry.path, str(entry.path), Action.COPY, output, size=entry.size)
                )

    def _add_source(self, path: Path, size: int, identity: object) -> None:
        self._inputs.add(self._real(path))
        if not self._is_new(path):
            return
        output = renamed(self._place(path), self.options) if self.output is not None else None
        if self.action is Action.REPLACE:
            output = renamed(path, self.options)
        key = (identity, path.suffix)
        if key in self._seen:
            number = self._seen[key]
            first = self._jobs[number]
            if output is not None and output != first.output:
                self._jobs[number] = replace(first, aliases=(*first.aliases, output))
            return
        self._seen[key] = len(self._jobs)
        self._jobs.append(Job(path, str(path), self.action, output, size=size))

    def _add_link(self, entry: Entry) -> None:
        """Reproduces a link: one into the tree within the output, one out of it as a full path."""
        text = str(entry.path.readlink())
        leads_to = absolute(entry.path.parent / text)
        output = self._place(entry.path)
        if leads_to.is_relative_to(self.root):
            if Path(text).is_absolute():
                text = str(absolute(self._place(leads_to)))
            if leads_to.is_file() and is_source(leads_to.name, self.selection):
                text = str(renamed(Path(text), self.options))
                output = renamed(output, self.options)
        else:
            text = str(leads_to)
        self._jobs.append(Job(entry.path, str(entry.path), Action.LINK, output, text))

    def _is_new(self, path: Path) -> bool:
        key = os.path.normcase(absolute(path))
        if key in self._paths:
            return False
        self._paths.add(key)
        return True

    def _place(self, path: Path) -> Path:
        assert self.output is not None
        return self.output / os.path.relpath(absolute(path), self.root)

    def _fail(self, path: Path, why: str) -> None:
        self._jobs.append(Job(path, str(path), Action.FAIL, target=why))

    def _real(self, path: Path) -> str:
        """The path with links in its folder, but not in its name, followed."""
        folder = self._folders.get(path.parent)
        if folder is None:
            folder = self._folders[path.parent] = os.path.realpath(path.parent)
        return os.path.normcase(Path(folder) / path.name)

    def finished(self) -> list[Job]:
        """All jobs; one whose output is another's too, or lies behind a link, is now a failure."""
        if self.output is None:
            return self._jobs
        taken: dict[str, Job] = {}
        jobs = []
        for job in self._jobs:
            why = ""
            for output in (job.output, *job.aliases):
                if output is not None:
                    why = why or self._obstacle(output, job, taken)
            jobs.append(replace(job, action=Action.FAIL, target=why, output=None) if why else job)
        return jobs

    def _obstacle(self, output: Path, job: Job, taken: dict[str, Job]) -> str:
        real = self._real(output)
        if real in self._inputs:
            raise UsageError(
                f"{output}, the output for {job.name}, is a source itself: "
                "name another folder with -o"
            )
        other = taken.setdefault(real, job)
        if other is not job:
            return f"its output {output} is that of {other.name} already"
        assert self.output is not None
        for folder in output.parents:
            if folder == self.output:
                break
            if folder.is_symlink():
                return f"its output would be written through the symbolic link {folder}"
        return ""
