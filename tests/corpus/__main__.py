"""Ports and builds the whole corpus and prints a table: what `make demo` shows."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from hipify.targets import Target
from hipify.targets.amd import amd_targets
from hipify.toolchain.detect import Machine, find_toolchain
from tests.corpus.port import NOT_EMULATED, Outcome, port, run_emulated
from tests.corpus.programs import Program, programs


def main() -> int:
    """Builds, prints a line a program as it is done, then the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("--arch", default="gfx90a,gfx1100", help="targets, by commas")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/demo"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--run", default="", help="targets to run the programs for, emulated")
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
        ran = dict(zip(chosen, pool.map(partial(_run, archs=args.run), outcomes), strict=True))
    _print_table(outcomes, targets, ran)
    good = sum(outcome.ok and _is_right(ran[outcome.program]) for outcome in outcomes)
    runs = f", the runs on emulated {args.run} right," if args.run else ""
    print(
        f"\n{good} of {len(outcomes)} programs ported and built for {args.arch}{runs} "
        f"with no edit by hand, in {time.monotonic() - begin:.0f} s; results in {args.output}"
    )
    return 0 if good == len(outcomes) else 1


def _is_right(words: Mapping[str, str]) -> bool:
    return set(words.values()) <= {"ok", NOT_EMULATED}


def _run(outcome: Outcome, archs: str) -> dict[str, str]:
    """Words for the runs that are wanted, of programs that need no library."""
    wanted = [arch for arch in archs.split(",") if outcome.verdicts.get(arch) == "ok"]
    if outcome.program.needs_library or not outcome.linked:
        return {}
    return run_emulated(outcome, wanted, timeout=120)


def _print_line(count: str, outcome: Outcome) -> None:
    print(f"{count} {outcome.program.name}: {'built' if outcome.ok else 'FAILED'}", flush=True)
    for message in outcome.messages if not outcome.ok else ():
        print(f"    {message}", flush=True)


def _print_table(
    outcomes: Sequence[Outcome],
    targets: Sequence[Target],
    ran: Mapping[Program, Mapping[str, str]],
) -> None:
    archs = [target.arch for target in targets]
    rows = [["program", "libraries", *archs, "linked", "runs (emulated)", "findings"]]
    for each in outcomes:
        found = f"{each.errors} errors, {each.warnings} warnings"
        rows.append(
            [
                each.program.name,
                ", ".join(each.program.libraries),
                *(each.verdicts[arch] for arch in archs),
                "yes" if each.linked else "NO",
                ", ".join(f"{arch} {word}" for arch, word in ran[each.program].items()) or "-",
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
