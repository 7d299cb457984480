"""A digest of the mappings that were made from the API facts, to notice when one is lost.

Run as a program, it writes the digest anew from the present database: `python -m
tests.unit.facts_digest`. Do that after a change to such mappings that is meant, and read the diff.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from hipify.mapping import Database, MappingEntry

COUNTS = Path(__file__).parent / "data" / "facts_counts.yaml"
NAMES = Path(__file__).parent / "data" / "facts_names.txt"
"""Nine hexadecimal digits of the hash of each (library, name) of the facts, sorted."""


def token(library: str, name: str) -> str:
    """What stands for a name of the facts in NAMES."""
    return hashlib.sha256(f"{library}\t{name}".encode()).hexdigest()[:9]


def tokens() -> frozenset[str]:
    """All that NAMES holds."""
    text = NAMES.read_text(encoding="ascii")
    return frozenset(text.split())


def fact_entries(database: Database) -> list[MappingEntry]:
    """The entries that NAMES knows, in order of library and name."""
    known = tokens()
    entries = [
        entry
        for name in database.names()
        for entry in database.get_all(name)
        if token(entry.library, name) in known
    ]
    return sorted(entries, key=lambda entry: (entry.library, entry.cuda))


def digest(entries: list[MappingEntry]) -> dict[str, Any]:
    """Counts by library, kind and column, and a hash over all that the entries say."""
    libraries: Counter[str] = Counter(entry.library for entry in entries)
    kinds: Counter[str] = Counter(entry.kind for entry in entries)
    columns: Counter[str] = Counter()
    whole = hashlib.sha256()
    for entry in entries:
        row = _row(entry)
        columns.update(key for key, value in row.items() if value)
        whole.update(repr(sorted(row.items())).encode())
    return {
        "total": len(entries),
        "libraries": dict(sorted(libraries.items())),
        "kinds": dict(sorted(kinds.items())),
        "columns": dict(sorted(columns.items())),
        "argument_rules": sum(len(entry.args) for entry in entries),
        "sha256": whole.hexdigest(),
    }


def _row(entry: MappingEntry) -> dict[str, Any]:
    """What an entry says, without its caveat, as text and numbers."""
    row: dict[str, Any] = {
        "cuda": entry.cuda,
        "library": entry.library,
        "kind": entry.kind,
        "section": entry.section,
        "hip": entry.hip,
        "roc": entry.roc,
        "hip_planned": entry.hip_planned,
        "roc_planned": entry.roc_planned,
        "roc_unsupported": entry.roc_unsupported,
        "hip_before": entry.hip_before,
        "miopen_before": entry.miopen_before,
        "not_for_cuda": entry.not_for_cuda,
        "v2_only": entry.v2_only,
        "overloads": sorted(entry.overloads.items()),
        "also_in": entry.also_in,
        "args": [
            tuple(getattr(rule, field) for field in sorted(rule.__slots__)) for rule in entry.args
        ],
    }
    for group in ("cuda_versions", "rocm_versions", "roc_versions"):
        for column, since in getattr(entry, group).items():
            row[f"{group}.{column}"] = since
    return row


if __name__ == "__main__":
    found = digest(fact_entries(Database.load()))
    COUNTS.write_text(yaml.safe_dump(found, sort_keys=False), encoding="utf-8")
