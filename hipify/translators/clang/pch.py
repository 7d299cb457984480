"""Precompiled headers in the user's cache folder, shared by all runs and processes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hipify.database.compiled import cache_folder
from hipify.lexer import INCLUDE, Lexed
from hipify.translators.clang.library import DETAILED, INCOMPLETE, Library

_KEPT = 32
"""Files; one is 10 to 60 MB."""
_FATAL = 4
# fmt: off
_USUAL = (
    "algorithm", "array", "cassert", "chrono", "cmath", "cstdint", "cstdio", "cstdlib", "cstring",
    "fstream", "functional", "iomanip", "iostream", "limits", "map", "memory", "numeric", "random",
    "set", "sstream", "stdexcept", "string", "tuple", "unordered_map", "utility", "vector",
)
# fmt: on
_CORE = ("cuda_runtime.h",)
_PLAIN = frozenset(
    (
        *_USUAL,
        *(
            f"{name}.h"
            for name in ("stdio", "stdlib", "string", "math", "assert", "stdint", "time")
        ),
        *("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h"),
        *("climits", "cfloat", "ctime", "cstddef", "cctype", "float.h", "limits.h", "ctype.h"),
    )
)
"""Headers that cost next to nothing once CUDA's and the usual ones are there."""


def heavy_includes(
    lexed: Lexed, folders: Sequence[str], is_known: Callable[[str], bool]
) -> tuple[str, ...]:
    """The system headers, beyond the usual ones, that a file includes before anything else, sorted.

    Headers that the user's own `folders` have are none of the system's. Of those in quotes only
    CUDA's are (`is_known`).
    """
    found = set()
    for directive in lexed.directives:
        match = INCLUDE.match(lexed.data, directive.start, directive.end)
        if match is None or lexed.code[: directive.start].strip():
            break
        name = os.fsdecode(match[1] or match[2] or b"")
        if match[1] is None and not is_known(name):
            break
        if any(Path(folder, name).exists() for folder in folders):
            break
        found.add(name)
    return tuple(sorted(found - _PLAIN))


class Precompiled:
    """Makes and finds precompiled headers for one set of options.

    `stamp` names all else that they depend on: versions and places of headers.
    """

    def __init__(self, library: Library, stamp: str) -> None:
        self._library, self._stamp = library, stamp
        self._known: dict[tuple[object, ...], Path | None] = {}

    def find(self, options: Sequence[str], includes: tuple[str, ...]) -> Path | None:
        """The file for these options and headers, made if need be; None where that fails."""
        key = (tuple(options), includes)
        if key not in self._known:
            self._known[key] = self._find(options, includes)
        return self._known[key]

    def forget(self, options: Sequence[str], includes: tuple[str, ...]) -> None:
        """Drops a file that turned out to be of no use, for good in this process."""
        path = self._known.get((tuple(options), includes))
        self._known[tuple(options), includes] = None
        if path is not None:
            with suppress(OSError):
                path.unlink()

    def _find(self, options: Sequence[str], includes: tuple[str, ...]) -> Path | None:
        text = "\0".join((self._stamp, *options, "", *includes))
        name = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        path = Path(cache_folder(), "clang", f"{name}.pch")
        try:
            if path.is_file():
                os.utime(path)
                return path
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._make(path, options, includes):
                return None
            _drop_old(path.parent)
        except OSError:
            return None
        return path

    def _make(self, path: Path, options: Sequence[str], includes: tuple[str, ...]) -> bool:
        source = str(path.with_suffix(".cu"))
        text = "".join(f"#include <{name}>\n" for name in (*_CORE, *_USUAL, *includes))
        unit = self._library.index.parse(
            source, list(options), [(source, text)], options=INCOMPLETE | DETAILED
        )
        if any(found.severity >= _FATAL for found in unit.diagnostics):
            return False
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            unit.save(str(temporary))
            temporary.replace(path)
        except self._library.cindex.TranslationUnitSaveError:
            return False
        finally:
            with suppress(OSError):
                temporary.unlink()
        return True


def _drop_old(folder: Path) -> None:
    """Removes all but the files used last."""
    files: list[tuple[float, Path]] = []
    for path in folder.glob("*.pch"):
        with suppress(OSError):
            files.append((path.stat().st_mtime, path))
    for _, path in sorted(files)[:-_KEPT]:
        with suppress(OSError):
            path.unlink()


def is_stale(diagnostic: Any) -> bool:
    """Whether clang refuses a precompiled header, because a header changed say."""
    text = diagnostic.spelling
    return diagnostic.severity >= 3 and any(
        word in text for word in ("PCH", "AST file", "precompiled", "module file")
    )


def is_clash(diagnostic: Any) -> bool:
    """Whether a header that the file did not ask for may be the reason for an error."""
    text = diagnostic.spelling
    return diagnostic.severity >= 3 and any(
        word in text for word in ("ambiguous", "redefinition", "conflicting", "different kind")
    )
