"""The report as plain text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.report import FORMULA, ApiReport, Report, _tables


def write(report: Report) -> str:
    """The whole report. Places of mapped names are only counted."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"hipify report: {report.title}"
    yield ", ".join(f"{name} {value}" for name, value in report.options)
    yield ""
    yield _tables.headline(report)
    yield f"({FORMULA})"
    if report.libraries:
        yield from _section("Libraries")
        yield from _table(_tables.libraries(report))
        yield from _section("APIs")
        yield from _apis(report.apis)
    if report.rules:
        yield from _section("Findings")
        for rule in report.rules:
            yield f"{rule.rule}: {_tables.counted(rule)}"
            for told, places in _tables.by_message(rule):
                yield f"  {told}"
                yield f"    {_tables.some(places)}"
    table = _tables.files(report)
    if table[1]:
        yield from _section("Files")
        yield from _table(table)
    if report.failures:
        yield from _section("Failures")
        for failure in report.failures:
            yield f"{failure.file}: {failure.reason}"


def _section(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield "-" * len(title)


def _apis(apis: tuple[ApiReport, ...]) -> Iterator[str]:
    library = ""
    for api in apis:
        if api.library != library:
            library = api.library
            yield f"{library}:"
        uses = f"{len(api.places)} use{'s' * (len(api.places) != 1)}"
        yield f"  {api.name} -> {api.counterpart or 'unsupported'}, {uses}"
        if api.why:
            yield f"    {api.why}"
        if api.status != "mapped":
            yield f"    {_tables.some(api.places)}"


def _table(table: _tables.Table) -> Iterator[str]:
    head, rows = table
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        first, *others = (
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *others)).rstrip()
