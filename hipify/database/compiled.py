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

FORMAT = 3
"""Raised when the packing changes, so that older caches are not read."""

MARSHAL_VERSION = 4
"""What Python 3.4 and all later ones read."""

SHARED = frozenset(("caveat", "kind", "library", "section"))
"""Fields whose texts are stored once and numbered."""

Packed = bytes | memoryview

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_INSTALLED = os.path.join(_PACKAGE, "_compiled", "mappings.bin")
_MAGIC = b"hipify mappings %d\n" % FORMAT
_HEAD = 64 + 1 + 8 + 1 + 8 + 1
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


def load_compiled() -> Packed:
    """The packed database; compiles the YAML when there is no fresh compiled form.

    Raises MappingError when the YAML is needed and missing or invalid.
    """
    beside = os.path.join(os.path.dirname(_PACKAGE), "mappings", "schema.json")
    if not os.path.exists(beside):
        payload = _read(_INSTALLED, None, b"")
        if payload is not None:
            return payload
    return load_cached(mappings_folder(), cache_folder())


def load_cached(folder: str, cache: str) -> Packed:
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


def _read(path: str, signature: bytes | None, key: bytes) -> Packed | None:
    """The payload of a compiled file if it is whole and matches; None otherwise.

    The file is: magic; a line of key, checksum and length of the signature; signature; payload.
    """
    from zlib import crc32

    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
    except OSError:
        return None
    start = len(_MAGIC)
    end = start + _HEAD
    words = bytes(data[start:end]).split()
    if bytes(data[:start]) != _MAGIC or len(words) != 3 or len(data) < end:
        return None
    if key and words[0] != key:
        return None
    try:
        checksum, length = int(words[1], 16), int(words[2], 16)
    except ValueError:
        return None
    if signature is not None and (not length or bytes(data[end : end + length]) != signature):
        return None
    payload = data[end + length :]
    return payload if crc32(payload) == checksum else None


def write_compiled(path: str, payload: Packed, signature: bytes, key: bytes) -> bool:
    """Writes a compiled file, whole or not at all; returns whether that worked."""
    from zlib import crc32

    head = b"%64s %08x %08x\n" % (key, crc32(payload), len(signature))
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.writelines((_MAGIC, head, signature, payload))
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

    The result is a line with two lengths, the index (names and shared texts), the records, and the
    index by HIP name; only the first index is decoded at start-up.
    """
    records = _Records()
    names: dict[str, Any] = {}
    reverse: dict[str, list[str]] = {}
    for fields in entries:
        name = fields["cuda"]
        here = records.place(fields)
        earlier = names.get(name)
        if earlier is None:
            names[name] = here
        else:
            names[name] = (*(earlier if isinstance(earlier, tuple) else (earlier,)), here)
        for hip in counterparts(fields):
            known = reverse.setdefault(hip, [])
            if name not in known:
                known.append(name)
    paths = {fields["cuda"]: records.place(fields) for fields in headers}
    index = (names, paths, tuple(records.texts), tuple(records.fields), tuple(families))
    front = marshal.dumps(index, MARSHAL_VERSION)
    back = marshal.dumps({hip: tuple(cuda) for hip, cuda in reverse.items()}, MARSHAL_VERSION)
    lengths = b"%08x %08x\n" % (len(front), len(records.data))
    return b"".join((lengths, front, records.data, back))


class _Records:
    """Records one after the other: each a tuple of numbers of fields and their values in turn."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.texts: dict[str, int] = {}
        self.fields: dict[str, int] = {}

    def place(self, fields: dict[str, Any]) -> int:
        """Appends a record and returns where it starts; shared texts are replaced by numbers."""
        start = len(self.data)
        record: list[Any] = []
        for name, value in fields.items():
            if name == "cuda":
                continue
            stored = value
            if name in SHARED:
                stored = self.texts.setdefault(value, len(self.texts))
            record += (self.fields.setdefault(name, len(self.fields)), stored)
        self.data += marshal.dumps(tuple(record), MARSHAL_VERSION)
        return start


def counterparts(fields: dict[str, Any]) -> list[str]:
    """The HIP and ROC names, present and past, in the fields of an entry."""
    names = [fields.get("hip"), fields.get("roc"), *fields.get("overloads", {}).values()]
    for before in ("hip_before", "roc_before", "miopen_before"):
        names += [name for _, name in fields.get(before, ())]
    return [name for name in dict.fromkeys(names) if name]
