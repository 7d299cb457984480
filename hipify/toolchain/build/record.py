"""What an object was made from, so that it is not made again while nothing has changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hipify.toolchain.model import Toolchain

FORMAT = 1


class Record:
    """The record beside one object: the command, the toolchain, and the state of every input."""

    def __init__(self, output: Path, command: list[str], toolchain: Toolchain) -> None:
        self._output = output
        self._path = output.with_name(output.name + ".json")
        self._made_by = [FORMAT, command, toolchain.clang_version, toolchain.hip_version]

    def is_current(self) -> bool:
        """Whether the object is there and would come out the same."""
        try:
            found = json.loads(self._path.read_text("utf-8"))
            return (
                self._output.is_file()
                and found["made_by"] == json.loads(json.dumps(self._made_by))
                and all(_state(Path(path)) == state for path, state in found["inputs"].items())
            )
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            return False

    def write(self) -> None:
        """Notes the inputs that the compiler listed for the object just made."""
        listed = self._output.with_name(self._output.name + ".d")
        inputs = {str(path): _state(path) for path in dependencies(listed)}
        text = json.dumps({"made_by": self._made_by, "inputs": inputs})
        self._path.write_text(text, "utf-8")


def _state(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def dependencies(path: Path) -> list[Path]:
    """The inputs in a make rule that a compiler wrote."""
    text = path.read_text("utf-8", "surrogateescape").replace("\\\n", " ")
    _, _, inputs = text.partition(": ")
    words = re.findall(r"(?:\\.|[^\s\\])+", inputs)
    return [Path(re.sub(r"\\([ #])", r"\1", word).replace("$$", "$")) for word in words]
