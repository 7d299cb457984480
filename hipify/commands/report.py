"""`hipify report`: what a tree uses of CUDA, and how ready for HIP it is."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from hipify.commands._settings import add_options, paths_of, settle
from hipify.console import Console
from hipify.errors import UsageError
from hipify.report import formats, writer
from hipify.report.build import ReportBuilder
from hipify.tree import disk
from hipify.tree.disk import absolute
from hipify.tree.paths import translate_paths
from hipify.tree.plan import make_plan
from hipify.tree.results import Action, Work

HELP = "report per library and API what a CUDA tree needs, and how ready it is"


def configure(parser: ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help="file or folder")
    parser.add_argument("--format", choices=formats(), default="text", help="text is the default")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report into this file")
    add_options(parser)


def run(args: Namespace) -> int:
    """Reports; the exit code is 0, 2 for failures, or 1 for findings where --fail-on asks."""
    from hipify.pipeline import Engine

    paths = paths_of(args.paths)
    output = None if args.output is None else Path(args.output)
    if output is not None and output.is_dir():
        raise UsageError(f"-o {output}: is a folder: name a file for the report")
    settings = settle(args, paths)
    plan = make_plan(paths, Action.CHECK, settings.options, settings.selection)
    builder = ReportBuilder(plan.root.name, settings.options, Engine.default().database)
    console = Console(quiet=True, colour=args.color)
    console.start(len(plan.jobs))
    work = Work(
        settings.options,
        plan.root,
        translate=settings.translate,
        kept=plan.kept,
        names=plan.names,
        places=True,
    )
    with closing(translate_paths(plan.jobs, work, settings.jobs)) as results:
        for result in results:
            name = Path(os.path.relpath(absolute(result.path), plan.root)).as_posix()
            builder.add(name, result)
            if result.error is None:
                console.tally.add(result)
            else:
                console.result(result, args.debug)
    text = writer(args.format)(builder.finished())
    if output is not None:
        disk.write(output, text.encode("utf-8", "surrogateescape"))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    if console.tally.failed:
        return 2
    return int(args.fail_on is not None and console.tally.worse_than(settings.fail_on))
