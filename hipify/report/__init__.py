"""Reports: what a tree uses of CUDA, what becomes of it, and how ready for HIP that makes it.

`Report` is the content; each module here that has a `write` function is a format of that name,
found by walking the package.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from hipify.finding import Severity

FORMULA = (
    "readiness = sum of weights / number of places; a place is a use of a CUDA name or an error or "
    "warning; it weighs 1 with a certain counterpart, 0.5 with a caveat or a warning, 0 without "
    "counterpart or with an error"
)
"""What the readiness of a tree, a library or a file is, in words."""


class Place(NamedTuple):
    """A place in a file; line and column count from 1, the column in bytes."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Score(NamedTuple):
    """Sum of the weights and number of places that they were given for."""

    weight: float = 0.0
    places: int = 0

    @property
    def percent(self) -> float | None:
        """The readiness in percent, to one decimal; None where there is nothing to port."""
        return round(100 * self.weight / self.places, 1) if self.places else None


@dataclass(frozen=True)
class ApiReport:
    """One CUDA name that is used.

    `status` is `mapped`, `partial` (with a caveat) or `unsupported`; `why` is the caveat or the
    reason. `counterpart` is None if unsupported.
    """

    name: str
    library: str
    kind: str
    status: str
    counterpart: str | None
    why: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class LibraryReport:
    """The used names of one library; `uses` counts places, the others count names."""

    name: str
    mapped: int
    partial: int
    unsupported: int
    uses: int
    score: Score


class ReportedFinding(NamedTuple):
    """One finding and its place."""

    place: Place
    severity: Severity
    message: str
    remedy: str


@dataclass(frozen=True)
class RuleReport:
    """All findings of one rule, in order of place."""

    rule: str
    findings: tuple[ReportedFinding, ...]

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)


@dataclass(frozen=True)
class FileReport:
    """One file: uses by status of their names, findings by severity."""

    name: str
    mapped: int
    partial: int
    unsupported: int
    errors: int
    warnings: int
    notes: int
    score: Score


@dataclass(frozen=True)
class Failure:
    """A file that could not be looked at."""

    file: str
    reason: str


@dataclass(frozen=True)
class Report:
    """All of it. Everything is sorted, nothing depends on when or where it was made."""

    title: str
    options: tuple[tuple[str, str], ...]
    score: Score
    libraries: tuple[LibraryReport, ...]
    apis: tuple[ApiReport, ...]
    rules: tuple[RuleReport, ...]
    files: tuple[FileReport, ...]
    failures: tuple[Failure, ...]


Write = Callable[[Report], str]


def formats() -> tuple[str, ...]:
    """The names of all formats, sorted."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if hasattr(_module(name), "write")))


def writer(name: str) -> Write:
    """The function that writes a report in the format `name`, one of `formats()`."""
    write: Write = getattr(_module(name), "write")  # noqa: B009
    return write


def _module(name: str) -> object:
    return import_module(f"{__name__}.{name}")
