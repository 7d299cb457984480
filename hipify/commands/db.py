"""`hipify db`: checks and counts the mapping database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

HELP = "check (lint) or count (stats) the mapping database"


def configure(parser: ArgumentParser) -> None:
    """Adds the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    lint = actions.add_parser(
        "lint", help="check the YAML files; exit code 1 when a fault is found"
    )
    lint.add_argument("folder", nargs="?", help="a folder of mappings (this installation's)")
    stats = actions.add_parser("stats", help="count the entries of each library")
    for each in (lint, stats):
        each.add_argument("--format", choices=("text", "json"), default="text", help="output form")


def run(args: Namespace) -> int:
    """Runs the action; returns 1 for faults, else 0."""
    return _lint(args) if args.action == "lint" else _stats(args)


def _lint(args: Namespace) -> int:
    from hipify.database.compiled import mappings_folder
    from hipify.database.lint import lint

    folder = args.folder or mappings_folder()
    faults = lint(folder)
    if args.format == "json":
        import json

        sys.stdout.write(json.dumps([fault._asdict() for fault in faults], indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{fault}\n" for fault in faults)
        sys.stdout.write(
            f"{folder}: {len(faults) or 'no'} fault{'' if len(faults) == 1 else 's'}\n"
        )
    return 1 if faults else 0


def _stats(args: Namespace) -> int:
    from hipify.database.statistics import Counts, count, total
    from hipify.mapping import Database

    counts = count(Database.load())
    rows = {**counts, "all": total(counts)}
    if args.format == "json":
        import json

        table = {library: each._asdict() for library, each in rows.items()}
        sys.stdout.write(json.dumps(table, indent=2) + "\n")
        return 0
    sys.stdout.write(f"{'library':<12}" + "".join(f"{head:>14}" for head in Counts._fields) + "\n")
    for library, each in rows.items():
        sys.stdout.write(f"{library:<12}" + "".join(f"{number:>14}" for number in each) + "\n")
    return 0
