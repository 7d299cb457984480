"""The tables of a report as rows of text, the same for every format that has tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hipify.finding import Severity
from hipify.report import Place, Report, RuleReport, Score

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Head and rows; all columns after the first are numbers."""

_SHOWN_PLACES = 5


def percent(score: Score) -> str:
    """The readiness as it is printed; a dash where there is nothing to port."""
    return "-" if score.percent is None else f"{score.percent:.1f} %"


def headline(report: Report) -> str:
    """The readiness in a sentence."""
    if not report.score.places:
        return "Nothing to port: no CUDA name is used."
    return f"Readiness {percent(report.score)} over {report.score.places} places."


def libraries(report: Report) -> Table:
    """One row a library."""
    head = ("library", "mapped", "partial", "unsupported", "uses", "readiness")
    return head, [
        _row(item.name, (item.mapped, item.partial, item.unsupported, item.uses), item.score)
        for item in report.libraries
    ]


def files(report: Report) -> Table:
    """One row a file that has something to port; the least ready first."""
    head = (
        *("file", "mapped", "partial", "unsupported"),
        *("errors", "warnings", "notes", "readiness"),
    )
    told = [file for file in report.files if file.score.places or file.notes]
    told.sort(key=lambda file: (file.score.percent if file.score.places else 100.0, file.name))
    return head, [
        _row(
            file.name,
            (file.mapped, file.partial, file.unsupported, file.errors, file.warnings, file.notes),
            file.score,
        )
        for file in told
    ]


def _row(name: str, numbers: Iterable[int], score: Score) -> tuple[str, ...]:
    return (name, *map(str, numbers), percent(score))


def some(places: Sequence[Place]) -> str:
    """The first places, and how many more there are."""
    shown = ", ".join(map(str, places[:_SHOWN_PLACES]))
    more = len(places) - _SHOWN_PLACES
    return f"{shown} and {more} more" if more > 0 else shown


def counted(rule: RuleReport) -> str:
    """A rule's findings by severity: `2 errors, 1 note`."""
    numbers = ((rule.count(severity), severity.label) for severity in sorted(Severity)[::-1])
    return ", ".join(f"{n} {label}{'s' * (n != 1)}" for n, label in numbers if n)


def by_message(rule: RuleReport) -> list[tuple[str, list[Place]]]:
    """A rule's findings, those with the same words together, the most frequent first."""
    found: dict[str, list[Place]] = {}
    for finding in rule.findings:
        told = f"{finding.message} ({finding.remedy})" if finding.remedy else finding.message
        found.setdefault(told, []).append(finding.place)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
