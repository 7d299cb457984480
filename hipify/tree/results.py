"""What is to be done with a file, and what came of it. All of it crosses process boundaries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

from hipify.edits import Edit
from hipify.finding import Severity
from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes
from hipify.tree.lines import LineMap


class Translate(Protocol):
    """The pure translation that the tree is built on; a fake stands in for it in tests."""

    def __call__(
        self,
        data: bytes,
        options: Options,
        path: str,
        *,
        exists: Callable[[str], bool],
        way_up: str,
    ) -> Translation:
        """The translation of one text."""
        ...


class Action(Enum):
    """What to do with one file."""

    CHECK = "check"
    """Translate and tell; write nothing."""
    DIFF = "diff"
    """Translate and hand back the difference."""
    SHOW = "show"
    """Translate and hand back the text."""
    WRITE = "write"
    """Translate into `output`."""
    REPLACE = "replace"
    """Translate in place, with a backup if the work says so. A renamed file has an `output`."""
    COPY = "copy"
    """Copy to `output` as it is."""
    LINK = "link"
    """Make `output` a symbolic link to `target`."""
    FAIL = "fail"
    """Nothing can be done, for the reason that `target` gives."""


@dataclass(frozen=True)
class Job:
    """One file to work on. `name` is what messages call it; `size` is in bytes and an estimate.

    `data` is the text where it does not come from a file (standard input). `aliases` are further
    outputs with the same content: the other names of a file that has several.
    """

    source: Path
    name: str
    action: Action
    output: Path | None = None
    target: str = ""
    aliases: tuple[Path, ...] = ()
    size: int = 0
    data: bytes | None = None


@dataclass(frozen=True)
class Work:
    """What all jobs of a run have in common.

    `root` is the top of the tree: quoted includes are looked up in the folders up to it. `kept` are
    files that could be renamed and are not, because they are excluded: full paths. `names` are
    those of all files of the tree, without folders.
    """

    options: Options = field(default_factory=Options)
    root: Path = Path()
    backup: bool = True
    translate: Translate = translate_bytes
    kept: frozenset[Path] = frozenset()
    names: frozenset[str] = frozenset()
    places: bool = False
    """Whether each use of a name is wanted with its place."""


class Outcome(Enum):
    """What became of a file."""

    TRANSLATED = "translated"
    """The translation differs from the source (text or name)."""
    UNCHANGED = "unchanged"
    COPIED = "copied"
    LINKED = "linked"
    FAILED = "failed"


class PlacedFinding(NamedTuple):
    """A finding with its place in lines and columns, both from 1, columns in bytes."""

    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    remedy: str = ""


class Use(NamedTuple):
    """One use of a CUDA name, its place counted as in PlacedFinding."""

    name: str
    line: int
    column: int


@dataclass(frozen=True)
class Summary:
    """What is left of a translation once the file is written: everything but the texts."""

    findings: tuple[PlacedFinding, ...] = ()
    used: tuple[Use, ...] = ()
    edits: tuple[Edit, ...] = ()
    lines: LineMap = field(default_factory=LineMap)
    support_headers: frozenset[str] = frozenset()
    engine: str = "text"
    doubtful: int = 0

    @property
    def worst(self) -> Severity | None:
        """The highest severity among the findings."""
        return max((finding.severity for finding in self.findings), default=None)


@dataclass(frozen=True)
class FileResult:
    """What came of one job.

    `output` is what was written, None if nothing was. `shown` is the text or difference that was
    asked for. `error` says why a file failed; `trace` is set where the fault is ours.
    """

    path: Path
    name: str
    outcome: Outcome
    output: Path | None = None
    translation: Summary | None = None
    shown: bytes | None = None
    backup: Path | None = None
    error: str | None = None
    trace: str | None = None


@dataclass
class TreeResult:
    """All results of a tree, in the order of the walk, and what else was put into the output."""

    files: list[FileResult] = field(default_factory=list)
    support: tuple[Path, ...] = ()
    ignored: int = 0

    @property
    def failed(self) -> list[FileResult]:
        """The files that have no output."""
        return [result for result in self.files if result.outcome is Outcome.FAILED]
