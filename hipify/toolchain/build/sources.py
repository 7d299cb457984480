"""The tree that is compiled: a translation in the build folder, or HIP code where it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify.errors import UsageError
from hipify.finding import Severity
from hipify.options import Options
from hipify.toolchain.build.includes import closure
from hipify.tree.disk import absolute
from hipify.tree.lines import LineMap
from hipify.tree.paths import translate_paths
from hipify.tree.plan import common_folder, make_plan
from hipify.tree.results import Action, FileResult, Outcome, Work
from hipify.tree.support import INCLUDE_FOLDER, install
from hipify.walk import EXTENSIONS, Kind, Selection, walk

SOURCES = EXTENSIONS | {".hip"}


@dataclass(frozen=True)
class SourceTree:
    """What is compiled and where it came from.

    `root` holds the files that the compiler reads, `original` those that the user has; they are the
    same folder when nothing had to be translated. `wanted` are the files and folders below `root`
    whose units are built; `code` are all files that can hold code. `failures` tell of files that
    could not be translated, `findings` counts by severity what the translation had to say.
    """

    root: Path
    original: Path
    wanted: tuple[Path, ...]
    support: Path
    code: tuple[Path, ...]
    origins: dict[Path, tuple[Path, LineMap]] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    findings: dict[str, int] = field(default_factory=dict)

    @property
    def translated(self) -> bool:
        """Whether the compiled files are translations."""
        return self.root != self.original

    @property
    def top(self) -> Path:
        """The deepest folder that holds all that is wanted: names of units are seen from here."""
        return common_folder(self.wanted)

    def source_of(self, file: str, line: int) -> tuple[str, int] | None:
        """The user's file and line for a place that the compiler names; None for other files."""
        found = self.origins.get(Path(file))
        return None if found is None else (str(found[0]), found[1].source_line(line))

    def built(self, path: Path) -> Path:
        """Where a file or folder of the user's tree is compiled."""
        path = absolute(path)
        if path.is_relative_to(self.original):
            return self.root / path.relative_to(self.original)
        return path

    def original_of(self, path: Path) -> Path:
        """The user's file or folder for one that is compiled."""
        return self.original / path.relative_to(self.root)


def as_they_are(paths: Sequence[Path], out: Path) -> SourceTree:
    """The tree around files and folders that are HIP already, the build folder `out` left out."""
    paths = _existing(paths)
    root = common_folder(paths)
    selection = Selection(SOURCES, leave_out=_no_sources(paths, out))
    code = tuple(closure(_code_in(paths, selection)))
    return SourceTree(root, root, tuple(paths), INCLUDE_FOLDER, code)


@dataclass(frozen=True)
class Translation:
    """How a tree is translated; `workers` None is one process a processor."""

    options: Options = field(default_factory=Options)
    selection: Selection = field(default_factory=Selection)
    workers: int | None = None


def translated(
    paths: Sequence[Path], out: Path, how: Translation, include: Sequence[Path] = ()
) -> SourceTree:
    """The tree around files and folders, translated into `out/src` with all that they include.

    `include` are folders in which headers are looked for; those found outside the tree are
    translated along, unless they are the system's.
    Where it turns out that nothing in it is CUDA, the tree is taken as it is.
    Raises UsageError for paths that hold no source.
    """
    paths = _existing(paths)
    build, out = absolute(out), absolute(out) / "src"
    selection = replace(how.selection, leave_out=_no_sources(paths, build))
    reached = closure(_code_in(paths, selection), [absolute(folder) for folder in include])
    folders = [path for path in paths if path.is_dir()]
    inputs = [*folders, *(p for p in reached if not any(p.is_relative_to(f) for f in folders))]
    plan = make_plan(inputs, Action.WRITE, how.options, selection, out)
    origins: dict[Path, tuple[Path, LineMap]] = {}
    failures: list[str] = []
    headers: set[str] = set()
    code: list[Path] = []
    findings = {severity.label: 0 for severity in Severity}
    changed = False
    for done in translate_paths(
        plan.jobs, Work(how.options, plan.root, names=plan.names), how.workers
    ):
        changed |= done.outcome is Outcome.TRANSLATED
        if done.outcome is Outcome.FAILED:
            failures.append(f"{done.name}: {done.error}")
        if done.output is not None and done.output.suffix.lower() in SOURCES:
            code.append(absolute(done.output))
        if done.translation is not None:
            _note_origin(done, origins)
            headers |= done.translation.support_headers
            for finding in done.translation.findings:
                findings[finding.severity.label] += 1
    if not changed and not failures:
        return as_they_are(paths, build)
    install(headers, out)
    root = absolute(plan.root)
    wanted = tuple(out / absolute(path).relative_to(root) for path in paths)
    return SourceTree(out, root, wanted, out, tuple(code), origins, tuple(failures), findings)


def _no_sources(paths: Sequence[Path], out: Path) -> frozenset[Path]:
    """Folders that are entered by no walk: our own build folder and those of CMake."""
    folders = (path for path in paths if path.is_dir())
    caches = (cache for folder in folders for cache in folder.rglob("CMakeCache.txt"))
    return frozenset((out.resolve(), *(cache.parent.resolve() for cache in caches)))


def _code_in(paths: Sequence[Path], selection: Selection) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (e.path for e in walk(path, selection) if e.kind is Kind.SOURCE)
        else:
            yield path


def _note_origin(done: FileResult, origins: dict[Path, tuple[Path, LineMap]]) -> None:
    if done.output is not None and done.translation is not None:
        origins[absolute(done.output)] = absolute(done.path), done.translation.lines


def _existing(paths: Sequence[Path]) -> list[Path]:
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    return [absolute(path) for path in paths]
