"""Counts over the mapping database."""

from __future__ import annotations

from typing import NamedTuple

from hipify.mapping import Database, MappingEntry


class Counts(NamedTuple):
    """How many entries of a library are what; `mapped` includes `same` and `experimental`."""

    total: int = 0
    mapped: int = 0
    same: int = 0
    unsupported: int = 0
    experimental: int = 0
    partial: int = 0
    """Mapped, with a caveat."""
    roc: int = 0
    """With a ROC or MIOpen name."""
    headers: int = 0

    def plus(self, other: Counts) -> Counts:
        """The sums, column by column."""
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


def count(database: Database) -> dict[str, Counts]:
    """The counts of each library, by name; a name of two libraries counts in both."""
    counts: dict[str, Counts] = {}
    for name in database.names():
        for entry in database.get_all(name):
            known = counts.get(entry.library, Counts())
            counts[entry.library] = known.plus(_counted(entry))
    for path in database.headers():
        header = database.header(path)
        if header is not None:
            known = counts.get(header.library, Counts())
            counts[header.library] = known._replace(headers=known.headers + 1)
    return dict(sorted(counts.items()))


def total(counts: dict[str, Counts]) -> Counts:
    """The sums over all libraries."""
    whole = Counts()
    for each in counts.values():
        whole = whole.plus(each)
    return whole


def _counted(entry: MappingEntry) -> Counts:
    mapped = entry.hip is not None
    return Counts(
        total=1,
        mapped=mapped,
        same=entry.hip == entry.cuda,
        unsupported=not mapped,
        experimental=mapped and entry.experimental,
        partial=mapped and bool(entry.caveat),
        roc=entry.roc is not None,
    )
