"""`hipify headers`: writes the headers with which HIP compiles for NVIDIA GPUs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

HELP = "write headers that compile HIP for NVIDIA GPUs with nvcc"


def configure(parser: ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument(
        "--platform",
        choices=("nvidia",),
        default="nvidia",
        help="nvidia, the only one that lacks them",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="include folder to fill"
    )


def run(args: Namespace) -> int:
    """Writes the headers; files that are as they should be are left alone."""
    from hipify.nvidia.headers import write_headers

    written = write_headers(args.output)
    print(f"{written} headers written: nvcc -I{args.output} -D__HIP_PLATFORM_NVIDIA__ ...")
    return 0
