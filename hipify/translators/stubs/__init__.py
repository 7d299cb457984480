"""Stand-ins for CUDA's headers, generated from the database for machines that lack those.

They declare each name loosely (a function takes anything and returns what is wanted), just enough
for clang to say whose a name is and to see launches.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from hipify.database.compiled import cache_folder
from hipify.mapping import Database, MappingEntry
from hipify.translators.stubs.language import BASE, LANGUAGE, SPELLED_OUT

_ASKED_FOR_BY_CLANG = ("curand_mtgp32_kernel.h", "texture_fetch_functions.h")
"""Headers that clang's own CUDA header includes and newer toolkits lack; empty ones will do."""
_FORMAT = "2"
"""To be raised whenever the code below makes other texts of the same database."""
_CORE = frozenset(("runtime", "driver", "device", "complex"))
"""Libraries whose names the core header declares when there are no real headers at all."""


def stub_folder(database: Database, *, real: bool) -> Path:
    """The folder with a header for each one that the database knows, made when it is not there yet.

    With `real`, CUDA's own core headers are there, and the stubs stand in only for what lacks.
    """
    stamp = "\0".join((_FORMAT, BASE, LANGUAGE, str(real), database.fingerprint))
    name = hashlib.sha256(stamp.encode()).hexdigest()[:24]
    folder = Path(cache_folder(), "clang", f"stubs-{name}")
    if not folder.is_dir():
        _write(folder, _headers(database, real))
    return folder


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Writes all headers beside their place first, so that no process sees half of them."""
    beside = folder.with_name(f"{folder.name}.{os.getpid()}")
    for name, text in texts.items():
        path = beside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with suppress(OSError):  # another process was faster
        beside.rename(folder)


def _headers(database: Database, real: bool) -> dict[str, str]:
    """The text of each header by its path."""
    entries = _by_library(database)
    texts = {"hipify_stub/base.h": BASE}
    if real:
        texts |= dict.fromkeys(_ASKED_FOR_BY_CLANG, "#pragma once\n")
    if not real:
        core = (entry for library in sorted(_CORE) for entry in entries.get(library, ()))
        texts["hipify_stub/core.h"] = _guarded(
            ['#include "hipify_stub/base.h"', LANGUAGE, *_declarations("core", core)]
        )
        texts["cuda_runtime.h"] = _guarded(['#include "hipify_stub/core.h"'])
    for path in database.headers():
        header = database.header(path)
        assert header is not None
        # CUDA's own headers ask for C++ ones with __has_include, and then want all of them.
        if header.local or path in texts or path.endswith(".hpp"):
            continue
        texts[path] = _guarded(_library_lines(header.library, real))
        if header.library not in _CORE:
            texts.setdefault(
                f"hipify_stub/{header.library}.h",
                _guarded(
                    [
                        f'#include "hipify_stub/{"base" if real else "core"}.h"',
                        *_declarations(header.library, entries.get(header.library, ())),
                    ]
                ),
            )
    return texts


def _library_lines(library: str, real: bool) -> list[str]:
    if library in _CORE:
        return [] if real else ['#include "hipify_stub/core.h"']
    return [f'#include "hipify_stub/{library}.h"']


def _guarded(lines: Iterable[str]) -> str:
    return "#pragma once\n" + "\n".join(lines) + "\n"


def _by_library(database: Database) -> dict[str, list[MappingEntry]]:
    found: dict[str, list[MappingEntry]] = defaultdict(list)
    for name in database.names():
        entry = database.get(name)
        if entry is not None and name not in SPELLED_OUT:
            found[entry.library].append(entry)
    return found


def _declarations(library: str, entries: Iterable[MappingEntry]) -> Iterator[str]:
    constants = []
    for entry in sorted(entries):
        name, kind = entry.cuda, entry.kind
        if kind == "namespace":
            yield " ".join(f"namespace {part} {{" for part in name.split("::")) + "}" * (
                name.count("::") + 1
            )
        elif not name.isidentifier():
            continue
        elif kind in ("enum constant", "define"):
            constants.append(name)
        elif kind in ("type", "device type"):
            yield f"struct {name} : hipify_type {{ using hipify_type::hipify_type; }};"
        elif kind != "device function" or name.startswith(("__", "atomic")):
            where = "" if kind == "function" else "__attribute__((device, host)) "
            yield f"template <class... A> {where}hipify_value {name}(A&&...);"
    if constants:
        yield f"enum hipify_{library}_constants {{ {', '.join(constants)} }};"
