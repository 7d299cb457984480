"""The report as Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.report import FORMULA, Report, _tables

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def write(report: Report) -> str:
    """The whole report. Places of mapped names are only counted."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# hipify report: {_plain(report.title)}"
    yield ""
    yield f"**{_tables.headline(report)}** "
    yield f"{_plain(FORMULA[0].upper() + FORMULA[1:])}."
    yield ""
    yield ", ".join(f"{name} {_plain(value)}" for name, value in report.options)
    if report.libraries:
        yield from _section("Libraries")
        yield from _table(*_tables.libraries(report))
        yield from _section("APIs")
        yield from _table(
            ("API", "library", "counterpart", "uses", "remarks"),
            [
                (
                    f"`{api.name}`",
                    _plain(api.library),
                    f"`{api.counterpart}`" if api.counterpart else "**unsupported**",
                    str(len(api.places)),
                    _remark(api.why, "" if api.status == "mapped" else _tables.some(api.places)),
                )
                for api in report.apis
            ],
            numbers=(3,),
        )
    yield from _findings(report)
    head, rows = _tables.files(report)
    if rows:
        yield from _section("Files")
        yield from _table(head, [(_plain(row[0]), *row[1:]) for row in rows])
    if report.failures:
        yield from _section("Failures")
        for failure in report.failures:
            yield f"- {_plain(failure.file)}: {_plain(failure.reason)}"


def _findings(report: Report) -> Iterator[str]:
    if not report.rules:
        return
    yield from _section("Findings")
    for rule in report.rules:
        yield f"- `{rule.rule}`: {_tables.counted(rule)}"
        for told, places in _tables.by_message(rule):
            yield f"  - {_plain(told)}: {_plain(_tables.some(places))}"


def _section(title: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""


def _remark(why: str, places: str) -> str:
    return _plain("; ".join(text for text in (why, places) if text))


def _table(
    head: tuple[str, ...], rows: list[tuple[str, ...]], numbers: tuple[int, ...] | None = None
) -> Iterator[str]:
    right = range(1, len(head)) if numbers is None else numbers
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('--:' if at in right else '---' for at in range(len(head)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _plain(text: str) -> str:
    """Text whose characters mean nothing to Markdown."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))
