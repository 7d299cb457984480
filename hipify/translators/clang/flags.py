"""The options that clang gets for a file: from a compile command, or from what the user gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_WITH_VALUE = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-D", "-U")
_STANDARD = "-std=c++17"


@dataclass(frozen=True)
class Settings:
    """How to parse. `cuda` is a folder with CUDA's headers in `include`, None for the best found.

    `arguments` are clang's own, `compile_db` the folder of a compile_commands.json. With `device`
    the code is seen as a GPU of sm_70 sees it, else as the host does. Headers below `root` are read
    where a source below it includes them.
    """

    cuda: Path | None = None
    arguments: tuple[str, ...] = ()
    compile_db: Path | None = None
    device: bool = False
    stubs_only: bool = False
    root: Path | None = None


def parsing_options(arguments: Sequence[str], directory: Path) -> list[str]:
    """Those of a compiler's options that matter for parsing, in clang's spelling.

    Takes nvcc's and clang's; relative folders are seen from `directory`. What nvcc only knows is
    left out; an option without its value is, too.
    """
    from hipify.errors import SourceError
    from hipify.toolchain.nvcc_flags import convert

    try:
        words = convert(arguments, directory).compile
    except SourceError:
        words = [word for word in arguments if word.startswith(_WITH_VALUE)]
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        name = next((name for name in _WITH_VALUE if word.startswith(name)), None)
        if name is None:
            if word.startswith(("-std=", "-fopenmp", "-fno-exceptions")):
                found.append(word)
            continue
        value = word[len(name) :] or next(rest, "")
        if name.startswith("-I") or name.startswith("-i"):
            value = str(directory / value)
        found += [name + value] if name in ("-D", "-U", "-I") else [name, value]
    return found


def with_standard(options: list[str]) -> list[str]:
    """The options with a C++ standard, the newest that all supported CUDA headers take."""
    if any(option.startswith("-std=") for option in options):
        return options
    return [_STANDARD, *options]


def user_folders(options: Sequence[str]) -> list[str]:
    """The include folders that hold the user's own headers."""
    return [option[2:] for option in options if option.startswith("-I") and len(option) > 2]
