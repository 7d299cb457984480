"""Ports one program of the corpus and builds it for AMD targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.emulator import run_program
from hipify.errors import HipifyError
from hipify.finding import Severity
from hipify.targets import Target
from hipify.toolchain.build.compile import Verdict
from hipify.toolchain.build.driver import BuildResult, Request, build
from hipify.toolchain.build.units import Choices
from hipify.toolchain.call import call
from hipify.toolchain.model import Toolchain
from tests.corpus.programs import Program

LEFT_OUT = "-"
NOT_EMULATED = "not emulated"


@dataclass(frozen=True)
class Outcome:
    """What came of one program: a word for each target, whether it linked, what was found."""

    program: Program
    verdicts: dict[str, str]
    linked: bool
    errors: int
    warnings: int
    messages: tuple[str, ...]
    executable: Path | None = None

    @property
    def ok(self) -> bool:
        """Whether it was built for all targets that it is for."""
        return self.linked and all(word in ("ok", LEFT_OUT) for word in self.verdicts.values())


def port(program: Program, targets: Sequence[Target], toolchain: Toolchain, out: Path) -> Outcome:
    """Translates, compiles (host and device) and links one program, with no edit by hand."""
    wanted = tuple(target for target in targets if target.arch not in program.excluded)
    verdicts = {target.arch: LEFT_OUT for target in targets}
    if not wanted:
        return Outcome(program, verdicts, True, 0, 0, ())
    include = tuple(path for path in (program.folder / "include",) if path.is_dir())
    request = Request(
        (program.folder,), out, wanted, toolchain, Choices(include), link=True, keep_going=True
    )
    try:
        result = build(request)
    except HipifyError as error:
        words = {target.arch: "FAILED" for target in wanted}
        return Outcome(program, verdicts | words, False, 0, 0, (str(error),))
    outcome = _outcome(program, verdicts, wanted, result)
    for image, source in program.images if outcome.executable is not None else ():
        _build_image(
            result.tree.built(program.folder / source),
            wanted,
            toolchain,
            outcome.executable.parent / image,
        )
    return outcome


def _build_image(
    source: Path, targets: Sequence[Target], toolchain: Toolchain, output: Path
) -> None:
    """Compiles device code into a bundle for all targets, as `hipcc --genco` does."""
    archs = [f"--offload-arch={target.arch}" for target in targets]
    command = [str(toolchain.clang), *toolchain.base_flags, "-x", "hip", *archs, "-O3"]
    command += ["--cuda-device-only", "--gpu-bundle-output", "--no-offload-compress"]
    call([*command, str(source), "-o", str(output)], timeout=600)


def _outcome(
    program: Program, verdicts: dict[str, str], wanted: Sequence[Target], result: BuildResult
) -> Outcome:
    for target in wanted:
        words = {unit.verdicts.get(target.arch, Verdict.OK) for unit in result.units}
        verdicts[target.arch] = "ok" if words <= {Verdict.OK} and result.units else "FAILED"
    told = [d for each in (*result.units, *result.programs) for d in each.diagnostics]
    messages = [
        f"{d.source or d.file}:{d.source_line or d.line}: {d.text}" for d in told if d.is_error
    ]
    return Outcome(
        program,
        verdicts,
        bool(result.programs) and all(each.ok for each in result.programs),
        result.tree.findings.get(Severity.ERROR.label, 0),
        result.tree.findings.get(Severity.WARNING.label, 0),
        (*result.tree.failures, *messages[:5]),
        result.programs[0].output if len(result.programs) == 1 else None,
    )


def run_emulated(outcome: Outcome, archs: Sequence[str], timeout: float) -> dict[str, str]:
    """Runs a built program's machine code on the CPU for each architecture.

    A word each: `ok` when it prints what the CUDA original printed on a GPU, `differs`, `exit N`,
    `time` when it took longer than `timeout` seconds, `not emulated` when it needs a function of
    HIP's that the emulator lacks.
    """
    if outcome.executable is None:
        return {}
    expected = (outcome.program.folder / "expected.txt").read_bytes()
    words = {}
    for arch in archs:
        done = run_program(outcome.executable, arch, timeout=timeout, cwd=outcome.executable.parent)
        if done.returncode is None:
            words[arch] = "time"
        elif done.returncode == 127 and b"undefined symbol: hip" in done.stderr:
            words[arch] = NOT_EMULATED
        elif done.returncode:
            words[arch] = f"exit {done.returncode}"
        else:
            words[arch] = "ok" if done.stdout == expected else "differs"
    return words
