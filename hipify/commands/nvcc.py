"""`hipify nvcc` and `hipify-nvcc`: a compiler with nvcc's command line, for AMD GPUs."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

HELP = "compile CUDA for AMD GPUs in nvcc's place, options and all"
RAW = True
"""The command line is nvcc's: the dispatcher leaves it as it is."""

_USAGE = """\
usage: hipify nvcc [nvcc's options] file...     (hipify-nvcc is the same)

Takes nvcc's place in a build: translates each source, and compiles it with another compiler.

  make CC=hipify-nvcc NVCC=hipify-nvcc

The environment says for what:
  HIPIFY_PLATFORM   amd (the default) or nvidia
  HIPIFY_ARCH       AMD architectures, gfx90a,gfx942 say (gfx90a)
"""


def configure(parser: ArgumentParser) -> None:
    """There are no options of its own."""


def run(args: Namespace) -> int:
    """Serves one command line; the exit code is that of the compiler."""
    from hipify import __version__
    from hipify.errors import UsageError
    from hipify.nvidia.drop_in import place, serve
    from hipify.nvidia.nvcc_line import parse

    if args.words in (["--help"], ["-h"]):
        sys.stdout.write(_USAGE)
        return 0
    directory = Path.cwd()
    line = parse(args.words, directory)
    if line.version:
        sys.stdout.write(f"hipify-nvcc {__version__}: stands in for nvcc, Cuda compilation tools\n")
        return 0
    platform = os.environ.get("HIPIFY_PLATFORM") or "amd"
    if platform == "amd":
        return serve(line, place(os.environ, directory))
    if platform == "nvidia":
        from hipify.nvidia.drop_in_nvidia import serve_on_nvidia
        from hipify.nvidia.toolkit import find_toolkit

        return serve_on_nvidia(line, directory, find_toolkit())
    raise UsageError(f"HIPIFY_PLATFORM={platform}: known are amd and nvidia")


def main(argv: Sequence[str] | None = None) -> int:
    """The program `hipify-nvcc`."""
    from hipify.cli import main as hipify

    return hipify(["nvcc", *(sys.argv[1:] if argv is None else argv)])
