"""What a build says: a line a unit, its errors with their CUDA lines, a table, a summary."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hipify.console import plural
from hipify.toolchain.build.compile import HOST, UnitResult, Verdict
from hipify.toolchain.build.driver import BuildResult, Request
from hipify.toolchain.build.link import Program
from hipify.toolchain.code_object import Kernel
from hipify.toolchain.demangle import demangled
from hipify.toolchain.diagnostics import Diagnostic

NOTES_SHOWN = 3
ERRORS_SHOWN = 10
MARKS = {Verdict.OK: "ok", Verdict.FAILED: "FAILED", Verdict.NOT_TRIED: "-"}
STYLES = {Verdict.OK: "green", Verdict.FAILED: "bold red", Verdict.NOT_TRIED: "dim"}


class Reporter:
    """Writes the text form of a build to standard output, as it goes."""

    def __init__(self, request: Request, warnings: bool, kernels: bool) -> None:
        self._request = request
        self._warnings = warnings
        self._kernels = kernels

    def unit(self, result: UnitResult) -> None:
        """Tells of one unit that is done."""
        how = "up to date" if result.reused else f"{result.seconds:.1f} s"
        failed = [arch for arch, verdict in result.verdicts.items() if verdict is Verdict.FAILED]
        state = f"FAILED for {', '.join(failed)}" if failed else "ok"
        _say(f"{result.unit.name}: {state} ({how})")
        for line in diagnostic_lines(result.diagnostics, self._warnings, len(result.verdicts)):
            _say(f"  {line}")

    def finish(self, result: BuildResult) -> None:
        """Tells of the programs, then gives the table and the summary."""
        for note in result.notes:
            _say(f"note: {note}")
        for failure in result.tree.failures:
            _say(f"not translated: {failure}")
        for program in result.programs:
            self._program(program)
        _say("")
        _print_table(self._request, result)
        if self._kernels:
            _print_kernels(self._request, result)
        _say(summary(self._request, result))

    def _program(self, program: Program) -> None:
        if program.output is not None:
            _say(f"{program.name}: linked, {_shown(str(program.output))}")
        else:
            _say(f"{program.name}: NOT LINKED{': ' if program.reason else ''}{program.reason}")
        for line in diagnostic_lines(program.diagnostics, self._warnings):
            _say(f"  {line}")


def _say(text: str) -> None:
    print(text, flush=True)


def diagnostic_lines(
    diagnostics: Iterable[Diagnostic], warnings: bool, targets: int = 0
) -> list[str]:
    """Errors with their notes, warnings counted by flag unless they are to be shown.

    Of `targets` architectures only some may be concerned, which is said then.
    """
    shown = [item for item in diagnostics if item.is_error]
    counted: Counter[str] = Counter()
    for item in diagnostics:
        if item.is_error:
            continue
        if warnings:
            shown.append(item)
        elif item.kind == "warning":
            counted[item.flag or "without a flag"] += 1
    lines = [line for item in shown[:ERRORS_SHOWN] for line in _lines_of(item, targets)]
    if len(shown) > ERRORS_SHOWN:
        lines.append(f"... and {len(shown) - ERRORS_SHOWN} more")
    if counted:
        kinds = ", ".join(f"{number} {flag}" for flag, number in counted.most_common())
        lines.append(f"warnings: {kinds}")
    return lines


def _lines_of(item: Diagnostic, targets: int) -> list[str]:
    place = f"{_shown(item.file)}:{item.line}:{item.column}: " if item.file else ""
    flag = f" [{item.flag}]" if item.flag else ""
    some = 0 < len([side for side in item.sides if side != HOST]) < targets
    sides = f" (for {', '.join(item.sides)})" if some else ""
    lines = [f"{place}{item.kind}: {item.text}{flag}{sides}"]
    if item.source:
        text = _line_text(item.source, item.source_line)
        lines.append(f"    from CUDA {_shown(item.source)}:{item.source_line}: {text}")
    for note in item.notes[:NOTES_SHOWN]:
        lines.append(f"    note: {_shown(note.file)}:{note.line}: {note.text}")
    if len(item.notes) > NOTES_SHOWN:
        lines.append(f"    ... and {len(item.notes) - NOTES_SHOWN} more notes")
    return lines


def _line_text(path: str, line: int) -> str:
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError:
        return ""
    return lines[line - 1].decode("utf-8", "replace").strip() if line <= len(lines) else ""


def _shown(path: str) -> str:
    """A path as seen from the current folder when it is below it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def _columns(request: Request, result: BuildResult) -> list[str]:
    host = [HOST] if any(HOST in unit.verdicts for unit in result.units) else []
    return [*(target.arch for target in request.targets), *host]


def _print_table(request: Request, result: BuildResult) -> None:
    columns = _columns(request, result)
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        _print_rich_table(columns, result)
        return
    width = max([4, *(len(unit.unit.name) for unit in result.units)])
    sizes = [max(len(column), 6) for column in columns]
    head = "  ".join(f"{column:<{size}}" for column, size in zip(columns, sizes, strict=True))
    _say(f"{'unit':<{width}}  {head}".rstrip())
    for unit in result.units:
        cells = [_mark(unit, column) for column in columns]
        row = "  ".join(f"{cell:<{size}}" for cell, size in zip(cells, sizes, strict=True))
        _say(f"{unit.unit.name:<{width}}  {row}".rstrip())


def _mark(unit: UnitResult, column: str) -> str:
    verdict = unit.verdicts.get(column)
    return "" if verdict is None else MARKS[verdict]


def _print_rich_table(columns: list[str], result: BuildResult) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("unit", *columns)
    for unit in result.units:
        cells = [Text(unit.unit.name)]
        for column in columns:
            verdict = unit.verdicts.get(column)
            cells.append(Text("" if verdict is None else MARKS[verdict], STYLES.get(verdict, "")))  # type: ignore[arg-type]
        table.add_row(*cells)
    Console().print(table)


def _print_kernels(request: Request, result: BuildResult) -> None:
    names = [k.name for unit in result.units for code in unit.code for k in code.kernels]
    readable = demangled(names, request.toolchain)
    for unit in result.units:
        for code in unit.code:
            _say(f"{unit.unit.name}, {code.arch}: {code.size} bytes")
            for kernel in code.kernels:
                _say(f"  {readable.get(kernel.name, kernel.name)}")
                _say(f"    {_resources(kernel)}")


def _resources(kernel: Kernel) -> str:
    parts = [f"{kernel.vgprs} VGPRs", f"{kernel.sgprs} SGPRs"]
    parts += [f"{kernel.agprs} AGPRs"] * bool(kernel.agprs)
    parts += [f"{kernel.lds} B LDS", f"{kernel.scratch} B scratch", f"wave {kernel.wave}"]
    spills = kernel.vgpr_spills + kernel.sgpr_spills
    parts += [f"{spills} registers spilled"] * bool(spills)
    return ", ".join(parts)


def summary(request: Request, result: BuildResult) -> str:
    """The last line."""
    good = sum(unit.ok for unit in result.units)
    failed = sum(unit.tried and not unit.ok for unit in result.units)
    untried = sum(not unit.tried for unit in result.units)
    archs = ", ".join(target.arch for target in request.targets)
    text = f"{good} of {len(result.units)} units {'checked' if request.syntax_only else 'built'}"
    text += f" for {archs}"
    text += f", {failed} failed" if failed else ""
    text += f", {untried} not tried (--keep-going tries all)" if untried else ""
    if result.programs:
        linked = sum(program.ok for program in result.programs)
        text += f"; {linked} of {len(result.programs)} programs linked"
    told = [plural(number, kind) for kind, number in result.tree.findings.items() if number]
    if told:
        text += f"; the translation has {', '.join(reversed(told))} (hipify translate --check)"
    if result.tree.failures:
        text += f"; {len(result.tree.failures)} files not translated"
    return text


def as_json(request: Request, result: BuildResult) -> dict[str, Any]:
    """The build as plain data."""
    return {
        "format": 1,
        "ok": result.ok,
        "targets": [target.arch for target in request.targets],
        "toolchain": {
            "clang": str(request.toolchain.clang),
            "clang_version": ".".join(map(str, request.toolchain.clang_version)),
            "hip_version": ".".join(map(str, request.toolchain.hip_version)),
        },
        "translated": result.tree.translated,
        "not_translated": list(result.tree.failures),
        "findings": result.tree.findings,
        "notes": result.notes,
        "units": [_unit_json(unit) for unit in result.units],
        "programs": [
            {
                "name": program.name,
                "ok": program.ok,
                "output": str(program.output) if program.output else None,
                "units": [unit.unit.name for unit in program.units],
                "reason": program.reason,
                "diagnostics": [asdict(item) for item in program.diagnostics],
            }
            for program in result.programs
        ],
    }


def _unit_json(result: UnitResult) -> dict[str, Any]:
    return {
        "name": result.unit.name,
        "path": str(result.unit.path),
        "language": result.unit.language,
        "verdicts": {side: verdict.value for side, verdict in result.verdicts.items()},
        "object": str(result.object) if result.object else None,
        "seconds": round(result.seconds, 3),
        "up_to_date": result.reused,
        "diagnostics": [asdict(item) for item in result.diagnostics],
        "code_objects": [asdict(code) for code in result.code],
    }
