"""`hipify query`: what a CUDA name becomes, or which CUDA names a HIP name stands for."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from hipify.mapping import Database, HeaderEntry, MappingEntry, Resolution, Versions, resolve
from hipify.options import TARGETS, rocm_version
from hipify.version import Version

HELP = "look up CUDA or HIP names and headers in the mapping database"


def configure(parser: ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("names", nargs="+", metavar="NAME", help="a name or header of either side")
    parser.add_argument("--target", choices=TARGETS, default="hip", help="libraries to port to")
    parser.add_argument("--rocm", default="newest", metavar="VERSION", help="as of this ROCm")
    parser.add_argument("--experimental", action="store_true", help="with experimental names")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output form")


def run(args: Namespace) -> int:
    """Prints what is known of each name; returns 0 when all are known, else 1."""
    database = Database.load()
    rocm = rocm_version(args.rocm)
    answers = [answer(database, name, args.target, rocm, args.experimental) for name in args.names]
    if args.format == "json":
        import json

        sys.stdout.write(json.dumps(answers, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join("\n".join(_lines(one)) + "\n" for one in answers))
    return 0 if all(one["found"] for one in answers) else 1


def answer(
    database: Database, name: str, target: str, rocm: Version | None, experimental: bool
) -> dict[str, Any]:
    """What the database knows of a name, as plain data: `entries`, or `similar` when not found.

    `direction` tells whether the name was found as CUDA's (`cuda`), as a counterpart's (`hip`), or
    only as a member of a known family (`family`, with its `caveat`).
    """
    name = name.strip().strip('<>"')
    found: list[MappingEntry] | list[HeaderEntry] = database.get_all(name)
    header = database.header(name)
    direction = "cuda"
    if header is not None:
        found = [header]
    elif not found:
        direction = "hip"
        found = database.by_hip(name) or _headers_of(database, name)
    if found:
        entries = [_described(each, resolve(each, target, rocm, experimental)) for each in found]
        return {"name": name, "found": True, "direction": direction, "entries": entries}
    from hipify.database.similar import similar_names

    known = [*database.names(), *database.headers(), *database.hip_names()]
    similar = similar_names(name, dict.fromkeys(known))
    caveat = database.family(name)
    if caveat is None:
        return {"name": name, "found": False, "similar": similar}
    family = {"direction": "family", "caveat": caveat, "similar": similar}
    return {"name": name, "found": True, **family}


def _headers_of(database: Database, name: str) -> list[HeaderEntry]:
    """The CUDA headers whose counterpart, present or past, is `name`."""
    if "/" not in name and "." not in name:
        return []
    headers = (database.header(path) for path in database.headers())
    return [
        each
        for each in headers
        if each is not None
        and name in (each.hip, each.roc, *(old for _, old in each.hip_before + each.roc_before))
    ]


def _described(entry: MappingEntry | HeaderEntry, result: Resolution) -> dict[str, Any]:
    """An entry and its resolution as plain data; what is empty is left out."""
    described: dict[str, Any] = {
        "cuda": entry.cuda,
        "kind": entry.kind,
        "library": entry.library,
        "section": entry.section,
        "becomes": result.name,
        "status": result.status,
        "caveat": result.caveat or entry.caveat,
        "hip": entry.hip,
        "roc": entry.roc,
        "hip_before": dict(entry.hip_before),
        "roc_before": dict(entry.roc_before),
        "rocm": dict(entry.rocm_versions),
        "roclib": dict(entry.roc_versions),
        "rule": entry.rule,
    }
    if isinstance(entry, MappingEntry):
        described["cuda_versions"] = dict(entry.cuda_versions)
        described["overloads"] = {str(count): name for count, name in entry.overloads.items()}
        described["arguments"] = [_argument(rule) for rule in entry.args]
        described["v2_only"] = entry.v2_only
        if entry.not_for_cuda:
            described["not_for_cuda"] = list(entry.not_for_cuda)
    kept = ("hip", "becomes")
    return {key: value for key, value in described.items() if value or key in kept}


def _argument(rule: Any) -> str:
    """An argument rule in words."""
    place = f"argument {rule.index}"
    said = {
        "symbol": f"{place} in HIP_SYMBOL()",
        "reinterpret_cast": f"{place} cast to {rule.value}",
        "remove": f"{place} removed",
        "add": f"{rule.value} added as {place}",
        "replace": f"{place} replaced by {rule.value}",
        "copy": f"argument {rule.source} copied to {rule.index}",
        "move": f"{rule.count} from {place} on moved to {rule.to}",
    }[rule.action]
    until = f", before ROCm {rule.before}" if rule.before else ""
    return f"{rule.target}: {said}{until}"


def _lines(one: dict[str, Any]) -> Iterator[str]:
    """An answer for people."""
    name = one["name"]
    if not one["found"]:
        near = one["similar"]
        yield f"{name}: not in the database" + (
            f"; did you mean {', '.join(near)}?" if near else ""
        )
        return
    if one["direction"] == "family":
        yield f"{name}: no entry of its own"
        yield f"  caveat     {one['caveat']}"
        return
    if one["direction"] == "hip":
        yield f"{name} stands for:"
    for entry in one["entries"]:
        yield from _entry_lines(entry)


def _entry_lines(entry: dict[str, Any]) -> Iterator[str]:
    becomes = entry["becomes"]
    if becomes == "":
        becomes = "(the include goes away)"
    yield f"{entry['cuda']} -> {becomes or entry['status']}"
    yield f"  {entry['kind']} of {entry['library']}: {entry['section']}"
    for label, name, versions, before in (
        ("HIP", entry["hip"], entry.get("rocm", {}), entry.get("hip_before", {})),
        ("ROC", entry.get("roc"), entry.get("roclib", {}), entry.get("roc_before", {})),
    ):
        if name:
            yield f"  {label:<10} {name}{_dated(versions)}"
        for until, old in before.items():
            yield f"  {'':<10} {old} before ROCm {until}"
    if entry.get("cuda_versions"):
        yield f"  {'CUDA':<10} {_dated(entry['cuda_versions']).strip(' ()')}"
    if "not_for_cuda" in entry:
        start, until = entry["not_for_cuda"]
        end = f" until {until}" if until else " on"
        yield f"  {'CUDA':<10} other arguments from {start}{end}: the mapping does not hold there"
    for count, name in entry.get("overloads", {}).items():
        yield f"  {'overload':<10} {name} with {count} arguments"
    for argument in entry.get("arguments", []):
        yield f"  {'arguments':<10} {argument}"
    if entry.get("v2_only"):
        yield f"  {'only':<10} where cublas_v2.h is included"
    if entry.get("rule"):
        yield f"  {'rule':<10} {entry['rule']}"
    if entry.get("caveat"):
        yield f"  {'caveat':<10} {entry['caveat']}"


def _dated(versions: Versions) -> str:
    """Versions in words: ` (added 6.2.0, deprecated)`."""
    words = [
        what if since is True else f"{what} {since}" for what, since in versions.items() if since
    ]
    return f" ({', '.join(words)})" if words else ""
