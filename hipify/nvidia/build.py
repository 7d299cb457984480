"""Builds programs with nvcc: CUDA trees as they are, HIP and translated ones with our headers."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from hipify.errors import HipifyError
from hipify.nvidia.command import Nvcc, libraries_of
from hipify.nvidia.diagnostics import parse_nvcc
from hipify.nvidia.headers import write_headers
from hipify.nvidia.toolkit import Toolkit, write_missing_headers
from hipify.targets.platform import Built, Executable, Job
from hipify.toolchain.build import sources
from hipify.toolchain.build.compile import HOST, UnitResult, Verdict
from hipify.toolchain.build.link import Program, programs
from hipify.toolchain.build.sources import SourceTree
from hipify.toolchain.build.units import DEVICE_SUFFIXES, Choices, Unit, find_units
from hipify.toolchain.call import call, failure_text
from hipify.toolchain.diagnostics import Diagnostic, located, merged

UNIT_TIMEOUT = 1800.0
HEADERS = "include-nvidia"
PACKAGE_HEADERS = "include-packages"


def build_with_nvcc(job: Job, archs: tuple[str, ...], toolkit: Toolkit, port: bool) -> Built:
    """Builds the programs of a tree: its port when `port`, else the CUDA code that it holds.

    Raises UsageError where there is nothing to build. Faults of the code are in the result.
    """
    headers = job.out / HEADERS if port else None
    if headers is not None:
        write_headers(headers)
    if port and job.translate:
        how = sources.Translation(job.options, job.selection, job.jobs)
        tree = sources.translated(job.paths, job.out, how, job.include)
    else:
        tree = sources.as_they_are(job.paths, job.out)
    if tree.failures and not tree.code:
        return Built((), tree.failures)
    units, notes = find_units(tree, Choices(job.include, job.define, job.std, plain=True))
    if not port:  # nvcc hands plain C++ to the host's compiler
        units = [replace(unit, language=_language(unit)) for unit in units]
    write_missing_headers(toolkit, job.out / PACKAGE_HEADERS)
    compiler = Nvcc(toolkit, archs, headers, job.out / PACKAGE_HEADERS, job.debug)
    results = _compiled(compiler, tree, units, job)
    found = programs(results)
    problems = list(tree.failures)
    problems += [_told(item) for result in results for item in result.diagnostics if item.is_error]
    executables = []
    for program in found:
        _link(program, compiler, tree, job)
        problems += [_told(item) for item in program.diagnostics if item.is_error]
        if program.output is not None:
            executables.append(Executable(program.name, program.output))
    if not found and not problems:
        problems.append("no unit has a main function: nothing to run")
    return Built(tuple(executables), tuple(dict.fromkeys(problems)), tuple(notes), tree.source_of)


def _language(unit: Unit) -> str:
    suffix = unit.path.suffix.lower()
    if suffix in DEVICE_SUFFIXES:
        return "hip"
    return "c" if suffix == ".c" else "c++"


def _compiled(
    compiler: Nvcc, tree: SourceTree, units: Sequence[Unit], job: Job
) -> list[UnitResult]:
    def work(unit: Unit) -> UnitResult:
        return _compile(compiler, tree, unit, job.out / "obj" / f"{unit.name}.o")

    with ThreadPoolExecutor(max_workers=job.jobs) as pool:
        return list(pool.map(work, units))


def _compile(compiler: Nvcc, tree: SourceTree, unit: Unit, output: Path) -> UnitResult:
    result = UnitResult(unit, {HOST: Verdict.FAILED})
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        command = compiler.compile(unit, output)
        done = call(command, cwd=unit.directory, timeout=UNIT_TIMEOUT, check=False)
    except (HipifyError, OSError) as error:
        result.diagnostics = [Diagnostic("error", str(error))]
        return result
    said = parse_nvcc(done.stderr + "\n" + done.stdout).diagnostics
    result.diagnostics = [located(item, tree.source_of) for item in merged(said)]
    if done.ok:
        result.verdicts, result.object = {HOST: Verdict.OK}, output
    elif not any(item.is_error for item in result.diagnostics):
        result.diagnostics.append(Diagnostic("error", failure_text(done)))
    return result


def _link(program: Program, compiler: Nvcc, tree: SourceTree, job: Job) -> None:
    """Links one program; what went wrong is in its diagnostics."""
    if program.reason:
        return
    objects = [result.object for result in program.units if result.object is not None]
    output = job.out / "bin" / program.name
    listed = (path.with_name(f"{path.name}.d") for path in objects)
    libraries = libraries_of(listed)
    rdc = any(result.unit.rdc for result in program.units)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        command = compiler.link(objects, output, libraries, job.link, rdc)
        done = call(command, timeout=UNIT_TIMEOUT, check=False)
    except (HipifyError, OSError) as error:
        program.diagnostics.append(Diagnostic("error", str(error)))
        return
    program.ok = done.ok
    if done.ok:
        program.output = output
        return
    program.diagnostics = [
        located(item, tree.source_of) for item in merged(parse_nvcc(done.stderr).diagnostics)
    ] or [Diagnostic("error", failure_text(done))]


def _told(item: Diagnostic) -> str:
    """A diagnostic in a line, at the user's own file where it can be led back to it."""
    place = f"{item.source}:{item.source_line}: " if item.source else ""
    if not place and item.file:
        place = f"{item.file}:{item.line}: "
    return f"{place}{item.text}"
