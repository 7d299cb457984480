"""`hipify run`: builds a port and runs it on a GPU of this machine."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify.targets.platform import Device, Executable, Platform
    from hipify.toolchain.execute import Execution

HELP = "build a CUDA or HIP program for a GPU of this machine, and run it"
FOR_A_PROGRAM = True
"""What follows `--` are arguments of the program: the dispatcher puts them into `trailing`."""


def configure(parser: ArgumentParser) -> None:
    """Adds the arguments of this command."""
    from hipify.commands._jobs import add_build_options, add_run_options

    add_build_options(parser, Path("build-run"))
    add_run_options(parser)
    parser.add_argument(
        "--platform", default="", metavar="NAME", help="nvidia, amd, ...; by default what is there"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: output, time and device as data, nothing passed on",
    )


def run(args: Namespace) -> int:
    """Runs the program: its exit code, 124 for one that took too long, 2 when there was no run."""
    from hipify.commands._jobs import archs_of, chosen_program, job_of
    from hipify.toolchain.execute import execute

    job = job_of(args)
    platform, devices = _platform(args.platform)
    built = platform.build(job, archs_of(args))
    for note in built.notes:
        sys.stderr.write(f"hipify: note: {note}\n")
    program = chosen_program(built, args.program, str(args.path))
    sys.stderr.flush()
    sys.stdout.flush()
    done = execute(
        [*program.prefix, program.path, *args.trailing],
        timeout=args.timeout,
        env=program.env,
        keep_output=args.format == "json",
    )
    if args.format == "json":
        print(json.dumps(_described(platform, devices, program, done), indent=2))
    elif not done.ok:
        sys.stderr.write(f"hipify: {program.name} {done.how}\n")
    return _exit_code(done)


def _platform(name: str) -> tuple[Platform, tuple[Device, ...]]:
    """The platform of that name, else the first one that has a device.

    Raises ToolchainError that tells for each one why it has none.
    """
    from hipify.errors import ToolchainError
    from hipify.targets.platform import platform, platform_names

    if name:
        chosen = platform(name)
        return chosen, chosen.devices()
    reasons = []
    for each in platform_names():
        candidate = platform(each)
        try:
            return candidate, candidate.devices()
        except ToolchainError as error:
            reasons.append(str(error))
    raise ToolchainError(
        "\n  ".join(
            ["there is no GPU here to run on (`hipify build` compiles all the same):", *reasons]
        )
    )


def _exit_code(done: Execution) -> int:
    """The program's own code, as a shell would give it."""
    if done.timed_out:
        return 124
    return 128 - done.status if done.status < 0 else done.status


def _described(
    platform: Platform, devices: tuple[Device, ...], program: Executable, done: Execution
) -> dict[str, object]:
    return {
        "format": 1,
        "platform": platform.name,
        "devices": [
            {"name": device.name, "arch": device.arch, **device.properties} for device in devices
        ],
        "program": program.name,
        "status": done.status,
        "timed_out": done.timed_out,
        "seconds": round(done.seconds, 3),
        "stdout": done.stdout.decode("utf-8", "replace"),
        "stderr": done.stderr.decode("utf-8", "replace"),
    }
