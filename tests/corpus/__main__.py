"""Ports and builds the whole corpus and prints a table: what `make demo` shows."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hipify.targets import Target
from hipify.targets.amd import amd_targets
from hipify.toolchain.detect import Machine, find_toolchain
from tests.corpus.port import Outcome, port
from tests.corpus.programs import programs


def main() -> int:
    """Builds, prints a line a program as it is done, then the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("--arch", default="gfx90a,gfx1100", help="targets, by commas")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/demo"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*", help="only these programs")
    args = parser.parse_args()
    targets = amd_targets(args.arch)
    toolchain = find_toolchain(Machine())
    hip = ".".join(map(str, toolchain.hip_version))
    clang = ".".join(map(str, toolchain.clang_version))
    print(f"HIP {hip}, clang {clang}: {toolchain.clang}\n", flush=True)
    chosen = [each for each in programs() if not args.names or each.name in args.names]
    begin = time.monotonic()
    with ThreadPoolExecutor(args.jobs) as pool:
        work = [
            pool.submit(port, each, targets, toolchain, args.output / each.name) for each in chosen
        ]
        outcomes = []
        for number, future in enumerate(work, 1):
            outcomes.append(future.result())
            _print_line(f"[{number}/{len(work)}]", outcomes[-1])
    _print_table(outcomes, targets)
    good = sum(outcome.ok for outcome in outcomes)
    print(
        f"\n{good} of {len(outcomes)} programs ported and built for {args.arch} "
        f"with no edit by hand, in {time.monotonic() - begin:.0f} s; results in {args.output}"
    )
    return 0 if good == len(outcomes) else 1


def _print_line(count: str, outcome: Outcome) -> None:
    print(f"{count} {outcome.program.name}: {'built' if outcome.ok else 'FAILED'}", flush=True)
    for message in outcome.messages if not outcome.ok else ():
        print(f"    {message}", flush=True)


def _print_table(outcomes: Sequence[Outcome], targets: Sequence[Target]) -> None:
    archs = [target.arch for target in targets]
    rows = [["program", "libraries", *archs, "linked", "findings"]]
    for each in outcomes:
        found = f"{each.errors} errors, {each.warnings} warnings"
        rows.append(
            [
                each.program.name,
                ", ".join(each.program.libraries),
                *(each.verdicts[arch] for arch in archs),
                "yes" if each.linked else "NO",
                "none" if not each.errors + each.warnings else found,
            ]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print()
    for number, row in enumerate(rows):
        print("| " + " | ".join(map(str.ljust, row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    for each in outcomes:
        if each.program.excluded:
            print(
                f"\n{each.program.name}: not {', '.join(each.program.excluded)}: {each.program.reason}"
            )


if __name__ == "__main__":
    sys.exit(main())
