"""`hipify build`: compiles a CUDA or HIP source tree for AMD GPUs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify.toolchain.build.driver import Request

HELP = "compile a CUDA or HIP source tree for AMD GPUs"
DEFAULT_ARCHS = "gfx90a,gfx942,gfx1100"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    add = parser.add_argument
    add("paths", nargs="+", type=Path, metavar="PATH", help="folders and files to build")
    add("--arch", default=DEFAULT_ARCHS, metavar="LIST", help=f"targets ({DEFAULT_ARCHS})")
    out = Path("build-hip")
    add("-o", "--output", type=Path, default=out, metavar="DIR", help=f"build folder ({out})")
    add("-I", "--include", action="append", default=[], type=Path, metavar="DIR", help="headers")
    add("-D", "--define", action="append", default=[], metavar="NAME[=V]", help="macro")
    add("--std", default="", metavar="STD", help="language standard, c++17 say")
    add(
        "-p",
        "--compile-commands",
        type=Path,
        metavar="PATH",
        help="compile_commands.json (by default that of the tree or its build folder)",
    )
    add("-l", "--library", action="append", default=[], metavar="NAME", help="library to link")
    add("--link", action="store_true", help="link programs, too")
    add("--syntax-only", action="store_true", help="check, make no objects")
    add("--no-translate", action="store_true", help="the sources are HIP: compile them as they are")
    add("-k", "--keep-going", action="store_true", help="go on after a unit that fails")
    add("-j", "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="at a time")
    add("--warnings", action="store_true", help="show warnings instead of counting them")
    add("--show-kernels", action="store_true", help="registers, LDS and scratch of every kernel")
    add("--toolchain", type=Path, metavar="DIR", help="the toolchain to use")
    add("--format", choices=("text", "json"), default="text")
    add("--config", metavar="FILE", help="this configuration, not the nearest one")
    add("--no-config", action="store_true", help="no configuration file")
    add("-v", "--verbose", action="store_true", help="show the commands that are run")


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number")
    return number


def run(args: argparse.Namespace) -> int:
    """Builds; 0 when everything compiled, 1 when something did not."""
    import json

    from hipify.toolchain.build.driver import build
    from hipify.toolchain.build.report import Reporter, as_json

    if args.verbose:
        import logging

        logging.basicConfig(stream=sys.stderr, format="+ %(message)s", level=logging.INFO)
    request = _request(args)
    if args.format == "json":
        result = build(request)
        print(json.dumps(as_json(request, result), indent=2))
    else:
        reporter = Reporter(request, args.warnings, args.show_kernels)
        result = build(request, reporter.unit)
        reporter.finish(result)
    return 0 if result.ok else 1


def _request(args: argparse.Namespace) -> Request:
    from hipify.commands._settings import settle
    from hipify.targets.amd import amd_targets
    from hipify.toolchain.build.driver import Request
    from hipify.toolchain.build.units import Choices
    from hipify.toolchain.detect import Machine, find_toolchain

    targets = amd_targets(args.arch)
    config = argparse.Namespace(config=args.config, no_config=args.no_config, rename=None)
    settings = settle(config, args.paths)
    toolchain = find_toolchain(Machine(), args.toolchain)
    return Request(
        tuple(args.paths),
        args.output.absolute(),
        targets,
        toolchain,
        Choices(tuple(path.absolute() for path in args.include), tuple(args.define), args.std),
        settings.options,
        settings.selection,
        compile_commands=args.compile_commands,
        translate=not args.no_translate,
        syntax_only=args.syntax_only,
        link=args.link,
        link_flags=tuple(f"-l{name}" for name in args.library),
        keep_going=args.keep_going,
        jobs=args.jobs,
    )
