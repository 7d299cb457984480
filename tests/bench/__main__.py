"""Runs all benchmarks and prints their figures as Markdown."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.bench.measure import Cost, cost, hipify
from tests.bench.samples import cuda_source


def startup(runs: int) -> list[tuple[str, Cost]]:
    """Commands that do next to nothing."""
    return [
        ("`python -c pass`", cost([*_python(), "-c", "pass"], runs)),
        ("`hipify --version`", cost(hipify("--version"), runs)),
        ("`hipify query cudaMalloc`", cost(hipify("query", "cudaMalloc"), runs)),
    ]


def scaling(folder: Path, runs: int) -> list[tuple[str, Cost]]:
    """One file of 1, 4 and 16 MB: cost must grow with size and no faster."""
    rows = []
    for megabytes in (1, 4, 16):
        path = folder / f"scale{megabytes}.cu"
        path.write_bytes(cuda_source(megabytes << 20))
        command = hipify("translate", "-q", str(path), "-o", str(folder / "out.cu"))
        rows.append((f"translate {megabytes} MB", cost(command, runs)))
    return rows


def beside_perl(folder: Path, perl: str | None, runs: int) -> list[tuple[str, Cost]]:
    """A 350 KB file, with and without findings, and the same by hipify-perl."""
    path = folder / "sample.cu"
    path.write_bytes(cuda_source(350_000))
    out = str(folder / "out.hip")
    rows = [
        (
            "hipify, findings not printed",
            cost(hipify("translate", "-q", str(path), "-o", out), runs),
        ),
        ("hipify, findings printed", cost(hipify("translate", str(path), "-o", out), runs)),
    ]
    if perl is not None:
        rows += [
            (
                "hipify-perl -quiet-warnings",
                cost([perl, "-quiet-warnings", str(path), "-o", out], runs),
            ),
            ("hipify-perl with warnings", cost([perl, str(path), "-o", out], 1)),
        ]
    return rows


def _python() -> list[str]:
    import sys

    return [sys.executable]


def _print(title: str, rows: list[tuple[str, Cost]]) -> None:
    print(f"\n### {title}\n\n| command | CPU s | peak MB |\n|---|---:|---:|")
    for name, figure in rows:
        print(f"| {name} | {figure.seconds:.3f} | {figure.megabytes:.0f} |", flush=True)


def main() -> None:
    """Prints a table a benchmark."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--perl", default=_find_perl(), help="AMD's hipify-perl, to compare with")
    parser.add_argument("--runs", type=int, default=5, help="runs a command; the best one counts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _print("Start-up", startup(args.runs))
        _print("A file of 350 KB", beside_perl(folder, args.perl, args.runs))
        _print("Cost and size", scaling(folder, min(args.runs, 3)))
    if args.perl is None:
        print(
            "\nhipify-perl is not at hand: no comparison (--perl PATH, or hipify toolchain install)"
        )


def _find_perl() -> str | None:
    from hipify.toolchain.prefix import default_prefix

    private = default_prefix() / "bin" / "hipify-perl"
    return str(private) if private.exists() else shutil.which("hipify-perl")


if __name__ == "__main__":
    main()
