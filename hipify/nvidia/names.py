"""The mappings backwards: which CUDA name stands for a HIP name, in which CUDA versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hipify.mapping import Database, MappingEntry
from hipify.version import parse_version

OLDEST_CUDA = (11, 8)
"""The oldest CUDA version that the headers are for."""

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_OF_ROCM = re.compile(r"hip|roctx|rccl", re.IGNORECASE)
_KINDS = frozenset(
    (
        "function",
        "type",
        "enum constant",
        "define",
        "device function",
        "device type",
        "library device function",
    )
)


@dataclass(frozen=True)
class Alternative:
    """A CUDA name and the CUDA versions that have it, as numbers like CUDART_VERSION (12020).

    `added` 0 means all versions of interest; `removed` 0 means that it was not removed.
    """

    entry: MappingEntry
    added: int = 0
    removed: int = 0

    @property
    def condition(self) -> str:
        """The preprocessor's condition for these versions; empty for all."""
        parts = [f"CUDART_VERSION >= {self.added}"] if self.added else []
        parts += [f"CUDART_VERSION < {self.removed}"] if self.removed else []
        return " && ".join(parts)


@dataclass(frozen=True)
class Name:
    """A HIP name and what it stands for: the first alternative that a CUDA version has."""

    hip: str
    alternatives: tuple[Alternative, ...]


def version_number(text: object) -> int:
    """A CUDA version as CUDART_VERSION has it: 12020 for "12.2"; 0 for what is no version."""
    if not isinstance(text, str) or not text[:1].isdigit():
        return 0
    version = parse_version(text)
    return version[0] * 1000 + (version[1] if len(version) > 1 else 0) * 10


def reversed_names(database: Database, libraries: Iterable[str]) -> list[Name]:
    """Every HIP name of these libraries that has another name in CUDA, sorted.

    Where several CUDA names map to one, those of earlier libraries in `libraries` come first.
    """
    order = {library: place for place, library in enumerate(libraries)}
    found: dict[str, list[Alternative]] = {}
    same: set[str] = set()
    for entry in _entries(database, order):
        if entry.hip == entry.cuda:
            same.add(entry.cuda)
            continue
        alternative = _alternative(entry)
        if alternative is None:
            continue
        for hip in (entry.hip, *(old for _, old in entry.hip_before)):
            # some types of CUDA become plain ones, `int` say, which are no names of HIP
            if hip and _IDENTIFIER.fullmatch(hip) and _OF_ROCM.search(hip):
                found.setdefault(hip, []).append(alternative)
    return [
        Name(hip, _best(hip, found[hip], order))
        for hip in sorted(found)
        # a name of CUDA's own needs no definition, and must not get another meaning
        if hip not in same and database.get(hip) is None
    ]


def _entries(database: Database, libraries: Iterable[str]) -> Iterator[MappingEntry]:
    wanted = frozenset(libraries)
    for name in database.names():
        if not _IDENTIFIER.fullmatch(name):
            continue
        for entry in database.get_all(name):
            if entry.library in wanted and entry.hip and entry.kind in _KINDS:
                yield entry


def _alternative(entry: MappingEntry) -> Alternative | None:
    """The versions of an entry; None where no version of interest has it."""
    oldest = version_number(".".join(map(str, OLDEST_CUDA)))
    added = version_number(entry.cuda_versions.get("added"))
    removed = version_number(entry.cuda_versions.get("removed"))
    if removed and removed <= oldest:
        return None
    return Alternative(entry, added if added > oldest else 0, removed)


def _best(
    hip: str, alternatives: Iterable[Alternative], order: dict[str, int]
) -> tuple[Alternative, ...]:
    """The alternatives worth having, best first: none after one that holds for all versions."""
    ranked = sorted(alternatives, key=lambda one: _rank(hip, one, order))
    kept: list[Alternative] = []
    for one in ranked:
        if all(one.condition != other.condition for other in kept):
            kept.append(one)
        if not one.condition:
            break
    return tuple(kept)


def _rank(hip: str, one: Alternative, order: dict[str, int]) -> tuple[object, ...]:
    """Sorts candidates: the runtime before the driver, current and plain spellings first."""
    entry = one.entry
    return (
        order[entry.library],
        entry.hip != hip,  # a name of the past stands for the same as before
        bool(one.removed),
        bool(entry.cuda_versions.get("deprecated")),
        entry.v2_only,
        bool(re.search(r"_st$|_enum$|_ptsz$|_ptds$", entry.cuda)) and not hip.endswith("_st"),
        bool(re.search(r"_v\d$", entry.cuda)) and not re.search(r"_v\d$", hip),
        _stem(entry.cuda) != _stem(hip),
        len(entry.cuda),
        entry.cuda,
    )


def _stem(name: str) -> str:
    """A name without the API's prefix: what HIP and CUDA agree on in most names."""
    return re.sub(r"^(hip|cuda|cu|roctx|nvtx)_?", "", name.lower())
