"""`hipify explain`: what a rule finds and does, with examples."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from hipify.errors import UsageError
from hipify.near import near_miss
from hipify.rules import Rule, all_rules

HELP = "explain a rule, named as in the brackets of a finding, or list all rules"


def configure(parser: ArgumentParser) -> None:
    """Adds the argument."""
    parser.add_argument("rule", nargs="?", help="the rule's id; without it, all rules are listed")


def run(args: Namespace) -> int:
    """Prints one rule or the list of all; always returns 0.

    Raises UsageError for a rule that is not there.
    """
    rules = {rule.id: rule for rule in all_rules()}
    if args.rule is None:
        width = max(map(len, rules))
        lines: Iterator[str] = (f"{id:<{width}}  {rule.summary}" for id, rule in rules.items())
    elif args.rule in rules:
        lines = _explained(rules[args.rule])
    else:
        raise UsageError(
            f"no rule is called {args.rule!r}{near_miss(args.rule, rules)} "
            "(hipify explain lists all of them)"
        )
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _explained(rule: Rule) -> Iterator[str]:
    yield f"{rule.id}: {rule.summary}"
    for rewrite in rule.rewrites:
        yield from ("", "rewrites:", *_indented(rewrite.before), "to:", *_indented(rewrite.after))
    for diagnosis in rule.diagnoses:
        yield from ("", f"reports ({diagnosis.says}):", *_indented(diagnosis.code))
    for kept in rule.keeps:
        yield from ("", "leaves alone:", *_indented(kept))


def _indented(code: str) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in code.splitlines())
