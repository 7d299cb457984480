"""Compiles one unit for several targets and finds out for which of them it works."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from hipify.errors import HipifyError, ToolchainError
from hipify.targets import Target
from hipify.toolchain.build.command import Compiler
from hipify.toolchain.build.record import Record
from hipify.toolchain.build.units import Unit
from hipify.toolchain.call import Finished, call, failure_text
from hipify.toolchain.code_object import CodeObject, code_objects
from hipify.toolchain.diagnostics import Diagnostic, merged, parse_output

HOST = "host"
UNIT_TIMEOUT = 1800.0


class Verdict(Enum):
    """What came of one unit for one target."""

    OK = "ok"
    FAILED = "failed"
    NOT_TRIED = "not tried"


@dataclass
class UnitResult:
    """What came of one unit: a verdict for each target, or only for `host` without device code.

    `object` is the host object with the device code of all targets for which it works.
    """

    unit: Unit
    verdicts: dict[str, Verdict]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    object: Path | None = None
    code: list[CodeObject] = field(default_factory=list)
    seconds: float = 0.0
    reused: bool = False

    @property
    def ok(self) -> bool:
        """Whether it works for every target."""
        return all(verdict is Verdict.OK for verdict in self.verdicts.values())

    @property
    def tried(self) -> bool:
        """Whether it was compiled at all."""
        return any(verdict is not Verdict.NOT_TRIED for verdict in self.verdicts.values())


def untried(unit: Unit, targets: Sequence[Target]) -> UnitResult:
    """The result of a unit that has not been compiled."""
    sides = [target.arch for target in targets] if unit.language == "hip" else [HOST]
    return UnitResult(unit, dict.fromkeys(sides, Verdict.NOT_TRIED))


def compile_unit(
    unit: Unit, targets: Sequence[Target], compiler: Compiler, output: Path
) -> UnitResult:
    """Compiles a unit into `output`, unless what is there is still good.

    Never raises on account of the source: faults are diagnostics of the result.
    """
    started = time.monotonic()
    result = untried(unit, targets)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        command = compiler.compile(unit, targets, output)
        record = Record(output, command, compiler.toolchain)
        if not compiler.syntax_only and record.is_current():
            result.reused, result.object = True, output
            result.verdicts = dict.fromkeys(result.verdicts, Verdict.OK)
        else:
            _compile(result, targets, compiler, output)
            if result.ok and result.object is not None:
                record.write()
        _examine_object(result)
    except (HipifyError, OSError) as error:
        _fail(result, list(result.verdicts), str(error))
    result.diagnostics = merged(result.diagnostics)
    result.seconds = time.monotonic() - started
    return result


def _compile(
    result: UnitResult, targets: Sequence[Target], compiler: Compiler, output: Path
) -> None:
    """Compiles for all targets at once; where that fails, finds the ones that are to blame.

    clang stops at the first target that fails, and says which one it was.
    """
    output.unlink(missing_ok=True)
    left = list(targets)
    while True:
        done = _run(result, left, compiler, output)
        if done.ok:
            works = {target.arch for target in left} if result.unit.language == "hip" else {HOST}
            result.verdicts.update(dict.fromkeys(works, Verdict.OK))
            result.object = None if compiler.syntax_only else output
            return
        blamed = parse_output(done.stderr).failed_sides
        if result.unit.language != "hip" or HOST in blamed or len(left) == 1:
            _blame(result, [target.arch for target in left], done)
            return
        culprits = [target for target in left if target.arch in blamed]
        if not culprits:
            _one_by_one(result, left, compiler, output)
            return
        _blame(result, [target.arch for target in culprits], done)
        left = [target for target in left if target not in culprits]
        if not left:
            return


def _one_by_one(
    result: UnitResult, targets: Sequence[Target], compiler: Compiler, output: Path
) -> None:
    """For failures of the back end or the device linker, which do not say whose they are."""
    result.diagnostics.clear()
    for target in targets:
        own = output.with_name(f"{output.stem}.{target.processor}{output.suffix}")
        done = _run(result, [target], compiler, own)
        if done.ok:
            result.verdicts[target.arch] = Verdict.OK
        else:
            _blame(result, [target.arch], done)


def _run(
    result: UnitResult, targets: Sequence[Target], compiler: Compiler, output: Path
) -> Finished:
    unit = result.unit
    command = compiler.compile(unit, targets, output)
    done = call(command, cwd=unit.directory, timeout=UNIT_TIMEOUT, check=False)
    result.diagnostics += parse_output(done.stderr).diagnostics
    return done


def _blame(result: UnitResult, archs: list[str], done: Finished) -> None:
    sides = archs if result.unit.language == "hip" else [HOST]
    result.verdicts.update(dict.fromkeys(sides, Verdict.FAILED))
    if not any(item.is_error for item in result.diagnostics):
        result.diagnostics.append(Diagnostic("error", failure_text(done)))


def _fail(result: UnitResult, sides: list[str], reason: str) -> None:
    result.verdicts.update(dict.fromkeys(sides, Verdict.FAILED))
    result.diagnostics.append(Diagnostic("error", reason, sides=tuple(sides)))


def _examine_object(result: UnitResult) -> None:
    """Makes sure that an object with device code has it for every target that it should.

    A source without kernels gives an object without any, which is as it should be.
    """
    if result.object is None or result.unit.language != "hip" or result.unit.rdc:
        return
    try:
        found = {code.arch: code for code in code_objects(result.object.read_bytes())}
    except ToolchainError as error:
        _fail(result, list(result.verdicts), f"{result.object}: {error}")
        return
    result.code = [found[arch] for arch in result.verdicts if arch in found]
    lacking = [arch for arch, verdict in result.verdicts.items() if verdict is Verdict.OK]
    lacking = [arch for arch in lacking if arch not in found]
    if lacking and found:
        _fail(result, lacking, f"{result.object} holds no device code for {', '.join(lacking)}")
