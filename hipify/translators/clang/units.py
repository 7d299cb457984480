"""Which source of a tree includes which header, so that a header is read as its users see it."""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from functools import cached_property
from pathlib import Path

from hipify.walk import EXTENSIONS

_INCLUDE = re.compile(rb"^[ \t]*\#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c")
_PORTED = re.compile(rb"\#[ \t]*include[ \t]*[<\"]hip/hip_runtime")


class Units:
    """The sources below `root` and the headers that each one includes, read when first asked."""

    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.abspath(root))  # noqa: PTH100 - keeps links as they are

    def unit_of(self, header: Path) -> Path | None:
        """A source that includes `header`, directly or not, CUDA's first; None if none does.

        `header` may be called like a source, too. Sources that are ported already are of no use,
        since CUDA's compiler cannot read them.
        """
        target = Path(os.path.abspath(header))  # noqa: PTH100
        seen, waiting, found = {target}, deque([target]), []
        while waiting:
            for user in self._users.get(waiting.popleft(), ()):
                if user in seen:
                    continue
                seen.add(user)
                if user.suffix.lower() in _UNITS:
                    found.append(user)
                else:
                    waiting.append(user)
            if found:
                break
        return min(found, key=lambda path: (_UNITS.index(path.suffix.lower()), path), default=None)

    @cached_property
    def _users(self) -> dict[Path, list[Path]]:
        """The files that include each file."""
        files: dict[Path, None] = {}
        by_name: dict[str, list[Path]] = defaultdict(list)
        for folder, folders, names in os.walk(self._root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in sorted(names):
                path = Path(folder, name)
                if path.suffix.lower() in EXTENSIONS:
                    files[path] = None
                    by_name[name].append(path)
        users: dict[Path, list[Path]] = defaultdict(list)
        for path in files:
            try:
                data = path.read_bytes()
            except OSError:
                continue
            if _PORTED.search(data):
                continue
            for match in _INCLUDE.finditer(data):
                target = self._resolved(os.fsdecode(match[1]), path, files, by_name)
                if target is not None:
                    users[target].append(path)
        return users

    def _resolved(
        self, name: str, user: Path, files: dict[Path, None], by_name: dict[str, list[Path]]
    ) -> Path | None:
        """The file that an include means: beside its user, else the one whose path ends like it."""
        beside = Path(os.path.normpath(user.parent / name))
        if beside in files:
            return beside
        ending = "/" + name.replace("\\", "/").lstrip("./")
        matches = [
            path for path in by_name.get(Path(name).name, ()) if path.as_posix().endswith(ending)
        ]
        return matches[0] if len(matches) == 1 else None
