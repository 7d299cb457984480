"""The whole build: sources, units, compilation in parallel, programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify.compile_db import CompileCommand, find_compile_db, read_compile_db
from hipify.errors import UsageError
from hipify.options import Options
from hipify.targets import Target
from hipify.toolchain.build import sources
from hipify.toolchain.build.command import Compiler
from hipify.toolchain.build.compile import UnitResult, compile_unit, untried
from hipify.toolchain.build.link import Program, link, programs
from hipify.toolchain.build.sources import SourceTree
from hipify.toolchain.build.units import (
    Choices,
    Unit,
    find_units,
    include_folders,
    units_of_commands,
)
from hipify.toolchain.diagnostics import located
from hipify.toolchain.model import Toolchain
from hipify.tree.plan import common_folder
from hipify.walk import Selection


@dataclass(frozen=True)
class Request:
    """What is to be built, for which targets, into which folder, and how."""

    paths: tuple[Path, ...]
    out: Path
    targets: tuple[Target, ...]
    toolchain: Toolchain
    choices: Choices = field(default_factory=Choices)
    options: Options = field(default_factory=Options)
    selection: Selection = field(default_factory=Selection)
    compile_commands: Path | None = None
    translate: bool = True
    syntax_only: bool = False
    link: bool = False
    link_flags: tuple[str, ...] = ()
    keep_going: bool = False
    jobs: int = 1


@dataclass
class BuildResult:
    """What came of a build, units in the order of the tree."""

    tree: SourceTree
    units: list[UnitResult]
    programs: list[Program] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every file was translated, every unit compiled and every program linked."""
        return (
            not self.tree.failures
            and all(result.ok for result in self.units)
            and all(program.ok for program in self.programs)
        )


def build(request: Request, on_unit: Callable[[UnitResult], None] = lambda r: None) -> BuildResult:
    """Builds; `on_unit` hears of each unit as it is done.

    Raises UsageError when there is nothing to build or a target cannot be built, SourceError for a
    compilation database that cannot be read.
    """
    require_targets(request.targets, request.toolchain)
    database, commands = _commands(request)
    tree = _tree(request, commands)
    units, notes = _units(request, tree, commands) if _any_code(tree) else ([], [])
    if database is not None:
        notes.insert(0, f"options are those of {database}")
    results = _compiled(request, tree, units, on_unit)
    result = BuildResult(tree, results, notes=notes)
    if request.link and not request.syntax_only:
        result.programs = _linked(request, tree, results)
        if results and not result.programs:
            result.notes.append("no unit has a main function: nothing was linked")
    return result


def require_targets(targets: Sequence[Target], toolchain: Toolchain) -> None:
    """Raises UsageError that names the targets that a toolchain cannot build."""
    unknown = [target.arch for target in targets if target.processor not in toolchain.archs]
    if unknown:
        version = ".".join(map(str, toolchain.clang_version))
        raise UsageError(
            f"the compiler at hand, {toolchain.clang} (clang {version}), cannot build for "
            f"{', '.join(unknown)}; it can for {', '.join(toolchain.archs)}. "
            "`hipify toolchain install` provisions a newer one"
        )


def _commands(request: Request) -> tuple[Path | None, list[CompileCommand]]:
    """The compilation database that goes with the tree, and its entries."""
    database = request.compile_commands
    if database is None and not request.choices.include:
        database = find_compile_db(common_folder(request.paths))
    return database, [] if database is None else read_compile_db(database)


def _tree(request: Request, commands: Sequence[CompileCommand]) -> SourceTree:
    if not request.translate:
        return sources.as_they_are(request.paths, request.out)
    options = replace(request.options, rocm=request.toolchain.hip_version[:2])
    include = [*request.choices.include, *include_folders(commands)]
    how = sources.Translation(options, request.selection, request.jobs)
    return sources.translated(request.paths, request.out, how, include)


def _any_code(tree: SourceTree) -> bool:
    """Whether there is something to look for units in: failed translations leave nothing."""
    return bool(tree.code) or not tree.failures


def _units(
    request: Request, tree: SourceTree, commands: Sequence[CompileCommand]
) -> tuple[list[Unit], list[str]]:
    choices = replace(request.choices, plain=request.link)
    return units_of_commands(tree, choices, commands) if commands else find_units(tree, choices)


def _object(request: Request, unit: Unit) -> Path:
    return request.out / "obj" / f"{unit.name}.o"


def _compiled(
    request: Request,
    tree: SourceTree,
    units: Sequence[Unit],
    on_unit: Callable[[UnitResult], None],
) -> list[UnitResult]:
    compiler = Compiler(request.toolchain, request.syntax_only)
    found = {unit.name: untried(unit, request.targets) for unit in units}

    def work(unit: Unit) -> UnitResult:
        return compile_unit(unit, request.targets, compiler, _object(request, unit))

    for result in _in_parallel(work, units, request.jobs, request.keep_going):
        result.diagnostics = [located(item, tree.source_of) for item in result.diagnostics]
        found[result.unit.name] = result
        on_unit(result)
    return list(found.values())


def _in_parallel(
    work: Callable[[Unit], UnitResult], units: Sequence[Unit], jobs: int, keep_going: bool
) -> Iterator[UnitResult]:
    """Results as they come; after a failure no unit is begun unless told to keep going."""
    waiting = list(units)[::-1]
    running: set[Future[UnitResult]] = set()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.add(pool.submit(work, waiting.pop()))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                if not result.ok and not keep_going:
                    waiting.clear()
                yield result


def _linked(request: Request, tree: SourceTree, results: Sequence[UnitResult]) -> list[Program]:
    compiler = Compiler(request.toolchain)
    found = programs(results)
    for program in found:
        link(program, request.targets, compiler, request.out / "bin", request.link_flags)
        program.diagnostics = [located(item, tree.source_of) for item in program.diagnostics]
    return found
