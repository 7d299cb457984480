"""Runs all benchmarks and prints their figures as Markdown."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests.bench.measure import Cost, cost, hipify
from tests.bench.samples import cuda_source, distinct_source


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


def with_clang(folder: Path, runs: int) -> list[tuple[str, Cost]]:
    """The AST engine, its precompiled headers made by a run before those that count."""
    rows = []
    out = str(folder / "out.hip")
    for name, size in (("an ordinary file (3 KB)", 0), ("a file of 350 KB", 350_000)):
        path = folder / f"distinct{size}.cu"
        path.write_bytes(distinct_source(size))
        command = hipify("translate", "-q", "--engine", "ast", str(path), "-o", out)
        cost(command, 1)
        rows.append((f"`--engine ast`, {name}", cost(command, runs)))
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
        if find_spec("clang") is not None:
            _print("With clang", with_clang(folder, args.runs))
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
