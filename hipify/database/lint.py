"""Checks the mapping database beyond what loading it needs.

Each check is a function over the files read; all of them run, and all faults are reported at once.
"""

from __future__ import annotations

import gzip
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hipify.database.compiled import yaml_files
from hipify.database.schema import Schema
from hipify.database.source import CAVEATS, FAMILIES, read_caveats, read_yaml
from hipify.errors import MappingError

HIP_API = "hip_api.txt.gz"
"""Names that HIP and ROCm headers declare, one a line after comments; see its first lines."""

_ENTRY = re.compile(r'^  (?:"([^"]+)"|([^\s":][^\s"]*)): ')
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_NO_NAMES = frozenset(("void", "false", "true", "std"))


class Fault(NamedTuple):
    """One thing that is wrong: file and line, what, and how to mend it."""

    path: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}; {self.remedy}"


@dataclass(frozen=True)
class MappingFile:
    """A YAML file of the database, its text and its document."""

    path: str
    relative: str
    text: str
    document: dict[str, Any]

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line of each name that starts one, at two spaces' indent; the first if repeated."""
        found: dict[str, int] = {}
        for number, line in enumerate(self.text.splitlines(), 1):
            match = _ENTRY.match(line)
            if match:
                found.setdefault(match[1] or match[2], number)
        return found

    def line(self, name: str) -> int:
        """The line of a name, or the first line of the file."""
        return self.lines.get(name, 1)

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """All entries and headers whose form allows looking into them."""
        for part in ("entries", "headers"):
            rows = self.document.get(part)
            if isinstance(rows, dict):
                yield from ((str(name), raw) for name, raw in rows.items() if isinstance(raw, dict))

    def fault(self, name: str, message: str, remedy: str) -> Fault:
        """A fault at the line of a name."""
        return Fault(self.path, self.line(name), message, remedy)


@dataclass(frozen=True)
class Sources:
    """All that lint looks at."""

    root: Path
    files: list[MappingFile]
    caveats: dict[str, str]
    hip_api: frozenset[str]
    rules: frozenset[str]
    broken: list[Fault] = field(default_factory=list)


def lint(folder: str) -> list[Fault]:
    """All faults of the database in `folder`, by file and line.

    Raises MappingError when the folder lacks its schema or its list of HIP names.
    """
    sources = read_sources(Path(folder))
    faults = list(sources.broken)
    for check in (_schema, _layout, _caveats, _rules, _unique, _hip_names):
        faults += check(sources)
    return sorted(set(faults))


def read_sources(root: Path) -> Sources:
    """Reads a folder; files that are no YAML become faults.

    Raises MappingError when the list of HIP names is missing.
    """
    files, broken = [], []
    for relative in yaml_files(str(root)):
        path = root / relative
        try:
            document = read_yaml(path)
            text = path.read_text(encoding="utf-8")
            files.append(MappingFile(str(path), relative, text, document))
        except MappingError as error:
            broken.append(_as_fault(str(path), str(error)))
    caveats = {} if any(fault.path.endswith(CAVEATS) for fault in broken) else read_caveats(root)
    return Sources(root, files, caveats, hip_api(root), rule_ids(), broken)


def _as_fault(path: str, text: str) -> Fault:
    """The fault that an error `path:line: message; remedy` tells of."""
    match = re.match(r"(?:(\d+): )?(.*)", text.removeprefix(path + ":"))
    line, said = (match[1], match[2]) if match else (None, text)
    message, _, remedy = said.partition("; ")
    return Fault(path, int(line or 1), message, remedy or "mend the file")


def hip_api(root: Path) -> frozenset[str]:
    """The names that HIP and ROCm headers declare. Raises MappingError without the list."""
    path = root / HIP_API
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise MappingError(f"{path}: cannot be read: {error}; restore the file") from None
    return frozenset(line for line in lines if line and not line.startswith("#"))


def rule_ids() -> frozenset[str]:
    """The ids of all rules, by the names of their modules."""
    import hipify.rules

    modules = pkgutil.iter_modules(hipify.rules.__path__)
    return frozenset(
        module.name.replace("_", "-") for module in modules if not module.name.startswith("_")
    )


def _schema(sources: Sources) -> Iterator[Fault]:
    schema = Schema(sources.root)
    for file in sources.files:
        for keys, message in schema.faults(file.relative, file.document):
            name = keys[1] if len(keys) > 1 else ""
            where = ".".join(keys[1:])
            text = f"{where}: {message}" if where else message
            yield file.fault(name, text, "see mappings/schema.json for what is allowed")


def _layout(sources: Sources) -> Iterator[Fault]:
    """One line a name, names in byte order: so that a diff shows what changed and nothing else."""
    for file in sources.files:
        for part in ("entries", "headers", "families", "caveats"):
            names = list(file.document.get(part) or {})
            for before, name in pairwise(names):
                if str(before) > str(name):
                    yield file.fault(
                        str(name), f"{name} stands after {before}", "sort the names by byte value"
                    )
            for name in names:
                if str(name) not in file.lines:
                    yield file.fault("", f"{name} has no line of its own", "write it on one line")
        if "\r" in file.text or not file.text.endswith("\n"):
            yield file.fault("", "line endings", "use \\n, also after the last line")


def _caveats(sources: Sources) -> Iterator[Fault]:
    used = set()
    for file in sources.files:
        if file.relative == FAMILIES:
            rows = file.document.get("families") or {}
            used |= {raw.get("because") for raw in rows.values() if isinstance(raw, dict)}
        for name, raw in file.rows():
            because = raw.get("because")
            used.add(because)
            if because is not None and because not in sources.caveats:
                yield file.fault(
                    name, f"{name}: no caveat {because!r}", f"add it to {CAVEATS} or mend the id"
                )
            if raw.get("hip", "") is None and because is None and not raw.get("caveat"):
                yield file.fault(
                    name,
                    f"{name} has no HIP name and no caveat",
                    "say why and what to use instead",
                )
    for file in sources.files:
        if file.relative == CAVEATS:
            for name in sources.caveats:
                if name not in used:
                    yield file.fault(name, f"caveat {name} is used nowhere", "delete it")


def _rules(sources: Sources) -> Iterator[Fault]:
    for file in sources.files:
        for name, raw in file.rows():
            rule = raw.get("rule")
            if rule is not None and rule not in sources.rules:
                yield file.fault(
                    name, f"{name}: there is no rule {rule!r}", "name a module of hipify/rules"
                )


def _unique(sources: Sources) -> Iterator[Fault]:
    """A name is once in a library; in several libraries only if each entry names the others."""
    entries: dict[str, dict[str, tuple[MappingFile, dict[str, Any]]]] = {}
    headers: dict[str, MappingFile] = {}
    for file in sources.files:
        library = str(file.document.get("library", ""))
        for name, raw in (file.document.get("entries") or {}).items():
            known = entries.setdefault(str(name), {})
            if library in known:
                other = known[library][0]
                text = f"{name} is in {other.relative}:{other.line(name)} already"
                yield file.fault(name, text, "keep one of the two")
            elif isinstance(raw, dict):
                known[library] = file, raw
        for name in file.document.get("headers") or {}:
            if name in headers:
                text = f"{name} is in {headers[name].relative} already"
                yield file.fault(name, text, "keep one of the two")
            headers[name] = file
    for name, known in entries.items():
        for library, (file, raw) in known.items():
            others = sorted(set(known) - {library})
            if sorted(raw.get("also_in", [])) != others:
                text = f"{name} is in {', '.join(others) or 'no other library'} too"
                remedy = f"write also_in: [{', '.join(others)}]" if others else "drop also_in"
                yield file.fault(name, text, remedy)


def _hip_names(sources: Sources) -> Iterator[Fault]:
    """Every HIP and ROC name is one that their headers spell so."""
    for file in sources.files:
        for name, raw in (file.document.get("entries") or {}).items():
            if not isinstance(raw, dict):
                continue
            texts = [raw.get("hip"), raw.get("roc")]
            texts += (raw.get("overloads") or {}).values()
            for before in ("hip_before", "roc_before", "miopen_before"):
                texts += (raw.get(before) or {}).values()
            for text in texts:
                for word in _IDENTIFIER.findall(str(text or "")):
                    if word not in sources.hip_api and word not in _NO_NAMES:
                        yield file.fault(
                            str(name),
                            f"{name}: no HIP or ROCm header declares {word}",
                            f"mend the spelling, or add the name to {HIP_API} with its source",
                        )
