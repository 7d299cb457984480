"""``python -m hipify.emulator [--arch ARCH] EXECUTABLE [ARGUMENTS...]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hipify.emulator.build import build_runtime
from hipify.emulator.errors import EmulatorError
from hipify.emulator.run import ARCHITECTURES, environment
from hipify.emulator.tools import find_tools


def main() -> int:
    """Replace this process by the program, with the emulator's runtime in place."""
    parser = argparse.ArgumentParser(prog="python -m hipify.emulator", description=__doc__)
    parser.add_argument("--arch", choices=ARCHITECTURES, default="gfx90a")
    parser.add_argument("--rocm", type=Path, help="the ROCm toolchain (default: found)")
    parser.add_argument(
        "--print-library", action="store_true", help="build, print the folder to link with"
    )
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    try:
        tools = find_tools(options.rocm)
        runtime = build_runtime(tools)
        if options.print_library:
            print(runtime.folder)
            return 0
        if not options.program:
            parser.error("no program given")
        program = str(Path(options.program[0]).absolute())
        os.execve(program, [program, *options.program[1:]],
                  environment(runtime, tools, options.arch, os.environ))  # fmt: skip
    except EmulatorError as error:
        print(f"hipify: {error}", file=sys.stderr)
    except OSError as error:
        print(f"hipify: {options.program[0]}: {error.strerror}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
