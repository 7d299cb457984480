"""Options of the commands that build programs and run them, and what they amount to."""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from hipify.errors import UsageError
from hipify.targets.platform import Built, Executable, Job

TIMEOUT = 600.0


def add_build_options(parser: ArgumentParser, out: Path) -> None:
    """Adds what says how a tree is built; `out` is the default build folder."""
    parser.add_argument("path", type=Path, metavar="PATH", help="folder or file")
    parser.epilog = "What follows -- are the program's arguments."
    add = parser.add_argument_group("building").add_argument
    add("--arch", default="", metavar="LIST", help="architectures; by default the device's")
    add("-o", "--output", type=Path, default=out, metavar="DIR", help=f"build folder ({out})")
    add("-I", "--include", action="append", default=[], type=Path, metavar="DIR", help="headers")
    add("-D", "--define", action="append", default=[], metavar="NAME[=V]", help="macro")
    add("--std", default="", metavar="STD", help="language standard, c++17 say")
    add("-l", "--library", action="append", default=[], metavar="NAME", help="library to link")
    add("--no-translate", action="store_true", help="the sources are HIP: take them as they are")
    add("-j", "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="at a time")
    add("-v", "--verbose", action="store_true", help="show the commands that are run")
    add("--config", metavar="FILE", help="this configuration, not the nearest one")
    add("--no-config", action="store_true", help="no configuration file")


def add_run_options(parser: ArgumentParser) -> None:
    """Adds what says which program runs, and for how long at most."""
    add = parser.add_argument_group("running").add_argument
    add("--program", default="", metavar="NAME", help="which one, where the tree has several")
    add(
        "--timeout",
        type=_seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help=f"stop the program after this time ({TIMEOUT:.0f})",
    )


def job_of(args: Namespace) -> Job:
    """The build that the options ask for.

    Raises UsageError and ConfigError for options that make no sense.
    """
    from hipify.commands._settings import settle

    if args.verbose:
        import logging
        import sys

        logging.basicConfig(stream=sys.stderr, format="+ %(message)s", level=logging.INFO)
    if not args.path.exists():
        raise UsageError(f"{args.path}: no such file or folder")
    config = Namespace(config=args.config, no_config=args.no_config, rename=None)
    settings = settle(config, [args.path])
    return Job(
        (args.path.absolute(),),
        args.output.absolute(),
        tuple(path.absolute() for path in args.include),
        tuple(args.define),
        args.std,
        tuple(f"-l{name}" for name in args.library),
        settings.options,
        settings.selection,
        translate=not args.no_translate,
        jobs=args.jobs,
    )


def archs_of(args: Namespace) -> tuple[str, ...]:
    """The architectures that were asked for; empty for those of the device."""
    return tuple(part.strip() for part in args.arch.split(",") if part.strip())


def chosen_program(built: Built, name: str, what: str) -> Executable:
    """The one program to run; `what` says which build is meant.

    Raises UsageError where there is none, or several and none was named.
    """
    if built.problems:
        raise UsageError("\n  ".join([f"{what} does not build:", *built.problems[:20]]))
    names = [program.name for program in built.programs]
    if not name and len(names) == 1:
        return built.programs[0]
    for program in built.programs:
        if name and program.name == name:
            return program
    wanted = f"has no program {name!r}" if name else "has several programs"
    raise UsageError(f"{what} {wanted}: --program takes one of {shlex.join(names)}")


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no positive number")
    return number


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"{text!r} is no number of seconds")
    return value
