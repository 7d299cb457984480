"""From the results of a run to its report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from hipify.finding import Severity
from hipify.mapping import Database, resolve
from hipify.options import Options
from hipify.report import (
    ApiReport,
    Failure,
    FileReport,
    LibraryReport,
    Place,
    Report,
    ReportedFinding,
    RuleReport,
    Score,
)
from hipify.tree.results import FileResult, Summary

_WEIGHT = {"mapped": 1.0, "partial": 0.5, "unsupported": 0.0}
_SEVERITY_WEIGHT = {Severity.ERROR: 0.0, Severity.WARNING: 0.5}


class _Api(NamedTuple):
    """What the database says of a name, under the options of the run."""

    library: str
    kind: str
    status: str
    counterpart: str | None
    why: str


class ReportBuilder:
    """Takes the results one by one, so that none has to be kept."""

    def __init__(self, title: str, options: Options, database: Database) -> None:
        self._title, self._options, self._database = title, options, database
        self._apis: dict[str, _Api] = {}
        self._places: dict[str, list[Place]] = defaultdict(list)
        self._weights: dict[str, float] = defaultdict(float)
        self._findings: dict[str, list[ReportedFinding]] = defaultdict(list)
        self._files: list[FileReport] = []
        self._failures: list[Failure] = []

    def add(self, name: str, result: FileResult) -> None:
        """Takes in the result of the file that the report calls `name`."""
        if result.translation is None:
            self._failures.append(Failure(name, result.error or "no result"))
            return
        summary = result.translation
        for finding in summary.findings:
            place = Place(name, finding.line, finding.column)
            self._findings[finding.rule].append(
                ReportedFinding(place, finding.severity, finding.message, finding.remedy)
            )
        self._files.append(self._file(name, summary))

    def finished(self) -> Report:
        """The report of all that was taken in."""
        apis = [
            ApiReport(name, *self._apis[name], tuple(sorted(places)))
            for name, places in self._places.items()
        ]
        apis.sort(key=lambda api: (api.library, api.name))
        return Report(
            self._title,
            tuple(_told(self._options)),
            _sum(file.score for file in self._files),
            tuple(self._libraries(apis)),
            tuple(apis),
            tuple(
                RuleReport(rule, tuple(sorted(found)))
                for rule, found in sorted(self._findings.items())
            ),
            tuple(sorted(self._files, key=lambda file: file.name)),
            tuple(sorted(self._failures, key=lambda failure: failure.file)),
        )

    def _file(self, name: str, summary: Summary) -> FileReport:
        weights: dict[tuple[int, int], float] = {}
        for finding in summary.findings:
            if finding.severity in _SEVERITY_WEIGHT:
                at = finding.line, finding.column
                weights[at] = min(weights.get(at, 1.0), _SEVERITY_WEIGHT[finding.severity])
        counts = dict.fromkeys(_WEIGHT, 0)
        for use in summary.used:
            status = self._api(use.name).status
            counts[status] += 1
            at = use.line, use.column
            weights[at] = min(weights.get(at, 1.0), _WEIGHT[status])
            self._places[use.name].append(Place(name, *at))
            self._weights[use.name] += weights[at]
        severities = [finding.severity for finding in summary.findings]
        return FileReport(
            name,
            mapped=counts["mapped"],
            partial=counts["partial"],
            unsupported=counts["unsupported"],
            errors=severities.count(Severity.ERROR),
            warnings=severities.count(Severity.WARNING),
            notes=severities.count(Severity.NOTE),
            score=Score(sum(weights.values()), len(weights)),
        )

    def _libraries(self, apis: Iterable[ApiReport]) -> Iterable[LibraryReport]:
        by_library: dict[str, list[ApiReport]] = defaultdict(list)
        for api in apis:
            by_library[api.library].append(api)
        for library, members in sorted(by_library.items()):
            statuses = [api.status for api in members]
            uses = sum(len(api.places) for api in members)
            weight = sum(self._weights[api.name] for api in members)
            yield LibraryReport(
                library,
                mapped=statuses.count("mapped"),
                partial=statuses.count("partial"),
                unsupported=statuses.count("unsupported"),
                uses=uses,
                score=Score(weight, uses),
            )

    def _api(self, name: str) -> _Api:
        api = self._apis.get(name)
        if api is None:
            entry = self._database.get(name)
            if entry is None:
                raise KeyError(f"{name} is used, but the database does not know it")
            options = self._options
            result = resolve(entry, options.target, options.rocm, options.experimental)
            status = "mapped" if result.name is not None else "unsupported"
            if result.name is not None and result.caveat:
                status = "partial"
            api = self._apis[name] = _Api(
                entry.library, entry.kind, status, result.name, result.caveat
            )
        return api


def _sum(scores: Iterable[Score]) -> Score:
    scores = list(scores)
    return Score(sum(score.weight for score in scores), sum(score.places for score in scores))


def _told(options: Options) -> Iterable[tuple[str, str]]:
    """The options that decide on counterparts, in words."""
    yield "target", options.target
    yield "rocm", ".".join(map(str, options.rocm)) if options.rocm else "newest"
    yield "experimental", "yes" if options.experimental else "no"
