"""`hipify translate`: files, folders and standard input from CUDA to HIP."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from hipify.commands._settings import Settings, add_options, paths_of, settle
from hipify.console import Console, wants_colour
from hipify.errors import UsageError
from hipify.tree.paths import translate_paths
from hipify.tree.plan import Plan, make_plan
from hipify.tree.results import Action, FileResult, Job, Outcome, Work
from hipify.tree.support import INCLUDE_FOLDER, install

HELP = "translate CUDA files, folders or standard input to HIP"

_STDIN = "<stdin>"


def configure(parser: ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help="file or folder; - is stdin")
    to = parser.add_argument_group("where the result goes (a single file: standard output)")
    to.add_argument("-o", "--output", metavar="PATH", help="a folder, or a file for a single file")
    to.add_argument("-i", "--in-place", action="store_true", help="replace the sources")
    to.add_argument(
        "--backup",
        action="store_true",
        default=None,
        help="keep what --in-place replaces as FILE.orig, FILE.orig.1, ... (the default)",
    )
    to.add_argument("--no-backup", dest="backup", action="store_false", help="keep no backups")
    to.add_argument("--diff", action="store_true", help="show what would change, write nothing")
    to.add_argument("--check", action="store_true", help="exit 1 if anything would change")
    to.add_argument(
        "--stdin-name", metavar="NAME", default="stdin.cu", help="what standard input is named"
    )
    add_options(parser)


def run(args: Namespace) -> int:
    """Translates; the exit code is 0, 1 for findings or changes to come, or 2 for failures."""
    _require_sense(args)
    paths = paths_of(args.paths)
    settings = settle(args, paths)
    plan = _plan(args, settings, paths)
    console = Console(args.quiet, args.verbose, args.color)
    console.start(len(plan.jobs))
    work = Work(
        settings.options, plan.root, settings.backup, settings.translate, plan.kept, plan.names
    )
    try:
        with closing(translate_paths(plan.jobs, work, settings.jobs)) as results:
            for result in results:
                _show(result, args)
                console.result(result, args.debug)
        _support(plan, args, settings, console)
    finally:
        console.finish()
    tally = console.tally
    console.summary(_ignored(plan.ignored))
    if tally.failed:
        return 2
    return int(tally.worse_than(settings.fail_on) or (args.check and tally.changed > 0))


def _require_sense(args: Namespace) -> None:
    """Raises UsageError for options that exclude each other."""
    ways = [
        name
        for name, given in (
            ("-o", args.output is not None),
            ("--in-place", args.in_place),
            ("--diff or --check", args.diff or args.check),
        )
        if given
    ]
    if len(ways) > 1:
        raise UsageError(f"{' and '.join(ways)} exclude each other: choose one")
    if "-" in args.paths:
        if len(args.paths) > 1:
            raise UsageError("- (standard input) cannot be mixed with other paths")
        if args.in_place:
            raise UsageError("standard input cannot be replaced: leave --in-place out")


def _plan(args: Namespace, settings: Settings, paths: list[Path]) -> Plan:
    """The jobs and where their outputs go."""
    action, output = _action(args), None if args.output is None else Path(args.output)
    if args.paths == ["-"]:
        return _stdin_plan(args, action, output)
    if action is Action.WRITE:
        if any(path.is_dir() for path in paths) and action is Action.WRITE and output is None:
            folder = next(path for path in paths if path.is_dir())
            raise UsageError(
                f"{folder}: is a folder: say where its translation goes with -o DIR or --in-place "
                "(or look first with --diff or --check)"
            )
        if output is None and len(paths) > 1:
            raise UsageError("several files: say where they go with -o DIR or --in-place")
        if output is None or (len(paths) == 1 and not paths[0].is_dir() and not _is_folder(args)):
            return _single_plan(paths[0], settings, output)
    return make_plan(paths, action, settings.options, settings.selection, output)


def _action(args: Namespace) -> Action:
    if args.in_place:
        return Action.REPLACE
    if args.diff:
        return Action.DIFF
    return Action.CHECK if args.check else Action.WRITE


def _is_folder(args: Namespace) -> bool:
    """Whether `-o` means a folder, for a single file: it is one, or ends like one."""
    return Path(args.output).is_dir() or args.output.endswith(("/", "\\"))


def _single_plan(path: Path, settings: Settings, output: Path | None) -> Plan:
    """One file to standard output or to a file that was named."""
    plan = make_plan([path], Action.SHOW, settings.options, settings.selection)
    if output is not None:
        if output.exists() and output.resolve() == path.resolve():
            raise UsageError(f"-o {output}: is the source itself: use --in-place")
        (job,) = plan.jobs
        plan.jobs = [Job(job.source, job.name, Action.WRITE, output)]
        plan.output = output.parent
    return plan


def _stdin_plan(args: Namespace, action: Action, output: Path | None) -> Plan:
    if output is not None and _is_folder(args):
        raise UsageError(f"-o {output}: is a folder: name a file for the translation of -")
    if action is Action.WRITE and output is None:
        action = Action.SHOW
    source = Path(args.stdin_name)
    name = _STDIN if args.stdin_name == "stdin.cu" else args.stdin_name
    job = Job(source, name, action, output, data=sys.stdin.buffer.read())
    return Plan(Path.cwd(), output.parent if output is not None else None, [job])


def _show(result: FileResult, args: Namespace) -> None:
    """Standard output: the text, the difference, or the name of a file that would change."""
    if result.shown:
        sys.stdout.flush()
        shown = result.shown
        if args.diff and wants_colour(sys.stdout, args.color):
            shown = _coloured(shown)
        sys.stdout.buffer.write(shown)
        sys.stdout.buffer.flush()
    if args.check and not args.diff and result.outcome is Outcome.TRANSLATED:
        # As bytes: a file name need not be text.
        sys.stdout.buffer.write(os.fsencode(f"would change: {result.name}{os.linesep}"))
        sys.stdout.buffer.flush()


def _coloured(diff: bytes) -> bytes:
    colours = {b"+": b"32", b"-": b"31", b"@": b"36"}
    lines = []
    for number, line in enumerate(diff.split(b"\n")):
        colour = b"1" if number < 2 else colours.get(line[:1])
        lines.append(b"\x1b[%sm%s\x1b[0m" % (colour, line) if colour and line else line)
    return b"\n".join(lines)


def _support(plan: Plan, args: Namespace, settings: Settings, console: Console) -> None:
    """Puts headers of ours that the output includes beside it; says where they are."""
    needed = sorted(console.tally.support_headers)
    if not needed:
        return
    folder = plan.output if plan.output is not None else plan.root if args.in_place else None
    if folder is not None:
        install(needed, folder, backup=args.in_place and settings.backup)
    if not args.quiet:
        names = ", ".join(needed)
        where = (
            f"put beside it in {folder / 'hipify'}"
            if folder is not None
            else f"compile it with -I {INCLUDE_FOLDER}"
        )
        console.line(f"hipify: note: the output includes {names}: {where}")


def _ignored(number: int) -> str:
    return f"{number} ignored by .gitignore" if number else ""
