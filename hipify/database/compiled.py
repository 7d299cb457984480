"""The compiled database: where it is stored, when it is stale, how it is packed.

Wheels hold it beside the code. A checkout keeps it in the user's cache folder, keyed by the content
of the YAML files; names, sizes and times of the files short-cut that check. Several processes may
do this at once: files are replaced whole, and a file that is damaged is made anew.
"""

# This runs at every start, and importing pathlib would cost more than all that it does: os.path.

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from hipify.errors import MappingError

FORMAT = 2
"""Raised when the packing changes, so that older caches are not read."""

MARSHAL_VERSION = 4
"""What Python 3.4 and all later ones read."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_INSTALLED = os.path.join(_PACKAGE, "_compiled", "mappings.bin")
_MAGIC = b"hipify mappings %d\n" % FORMAT
_SETTLED_SECONDS = 2.0


def mappings_folder() -> str:
    """The folder of the YAML files: in a checkout beside the package, else inside of it.

    Raises MappingError when there is neither.
    """
    for folder in (
        os.path.join(os.path.dirname(_PACKAGE), "mappings"),
        os.path.join(_PACKAGE, "_mappings"),
    ):
        if os.path.isfile(os.path.join(folder, "schema.json")):
            return folder
    raise MappingError(
        f"{_PACKAGE}: no mapping database beside or inside of the package; reinstall hipify"
    )


def cache_folder() -> str:
    """The folder for files that can be made anew: `HIPIFY_CACHE_DIR`, or the platform's own."""
    chosen = os.environ.get("HIPIFY_CACHE_DIR")
    if chosen:
        return chosen
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(base, "hipify", "Cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "hipify")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "hipify")


def yaml_files(folder: str) -> list[str]:
    """Paths of the YAML files below `folder`, relative to it, with `/`, sorted."""
    return [path for path, _ in _scanned(folder)]


def _scanned(folder: str) -> list[tuple[str, os.stat_result]]:
    """The YAML files below `folder`, one level deep, with their status, sorted by path."""
    found = []
    with os.scandir(folder) as top:
        for entry in top:
            if entry.name.endswith(".yaml"):
                found.append((entry.name, entry.stat()))
            elif entry.is_dir():
                with os.scandir(entry.path) as inner:
                    found += [
                        (f"{entry.name}/{each.name}", each.stat())
                        for each in inner
                        if each.name.endswith(".yaml")
                    ]
    return sorted(found, key=lambda pair: pair[0])


def _signature(files: Iterable[tuple[str, os.stat_result]]) -> bytes:
    """Names, sizes and times of the files: equal when nothing was touched."""
    lines = [f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in files]
    return "\n".join(lines).encode()


def content_key(folder: str) -> bytes:
    """A hash over names and contents of the YAML files and over the code that packs them."""
    import hashlib

    digest = hashlib.sha256(_MAGIC)
    sources = [os.path.join(_PACKAGE, "mapping.py")]
    sources += [os.path.join(_PACKAGE, "database", name) for name in ("compiled.py", "source.py")]
    paths = yaml_files(folder)
    for name, path in [(os.path.basename(each), each) for each in sources] + [
        (each, os.path.join(folder, each)) for each in paths
    ]:
        with open(path, "rb") as file:
            data = file.read()
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest().encode()


def load_compiled() -> bytes:
    """The packed database; compiles the YAML when there is no fresh compiled form.

    Raises MappingError when the YAML is needed and missing or invalid.
    """
    beside = os.path.join(os.path.dirname(_PACKAGE), "mappings", "schema.json")
    if not os.path.exists(beside):
        payload = _read(_INSTALLED, None, b"")
        if payload is not None:
            return payload
    return load_cached(mappings_folder(), cache_folder())


def load_cached(folder: str, cache: str) -> bytes:
    """The packed database of the YAML files in `folder`, from `cache` if it is fresh there.

    A cache that cannot be read or written costs time, not the result. Raises MappingError when
    the YAML is invalid.
    """
    files = _scanned(folder)
    signature = _signature(files)
    path = os.path.join(cache, _cache_name(folder))
    payload = _read(path, signature, b"")
    if payload is not None:
        return payload
    key = content_key(folder)
    payload = _read(path, None, key)
    if payload is None:
        from hipify.database.source import read_folder

        payload = pack(*read_folder(folder))
    # A file written in the last moments may be written again without its time changing.
    newest = max((status.st_mtime for _, status in files), default=0.0)
    settled = time.time() - newest > _SETTLED_SECONDS
    write_compiled(path, payload, signature if settled else b"", key)
    return payload


def _cache_name(folder: str) -> str:
    from zlib import crc32

    return f"mappings-{crc32(os.path.abspath(folder).encode('utf-8', 'surrogateescape')):08x}.bin"


def _read(path: str, signature: bytes | None, key: bytes) -> bytes | None:
    """The payload of a compiled file if it is whole and matches; None otherwise.

    The file is: magic, signature, key, checksum, payload; the first four end in a blank line.
    """
    from zlib import crc32

    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    head, _, payload = data.partition(b"\n\n\n")
    parts = head.split(b"\n\n")
    if len(parts) != 4 or parts[0] + b"\n" != _MAGIC:
        return None
    if signature is not None and (not parts[1] or parts[1] != signature):
        return None
    if key and parts[2] != key:
        return None
    return payload if parts[3] == b"%08x" % crc32(payload) else None


def write_compiled(path: str, payload: bytes, signature: bytes, key: bytes) -> bool:
    """Writes a compiled file, whole or not at all; returns whether that worked."""
    from zlib import crc32

    head = b"\n\n".join((_MAGIC[:-1], signature, key, b"%08x" % crc32(payload)))
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(head + b"\n\n\n" + payload)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        return False
    return True


def pack(
    entries: list[dict[str, Any]],
    headers: list[dict[str, Any]],
    families: list[tuple[str, str, str]],
) -> bytes:
    """The compiled form of entries, headers and families.

    An entry or header is a dict of the fields of MappingEntry or HeaderEntry that differ from their
    defaults; entries of one name are in order of preference. A family is the beginning of names,
    its library and its caveat; the longest come first.
    """
    strings: dict[str, int] = {}
    records = bytearray()
    reverse: dict[str, list[str]] = {}

    def place(fields: dict[str, Any]) -> int:
        start = len(records)
        record = {name: value for name, value in fields.items() if name != "cuda"}
        for shared in ("library", "section", "caveat"):
            if shared in record:
                record[shared] = strings.setdefault(record[shared], len(strings))
        records.extend(marshal.dumps(record, MARSHAL_VERSION))
        return start

    names: dict[str, Any] = {}
    for fields in entries:
        name = fields["cuda"]
        earlier = names.get(name)
        here = place(fields)
        if earlier is None:
            names[name] = here
        else:
            names[name] = (*(earlier if isinstance(earlier, tuple) else (earlier,)), here)
        for hip in counterparts(fields):
            known = reverse.setdefault(hip, [])
            if name not in known:
                known.append(name)
    header_places = {fields["cuda"]: place(fields) for fields in headers}
    whole = (
        names,
        header_places,
        tuple(strings),
        tuple(families),
        bytes(records),
        marshal.dumps({hip: tuple(cuda) for hip, cuda in reverse.items()}, MARSHAL_VERSION),
    )
    return marshal.dumps(whole, MARSHAL_VERSION)


def counterparts(fields: dict[str, Any]) -> list[str]:
    """The HIP and ROC names, present and past, in the fields of an entry."""
    names = [fields.get("hip"), fields.get("roc"), *fields.get("overloads", {}).values()]
    for before in ("hip_before", "roc_before", "miopen_before"):
        names += [name for _, name in fields.get(before, ())]
    return [name for name in dict.fromkeys(names) if name]
