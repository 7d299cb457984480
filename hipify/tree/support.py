"""Headers of ours that translated code may include, and their way into the output."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hipify.errors import SourceError
from hipify.tree import disk

INCLUDE_FOLDER = Path(__file__).resolve().parent.parent / "support" / "include"
"""The folder to compile with (`-I`) where the headers were not copied beside the output."""

# Our headers include each other as neighbours, so that they are found with no -I.
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"/]+)"', re.MULTILINE)


def is_support_header(path: Path, relative: str) -> bool:
    """Whether a file of a tree is a header of ours that an earlier run put there, untouched."""
    if "hipify/" not in relative:
        return False
    ours = INCLUDE_FOLDER / relative[relative.rindex("hipify/") :]
    try:
        return ours.is_file() and ours.read_bytes() == path.read_bytes()
    except OSError:
        return False


def with_dependencies(names: Iterable[str]) -> list[str]:
    """The headers and all headers of ours that these include, sorted.

    Raises SourceError for one that this installation lacks.
    """
    pending, found = list(names), set()
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        try:
            text = (INCLUDE_FOLDER / name).read_bytes()
        except OSError as error:
            raise SourceError(f"the support header {name} {disk.reason(error)}") from None
        pending += [f"hipify/{match.decode()}" for match in _INCLUDE.findall(text)]
    return sorted(found)


def install(names: Iterable[str], folder: Path, backup: bool = False) -> tuple[Path, ...]:
    """Puts the headers into `folder`, so that with `-I folder` the output finds them.

    With `backup`, a file of that name that differs is kept as for a source that is replaced.
    Returns what is there now. Raises SourceError where one cannot be read or written.
    """
    installed = []
    for name in with_dependencies(names):
        path = folder / name
        text, _ = disk.read(INCLUDE_FOLDER / name)
        if backup and path.is_file():
            there, status = disk.read(path)
            if there != text:
                disk.back_up(path, there, status)
        disk.write(path, text)
        installed.append(path)
    return tuple(installed)
