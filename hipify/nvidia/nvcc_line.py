"""An nvcc command line taken apart: what is to be made of which files, and the other options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from hipify.errors import UsageError
from hipify.toolchain.nvcc_flags import OBJECT_SUFFIXES, SOURCE_SUFFIXES, expanded
from hipify.toolchain.nvcc_options import DROPPED, LONG_NAMES, WITH_VALUE


class Mode(Enum):
    """What nvcc is to make."""

    LINK = "program"
    OBJECT = "object"
    IMAGE = "device code"
    PREPROCESSED = "preprocessed source"
    DEPENDENCIES = "list of dependencies"
    LIBRARY = "library"


_MODES = {
    "-c": Mode.OBJECT,
    "-dc": Mode.OBJECT,
    "-cubin": Mode.IMAGE,
    "-fatbin": Mode.IMAGE,
    "-ptx": Mode.IMAGE,
    "-E": Mode.PREPROCESSED,
    "-M": Mode.DEPENDENCIES,
    "-MM": Mode.DEPENDENCIES,
    "-lib": Mode.LIBRARY,
}
_MODE_NAMES = {
    "--cubin": "-cubin",
    "--fatbin": "-fatbin",
    "--ptx": "-ptx",
    "--preprocess": "-E",
    "--generate-dependencies": "-M",
    "--generate-nonsystem-dependencies": "-MM",
    "--generate-dependencies-with-compile": "-MD",
    "--generate-nonsystem-dependencies-with-compile": "-MMD",
    "--generate-dependency-targets": "-MP",
    "--dependency-output": "-MF",
    "--dependency-target-name": "-MT",
    "--lib": "-lib",
    "--device-link": "-dlink",
}
_REFUSED = {
    "-dlink": "AMD's linker links device code with the program: leave this step out, and link the "
    "objects with hipify-nvcc -rdc=true",
    "-optix-ir": "OptiX has no counterpart on AMD GPUs",
    "-ltoir": "link-time IR of NVIDIA has no counterpart on AMD GPUs",
    "-gen-opt-lto": "link-time IR of NVIDIA has no counterpart on AMD GPUs",
    "-run": "run the program yourself, or use `hipify run`",
    "-r": "run the program yourself, or use `hipify run`",
}
_SUFFIX = {
    Mode.OBJECT: ".o",
    Mode.IMAGE: ".fatbin",
    Mode.PREPROCESSED: "",
    Mode.DEPENDENCIES: "",
}


@dataclass
class NvccLine:
    """The parts of a command line; paths are absolute.

    `output_word` is the output as it was written, which is what rules for make must name.
    `words` are all words but the inputs, the output and what says the mode; `dependencies` are
    options like `-MD`, which clang takes too.
    """

    mode: Mode = Mode.LINK
    mode_word: str = ""
    output: Path | None = None
    output_word: str = ""
    folder: Path | None = None
    sources: list[Path] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    dependencies: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    shared: bool = False
    version: bool = False
    dry_run: bool = False

    def output_of(self, source: Path, directory: Path) -> Path:
        """Where nvcc puts what it makes of a source when it is asked for no program."""
        if self.output is not None:
            return self.output
        suffix = ".ptx" if self.mode_word == "-ptx" else _SUFFIX[self.mode]
        if self.mode_word == "-cubin":
            suffix = ".cubin"
        return (self.folder or directory) / f"{source.stem}{suffix}"

    def dependency_options(self, source: Path, directory: Path) -> list[str]:
        """Options that write the dependency file where nvcc would, about the same target."""
        if not self.dependencies:
            return []
        output = self.output_of(source, directory)
        words = list(self.dependencies)
        if "-MF" not in words:
            words += ["-MF", str(output.with_suffix(".d"))]
        if not {"-MT", "-MQ"} & set(words):
            words += ["-MT", self.output_word or output.name]
        return words


def parse(arguments: Sequence[str], directory: Path) -> NvccLine:
    """Takes a command line apart that was given in `directory`.

    Raises UsageError for options that cannot be served, by their names.
    """
    line = NvccLine()
    words = expanded(arguments, directory)[::-1]
    language = ""
    while words:
        word = words.pop()
        name, equals, value = word.partition("=")
        name = _MODE_NAMES.get(name, LONG_NAMES.get(name, name))
        if name in _REFUSED:
            raise UsageError(f"{word}: {_REFUSED[name]}")
        if name in _MODES:
            line.mode, line.mode_word = _MODES[name], name
            line.words += [name] if name == "-dc" else []
        elif name in ("-V", "--version"):
            line.version = True
        elif name == "-dryrun":
            line.dry_run = True
        elif name == "-shared":
            line.shared = True
        elif name in ("-MD", "-MMD", "-MP"):
            line.dependencies.append(name)
        elif name in ("-o", "-odir", "-MF", "-MT", "-MQ"):
            _take(line, name, value if equals else _value(word, words), directory)
        elif _takes_value(name) and not equals:
            taken = _value(word, words)
            language = taken if name == "-x" else language
            line.words += [word, taken]
        elif word.startswith("-"):
            language = value if name == "-x" else language
            line.words.append(word)
        else:
            _input(line, word, directory, bool(language))
    return line


def _value(option: str, words: list[str]) -> str:
    if not words:
        raise UsageError(f"nvcc option {option} lacks its value")
    return words.pop()


def _takes_value(name: str) -> bool:
    return name in WITH_VALUE or DROPPED.get(name, False)


def _take(line: NvccLine, name: str, value: str, directory: Path) -> None:
    if name == "-o":
        line.output, line.output_word = directory / value, value
    elif name == "-odir":
        line.folder = directory / value
    else:
        line.dependencies += [name, value]


def _input(line: NvccLine, word: str, directory: Path, any_suffix: bool) -> None:
    suffix = Path(word).suffix.lower()
    if suffix in OBJECT_SUFFIXES or ".so." in word:
        line.objects.append(word)
    elif suffix in SOURCE_SUFFIXES or any_suffix:
        line.sources.append(directory / word)
    else:
        raise UsageError(f"{word}: neither a source nor an object by its name")
