"""`hipify verify`: whether a port does what the CUDA original does."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify.targets.platform import Built, Executable, Job, Platform
    from hipify.verify.compare import Rules
    from hipify.verify.probe import Probe
    from hipify.verify.session import Side, Verdict

HELP = "run the CUDA original and its port, and compare what they do"
FOR_A_PROGRAM = True
"""What follows `--` are arguments of the program: the dispatcher puts them into `trailing`."""


def configure(parser: ArgumentParser) -> None:
    """Adds the arguments of this command."""
    from hipify.commands._jobs import add_build_options, add_run_options

    add_build_options(parser, Path("build-verify"))
    add_run_options(parser)
    add = parser.add_argument
    add("--platform", default="nvidia", metavar="NAME", help="where the port runs (nvidia)")
    add(
        "--expected",
        type=Path,
        metavar="FILE",
        help="compare with this output instead of running the original",
    )
    add("--port", type=Path, metavar="PATH", help="the port, where it is not to be translated anew")
    group = parser.add_argument_group("what counts as equal (the same text, by default)")
    add = group.add_argument
    add(
        "--rtol",
        type=_bound,
        default=0.0,
        metavar="X",
        help="numbers this part of each other apart",
    )
    add("--atol", type=_bound, default=0.0, metavar="X", help="numbers this far apart")
    add(
        "--ulp", type=int, default=0, metavar="N", help="numbers N places apart in single precision"
    )
    add("--double", action="store_true", help="count the places of --ulp in double precision")
    add(
        "--ignore",
        action="append",
        default=[],
        metavar="REGEX",
        help="text that may differ; may be repeated",
    )
    add(
        "--no-default-ignore",
        action="store_true",
        help="times, rates and addresses must be the same, too",
    )
    parser.add_argument(
        "--trace",
        action="store_true",
        help="record launches, copies and fills with the data in every buffer after each, and show "
        "the source line of the first one that differs (slow)",
    )
    parser.add_argument("--no-times", action="store_true", help="do not measure kernels")
    parser.add_argument(
        "--show", type=int, default=10, metavar="N", help="differences to show of each kind (10)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: Namespace) -> int:
    """Compares: 0 when the port does the same, 1 when not, 2 when nothing was compared."""
    from hipify.commands._jobs import job_of
    from hipify.targets.platform import platform
    from hipify.verify.session import report_lines

    rules = _rules(args)
    job = job_of(args)
    chosen = platform(args.platform)
    verdict = _with_expected(args, chosen, job, rules) if args.expected else _both(args, job, rules)
    if args.format == "json":
        print(json.dumps(_described(verdict), indent=2))
    else:
        sys.stdout.write("\n".join(report_lines(verdict, args.show)) + "\n")
    return 0 if verdict.same else 1


def _rules(args: Namespace) -> Rules:
    import re

    from hipify.errors import UsageError
    from hipify.mapping import Database
    from hipify.verify.compare import DEFAULT_IGNORED, Rules
    from hipify.verify.names import Counterparts
    from hipify.verify.numbers import Tolerance

    patterns = [*args.ignore, *([] if args.no_default_ignore else DEFAULT_IGNORED)]
    try:
        ignored = tuple(re.compile(pattern) for pattern in patterns)
    except re.error as error:
        raise UsageError(f"--ignore {error.pattern!r} is no regular expression: {error}") from None
    tolerance = Tolerance(args.rtol, args.atol, args.ulp, args.double)
    return Rules(tolerance, ignored, Counterparts(Database.load()))


def _with_expected(args: Namespace, chosen: Platform, job: Job, rules: Rules) -> Verdict:
    """The port's output against a file."""
    from hipify.errors import UsageError
    from hipify.verify.compare import compare_texts
    from hipify.verify.session import Verdict

    try:
        expected = args.expected.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"--expected {args.expected}: {error.strerror or error}") from None
    side, _, _ = _run_port(args, chosen, job, None)
    verdict = Verdict(compare_texts(expected, side.output, rules))
    if not side.execution.ok:
        _failed("the port", side)
    return verdict


def _both(args: Namespace, job: Job, rules: Rules) -> Verdict:
    """Both programs on NVIDIA, where the original can run at all."""
    from dataclasses import replace

    from hipify.commands._jobs import archs_of, chosen_program
    from hipify.errors import UsageError
    from hipify.targets.platforms.nvidia import PLATFORM as NVIDIA
    from hipify.verify.session import compare_sides, require_work, run_side

    if args.platform != NVIDIA.name:
        raise UsageError(
            "the CUDA original runs on NVIDIA only: give its output with --expected FILE "
            f"to compare a port on {args.platform}"
        )
    job = replace(job, debug=args.trace)
    built = NVIDIA.build_original(replace(job, out=job.out / "cuda"), archs_of(args))
    program = chosen_program(built, args.program, f"the CUDA code of {args.path}")
    probe = _probe(args, job)
    original = run_side(
        program,
        args.trailing,
        job.paths[0],
        job.out / "work" / "cuda",
        leave_out=job.out,
        timeout=args.timeout,
        probe=probe,
    )
    require_work(original)
    port, built_port, port_program = _run_port(args, NVIDIA, job, probe)
    verdict = compare_sides(original, port, rules)
    if args.trace:
        programs = ((built, program), (built_port, port_program))
        _compare_traces(
            verdict, (original, port), programs, job, args.port and args.port.absolute()
        )
    elif probe is not None:
        _compare_times(verdict, (original, port))
    return verdict


def _probe(args: Namespace, job: Job) -> Probe | None:
    """What observes the programs; None, with a note, where kernels cannot be measured.

    Raises ToolchainError where a trace was asked for and cannot be made.
    """
    from hipify.errors import ToolchainError
    from hipify.nvidia.toolkit import find_toolkit
    from hipify.verify import kernel_times, trace
    from hipify.verify.probe import build_probe

    if args.trace:
        return build_probe(find_toolkit(), trace.SOURCE, "HIPIFY_TRACE", job.out)
    if args.no_times:
        return None
    try:
        source = kernel_times.SOURCE
        return build_probe(find_toolkit(), source, "HIPIFY_KERNEL_TIMES", job.out)
    except ToolchainError as error:
        sys.stderr.write(f"hipify: note: kernels are not measured: {error}\n")
        return None


def _compare_times(verdict: Verdict, sides: tuple[Side, Side]) -> None:
    from hipify.verify.kernel_times import ratios, read_times
    from hipify.verify.session import observed

    original, port = (read_times(observed(side.folder)) for side in sides)
    verdict.times = ratios(original, port)


def _compare_traces(
    verdict: Verdict,
    sides: tuple[Side, Side],
    programs: tuple[tuple[Built, Executable], tuple[Built, Executable]],
    job: Job,
    port_path: Path | None,
) -> None:
    from hipify.verify.session import observed
    from hipify.verify.trace import first_divergence, read_trace, report_lines, source_line

    original, port = (read_trace(observed(side.folder)) for side in sides)
    divergence = first_divergence(original, port)
    places: list[tuple[str, int] | None] = [None, None]
    if divergence is not None:
        trees = [_folder(path) for path in (job.paths[0], port_path or job.paths[0])]
        events = (divergence.original, divergence.port)
        places = [
            None if event is None else source_line(event, program.path, built.origin, tree)
            for event, (built, program), tree in zip(events, programs, trees, strict=True)
        ]
    verdict.trace = tuple(report_lines(divergence, len(original), places))


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _run_port(
    args: Namespace, chosen: Platform, job: Job, probe: Probe | None
) -> tuple[Side, Built, Executable]:
    from dataclasses import replace

    from hipify.commands._jobs import archs_of, chosen_program
    from hipify.verify.session import run_side

    port_job = replace(job, out=job.out / "hip")
    if args.port is not None:
        port_job = replace(port_job, paths=(args.port.absolute(),), translate=False)
    built = chosen.build(port_job, archs_of(args))
    program = chosen_program(built, args.program, f"the port of {args.path}")
    side = run_side(
        program,
        args.trailing,
        job.paths[0],
        job.out / "work" / "hip",
        leave_out=job.out,
        timeout=args.timeout,
        probe=probe,
    )
    return side, built, program


def _failed(who: str, side: Side) -> None:
    from hipify.errors import ToolchainError

    tail = side.execution.stderr.decode("utf-8", "replace").strip().splitlines()[-10:]
    raise ToolchainError("\n  ".join([f"{who} {side.execution.how}", *tail]))


def _described(verdict: Verdict) -> dict[str, object]:
    """The verdict as data."""
    from dataclasses import asdict

    described: dict[str, object] = {
        "format": 1,
        "same": verdict.same,
        "lines": verdict.output.lines,
        "ignored": verdict.output.ignored,
        "worst_relative_error": verdict.output.worst,
        "differences": [asdict(each) for each in verdict.output.differences],
        "files": [{"path": each.path, "why": each.why} for each in verdict.files],
        "files_compared": verdict.files_compared,
    }
    if verdict.statuses is not None:
        described["statuses"] = [side.status for side in verdict.statuses]
        described["seconds"] = [round(side.seconds, 3) for side in verdict.statuses]
    if verdict.trace:
        described["trace"] = list(verdict.trace)
    if verdict.times is not None:
        described["kernel_time_ratio"] = verdict.times.total
        described["kernel_time_ratios"] = verdict.times.kernels
    return described


def _bound(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"{text!r} is no number from 0 on")
    return value
