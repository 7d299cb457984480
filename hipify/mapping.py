"""The database of CUDA names and their HIP and ROCm counterparts.

This module is the only reader of `mappings/`. It loads the compiled form (one file, records
decoded when first asked for) and never imports the YAML loader unless that form is missing or
stale. Names are `str` throughout; versions are as written in the YAML (`"6.2.0"`).
"""

# Annotations are evaluated here, not postponed: NamedTuple would compile each postponed one.
import marshal
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from hipify.database.compiled import SHARED, load_compiled
from hipify.version import Version, parse_version

ROC_LIBRARIES = frozenset(
    ("blas", "complex", "device", "dnn", "rand", "runtime", "solver", "sparse")
)
"""Libraries for which `--target roc` and `miopen` use the ROC name; all others keep HIP names."""

Versions = Mapping[str, Any]
"""`added`, `deprecated`, `removed`, `changed`, `experimental`: a version string, or True for "yes,
since when is not known"."""

_NONE: Mapping[Any, Any] = {}
_LENGTHS = len("00000000 00000000\n")


class ArgumentRule:
    """What happens to one argument of a call when its callee is renamed.

    `action` is one of: `symbol` (HIP_SYMBOL(x)), `reinterpret_cast` (to the type `value`),
    `remove`, `add` (insert `value` before `index`, append when `index` is past the end),
    `replace` (by `value`), `copy` (insert a copy of argument `source` before `index`), `move`
    (`count` arguments from `index` to `to`). Indices count the arguments of the CUDA call, from 0.
    `{hip_version}` in `value` stands for the HIP version number. `loses` tells that the rewrite
    drops something that the program may need. From the ROCm version `before` on, the rule no
    longer applies (empty: it always does).
    """

    __slots__ = ("action", "before", "count", "index", "loses", "source", "target", "to", "value")

    def __init__(
        self,
        target: str,
        index: int,
        action: str,
        *,
        value: str = "",
        to: int = -1,
        source: int = -1,
        count: int = 1,
        loses: bool = False,
        before: str = "",
    ) -> None:
        self.target = target
        self.index = index
        self.action = action
        self.value = value
        self.to = to
        self.source = source
        self.count = count
        self.loses = loses
        self.before = before


class MappingEntry(NamedTuple):
    """One CUDA name. `hip` None means unsupported, and `caveat` then says why and what to use.

    `roc` is the ROC or MIOpen name; None where there is none, in which case the HIP name serves
    for `--target roc` too, unless `roc_unsupported`. `hip_before` and `roc_before` hold earlier
    names as (version, name) in rising order: the name was used before that ROCm version.
    `*_planned` are names kept for APIs that HIP does not have: information only.
    """

    cuda: str
    kind: str
    library: str
    section: str
    hip: str | None = None
    roc: str | None = None
    caveat: str = ""
    rule: str = ""
    hip_planned: str = ""
    roc_planned: str = ""
    roc_unsupported: bool = False
    hip_before: tuple[tuple[str, str], ...] = ()
    roc_before: tuple[tuple[str, str], ...] = ()
    miopen_before: tuple[tuple[str, str], ...] = ()
    cuda_versions: Versions = _NONE
    rocm_versions: Versions = _NONE
    roc_versions: Versions = _NONE
    not_for_cuda: tuple[str, str] | None = None
    """(from, until): the mapping does not hold for the API of these CUDA versions; `until` may be
    empty."""
    v2_only: bool = False
    """The plain cuBLAS name maps only where `cublas_v2.h` makes it mean the `_v2` function."""
    everyday: bool = False
    """A word that programs use for things of their own: CUDA's only where a declaration says so."""
    overloads: Mapping[int, str] = _NONE
    """HIP name by number of arguments."""
    args: tuple[ArgumentRule, ...] = ()
    also_in: tuple[str, ...] = ()
    """Other libraries that have an entry of this name."""

    @property
    def experimental(self) -> bool:
        """Whether ROCm calls the HIP counterpart experimental."""
        return bool(self.rocm_versions.get("experimental"))


class HeaderEntry(NamedTuple):
    """One CUDA header, named as in an include directive.

    `hip` is its counterpart, empty when the directive goes away, None when there is none. Headers
    with the same `main` slot (`v1`, `v2`) and library stand for one another: the second include of
    such a counterpart is left out. `local` headers are shipped in the user's tree by habit (CUDA
    samples' helpers): map them only when they are not found there.
    """

    cuda: str
    library: str
    section: str
    hip: str | None = None
    roc: str | None = None
    caveat: str = ""
    rule: str = ""
    hip_planned: str = ""
    hip_before: tuple[tuple[str, str], ...] = ()
    roc_before: tuple[tuple[str, str], ...] = ()
    rocm_versions: Versions = _NONE
    roc_versions: Versions = _NONE
    main: str = ""
    local: bool = False
    kind: str = "header"
    roc_unsupported: bool = False
    miopen_before: tuple[tuple[str, str], ...] = ()


class Resolution(NamedTuple):
    """What a name becomes for one target and ROCm version.

    `status` is `mapped`, `same` (the name stays), `unsupported`, `experimental` (known, but only
    with consent), `too-new` (exists from ROCm `since` on) or `removed` (gone from `since` on).
    `name` is None except for the first two; an empty name removes an include directive.
    """

    name: str | None
    status: str
    caveat: str = ""
    since: str = ""


def release(version: Version) -> Version:
    """The version without trailing zeros, so that 7.0 and 7.0.0 compare equal."""
    end = len(version)
    while end > 1 and version[end - 1] == 0:
        end -= 1
    return version[:end]


def is_reached(rocm: Version | None, since: object) -> bool:
    """Whether `rocm` (None: the newest) is `since` or later; False when `since` is no version."""
    if not isinstance(since, str):
        return False
    return rocm is None or release(rocm) >= release(parse_version(since))


def _name_then(
    name: str, before: tuple[tuple[str, str], ...], rocm: Version | None
) -> tuple[str, str]:
    """The name as of `rocm` and, for an earlier name, the version that ended it (else empty)."""
    for until, old in before:
        if not is_reached(rocm, until):
            return old, until
    return name, ""


class _Side(NamedTuple):
    """One of the two counterparts of an entry."""

    name: str
    before: tuple[tuple[str, str], ...]
    versions: Versions
    caveat: str


def _resolve(cuda: str, side: _Side, rocm: Version | None, experimental: bool) -> Resolution:
    """What `cuda` becomes on a side that has a counterpart, as of a ROCm version."""
    name, until = _name_then(side.name, side.before, rocm)
    removed, added = side.versions.get("removed"), side.versions.get("added")
    if is_reached(rocm, removed):
        text = side.caveat or f"{name} was removed in ROCm {removed}"
        return Resolution(None, "removed", text, str(removed))
    # An earlier name may be older than the current one; only the age of the current is recorded.
    dated = isinstance(added, str) and not (until and is_reached(parse_version(added), until))
    if dated and not is_reached(rocm, added):
        return Resolution(None, "too-new", f"{name} exists from ROCm {added} on", str(added))
    since = str(added or "") if dated else ""
    if side.versions.get("experimental") and not experimental:
        text = f"{name} is experimental in ROCm; ask for it with --experimental"
        return Resolution(None, "experimental", text, since)
    return Resolution(name, "same" if name == cuda else "mapped", side.caveat, since)


def resolve(
    entry: MappingEntry | HeaderEntry,
    target: str = "hip",
    rocm: Version | None = None,
    experimental: bool = False,
) -> Resolution:
    """What `entry` becomes for `target` (`hip`, `roc` or `miopen`) as of a ROCm version.

    `rocm` None is the newest version known. Where a ROC target lacks a name of its own, the HIP
    name serves, as in hipify-clang.
    """
    if target != "hip" and entry.library in ROC_LIBRARIES:
        if entry.roc is not None:
            # A caveat of an entry without HIP name speaks of that lack.
            caveat = entry.caveat if entry.hip is not None else ""
            side = _Side(entry.roc, entry.roc_before, entry.roc_versions, caveat)
            return _resolve(entry.cuda, side, rocm, experimental)
        if entry.roc_unsupported and entry.hip is not None:
            text = f"{entry.hip} has no ROC counterpart; keep the HIP name (--target hip)"
            return Resolution(None, "unsupported", text)
    if entry.hip is None:
        return Resolution(None, "unsupported", entry.caveat)
    before = entry.miopen_before if target == "miopen" else ()
    side = _Side(entry.hip, before or entry.hip_before, entry.rocm_versions, entry.caveat)
    return _resolve(entry.cuda, side, rocm, experimental)


def flattened(entry: HeaderEntry, result: Resolution) -> Resolution:
    """The resolution with the oldest path of the header, from before libraries had folders."""
    for name, before in ((entry.hip, entry.hip_before), (entry.roc, entry.roc_before)):
        if before and result.name and result.name == name:
            return result._replace(name=before[0][1])
    return result


class Database:
    """All entries, decoded from the compiled form one by one as they are asked for."""

    def __init__(self, packed: bytes | memoryview) -> None:
        """Takes what `hipify.database.compiled.pack` made; raises ValueError for anything else."""
        data = memoryview(packed)
        front, records = (int(word, 16) for word in bytes(data[:_LENGTHS]).split())
        front += _LENGTHS
        self._names, self._headers, self._texts, self._field_names, self._families = marshal.loads(
            data[_LENGTHS:front]
        )
        self._records = data[front : front + records]
        self._reverse_index = data[front + records :]
        self._entries: dict[str, MappingEntry] = {}
        self._reverse: dict[str, tuple[str, ...]] | None = None

    @classmethod
    def load(cls) -> "Database":
        """The database of this installation or checkout.

        Raises MappingError when the compiled form is missing and the YAML cannot be read.
        """
        return cls(load_compiled())

    @property
    def fingerprint(self) -> str:
        """A text that differs for databases that say different things."""
        import hashlib

        return hashlib.sha256(self._records).hexdigest()

    def get(self, name: str) -> MappingEntry | None:
        """The entry of a CUDA name; for a name of several libraries, the most general one's."""
        entry = self._entries.get(name)
        if entry is None:
            place = self._names.get(name)
            if place is None:
                return None
            entry = self._entry(name, place if isinstance(place, int) else place[0])
            self._entries[name] = entry
        return entry

    def get_all(self, name: str) -> list[MappingEntry]:
        """The entries of a CUDA name in all libraries that have it."""
        place = self._names.get(name)
        if place is None:
            return []
        places = (place,) if isinstance(place, int) else place
        return [self._entry(name, each) for each in places]

    def family(self, name: str) -> str | None:
        """What to say of a name that has no entry but begins as a known API's names do.

        None when it belongs to no such API.
        """
        for begin, _, caveat in self._families:
            if name.startswith(begin):
                follower = name[len(begin) : len(begin) + 1]
                if begin.endswith("_") or not follower.islower():
                    return str(caveat)
        return None

    def names(self) -> Iterable[str]:
        """Every CUDA name."""
        return cast("Iterable[str]", self._names.keys())

    def header(self, path: str) -> HeaderEntry | None:
        """The entry of a CUDA header, named as between the `<>` of its include directive."""
        place = self._headers.get(path)
        if place is None:
            return None
        fields = self._fields(place)
        return HeaderEntry(cuda=path, **fields)

    def headers(self) -> Iterable[str]:
        """Every CUDA header."""
        return cast("Iterable[str]", self._headers.keys())

    def by_hip(self, name: str) -> list[MappingEntry]:
        """The entries whose HIP or ROC name (present or past) is `name`; none in most cases."""
        entries = (self.get(cuda) for cuda in self._by_hip().get(name, ()))
        return [entry for entry in entries if entry is not None]

    def hip_names(self) -> Iterable[str]:
        """Every HIP and ROC name that some entry has or had."""
        return self._by_hip().keys()

    def _by_hip(self) -> dict[str, tuple[str, ...]]:
        """CUDA names by counterpart, decoded when first asked for."""
        if self._reverse is None:
            self._reverse = marshal.loads(self._reverse_index)
        return self._reverse

    def _fields(self, place: int) -> dict[str, Any]:
        """The fields of the record at `place`; shared texts are stored once and numbered."""
        record = marshal.loads(self._records[place:])
        names, texts = self._field_names, self._texts
        fields: dict[str, Any] = {}
        for at in range(0, len(record), 2):
            name, value = names[record[at]], record[at + 1]
            fields[name] = texts[value] if name in SHARED else value
        return fields

    def _entry(self, name: str, place: int) -> MappingEntry:
        fields = self._fields(place)
        rules = fields.get("args")
        if rules:
            fields["args"] = tuple(ArgumentRule(**rule) for rule in rules)
        return MappingEntry(cuda=name, **fields)
