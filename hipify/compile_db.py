"""Reads `compile_commands.json`: how a build system compiles each file."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipify.errors import SourceError

NAME = "compile_commands.json"
LAUNCHERS = frozenset(("ccache", "sccache", "distcc", "env"))


@dataclass(frozen=True)
class CompileCommand:
    """One entry: `file` absolute, `arguments` with the compiler first, as in `directory`."""

    file: Path
    directory: Path
    arguments: tuple[str, ...]

    @property
    def _at(self) -> int:
        """Where the compiler stands, behind ccache and the like."""
        names = [_plain_name(word) for word in self.arguments]
        return next((at for at, name in enumerate(names) if name not in LAUNCHERS), 0)

    @property
    def compiler(self) -> str:
        """The compiler's plain name in lower case, `nvcc` or `g++`."""
        return _plain_name(self.arguments[self._at]) if self.arguments else ""

    @property
    def options(self) -> tuple[str, ...]:
        """What follows the compiler."""
        return self.arguments[self._at + 1 :]


def _plain_name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


def find_compile_db(start: Path) -> Path | None:
    """The database in a folder or in its `build` folder."""
    for folder in (start, start / "build"):
        if (folder / NAME).is_file():
            return folder / NAME
    return None


def read_compile_db(path: Path) -> list[CompileCommand]:
    """The entries of a database, the last one of each file (`path` may be its folder).

    Raises SourceError for a file that is missing or no database.
    """
    if path.is_dir():
        path = path / NAME
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SourceError(f"{path} is no JSON: {error}") from None
    if not isinstance(data, list):
        raise SourceError(f"{path} is no compilation database: a list of entries is expected")
    commands = [_command(path, number, entry) for number, entry in enumerate(data, 1)]
    return list({command.file: command for command in commands}.values())


def _command(path: Path, number: int, entry: Any) -> CompileCommand:
    where = f"{path}, entry {number}"
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise SourceError(f"{where}: `file` is missing")
    directory = path.parent / str(entry.get("directory", "."))
    arguments = entry.get("arguments")
    if arguments is None:
        command = entry.get("command")
        if not isinstance(command, str):
            raise SourceError(f"{where}: neither `arguments` nor `command` is there")
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise SourceError(f"{where}: `command` cannot be split: {error}") from None
    if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
        raise SourceError(f"{where}: `arguments` is no list of texts")
    return CompileCommand(
        (directory / entry["file"]).resolve(), directory.resolve(), tuple(arguments)
    )
