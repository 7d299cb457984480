"""Reads the YAML of the mapping database into plain fields, with file and line in every error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hipify.database.compiled import yaml_files
from hipify.errors import MappingError
from hipify.version import parse_version

LIBRARY_ORDER = ("runtime", "driver")
"""Whose entry comes first when a name is in several libraries; the others follow by name."""

CAVEATS = "caveats.yaml"
"""The file of texts that entries share: `because: <id>` on an entry stands for one of them."""

FAMILIES = "families.yaml"
"""The file of beginnings of names, for names without an entry."""

Fields = dict[str, Any]
"""What the YAML says of one name, under the field names of MappingEntry or HeaderEntry."""

_BaseLoader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[misc]
    """A safe YAML loader that refuses duplicate keys."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in result:
            mark = key_node.start_mark
            raise MappingError(
                f"{mark.name}:{mark.line + 1}: {key} is there twice; keep one of the two"
            )
        result[key] = loader.construct_object(value_node, deep=True)
    return result


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def read_yaml(path: Path) -> dict[str, Any]:
    """The document in a YAML file.

    Raises MappingError, with file and line, when it cannot be read, is no valid YAML, holds a key
    twice, or is no mapping at the top.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MappingError(f"{path}: cannot be read: {error}; restore the file") from None
    loader = _Loader(text)
    loader.name = str(path)
    try:
        document = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise MappingError(
            f"{path}:{line}: not valid YAML: {error.problem or error.context}; mend this line"
        ) from None
    except MappingError as error:
        raise MappingError(str(error).replace("<unicode string>", str(path))) from None
    finally:
        loader.dispose()
    if not isinstance(document, dict):
        raise MappingError(f"{path}:1: expected `library:`, `section:` and `entries:` at the top")
    return document


def read_folder(folder: str) -> tuple[list[Fields], list[Fields], list[tuple[str, str, str]]]:
    """All entries, headers and families (see `read_families`) below `folder`, ready to be packed.

    Raises MappingError at the first file that is invalid.
    """
    root = Path(folder)
    texts = read_caveats(root)
    entries: list[Fields] = []
    headers: list[Fields] = []
    for relative in yaml_files(folder):
        if relative in (CAVEATS, FAMILIES):
            continue
        path = root / relative
        document = read_yaml(path)
        try:
            library, section = document["library"], document["section"]
            for name, raw in (document.get("entries") or {}).items():
                entries.append(_entry(name, library, section, raw, texts))
            for name, raw in (document.get("headers") or {}).items():
                headers.append(_header(name, library, section, raw, texts))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MappingError(
                f"{path}:1: not as the schema asks ({error!r}); `hipify db lint` names the line"
            ) from None
    entries.sort(key=lambda fields: _preference(fields["library"]))
    return entries, headers, read_families(root, texts)


def read_caveats(root: Path) -> dict[str, str]:
    """The shared caveats by id; none when the folder has no such file."""
    path = root / CAVEATS
    return dict(read_yaml(path).get("caveats") or {}) if path.exists() else {}


def read_families(root: Path, texts: dict[str, str]) -> list[tuple[str, str, str]]:
    """Beginnings of names with their library and caveat, the longest first.

    Raises MappingError for one that names no caveat.
    """
    path = root / FAMILIES
    families = dict(read_yaml(path).get("families") or {}) if path.exists() else {}
    try:
        rows = [(begin, raw["library"], texts[raw["because"]]) for begin, raw in families.items()]
    except (KeyError, TypeError) as error:
        raise MappingError(f"{path}:1: a family lacks its library or caveat: {error}") from None
    return sorted(rows, key=lambda row: (-len(row[0]), row[0]))


def _preference(library: str) -> tuple[int, str]:
    known = LIBRARY_ORDER.index(library) if library in LIBRARY_ORDER else len(LIBRARY_ORDER)
    return known, library


def _before(raw: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Earlier names in rising order of the version that ended them."""
    return tuple(sorted(raw.items(), key=lambda pair: parse_version(pair[0])))


def _common(
    name: str, library: str, section: str, raw: dict[str, Any], texts: dict[str, str]
) -> Fields:
    """The fields that entries and headers share."""
    fields: Fields = {"cuda": name, "library": library, "section": section}
    if raw.get("hip") is not None:
        fields["hip"] = raw["hip"]
    if "roc" in raw:
        fields["roc" if raw["roc"] is not None else "roc_unsupported"] = raw["roc"] or True
    for key in ("caveat", "rule", "hip_planned"):
        if key in raw:
            fields[key] = raw[key]
    if "because" in raw:
        if raw["because"] not in texts:
            raise ValueError(f"{name}: no caveat {raw['because']!r} in {CAVEATS}")
        fields["caveat"] = texts[raw["because"]]
    for key in ("hip_before", "roc_before", "miopen_before"):
        if key in raw:
            fields[key] = _before(raw[key])
    for key, field in (("rocm", "rocm_versions"), ("roclib", "roc_versions")):
        if key in raw:
            fields[field] = raw[key]
    return fields


def _entry(
    name: str, library: str, section: str, raw: dict[str, Any], texts: dict[str, str]
) -> Fields:
    """The fields of an entry that differ from the defaults of MappingEntry."""
    fields = _common(name, library, section, raw, texts)
    fields["kind"] = raw["kind"]
    for key in ("roc_planned", "v2_only", "everyday", "overloads"):
        if key in raw:
            fields[key] = raw[key]
    if "cuda" in raw:
        fields["cuda_versions"] = raw["cuda"]
    if "not_for_cuda" in raw:
        span = raw["not_for_cuda"]
        fields["not_for_cuda"] = (span["from"], span.get("until", ""))
    if "also_in" in raw:
        fields["also_in"] = tuple(raw["also_in"])
    if "args" in raw:
        fields["args"] = tuple(
            {("source" if key == "from" else key): value for key, value in rule.items()}
            for rule in raw["args"]
        )
    return fields


def _header(
    name: str, library: str, section: str, raw: dict[str, Any], texts: dict[str, str]
) -> Fields:
    """The fields of a header that differ from the defaults of HeaderEntry."""
    fields = _common(name, library, section, raw, texts)
    for key in ("main", "local"):
        if key in raw:
            fields[key] = raw[key]
    return fields
