"""Stands in for nvcc: translates the sources of a command line and compiles them with another.

What to compile for says the environment, as the command line is nvcc's:
HIPIFY_PLATFORM (`amd`, the default, or `nvidia`) and HIPIFY_ARCH (`gfx90a,gfx942`).
"""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hipify.compile_db import CompileCommand
from hipify.database.compiled import cache_folder
from hipify.errors import UsageError
from hipify.nvidia.nvcc_line import Mode, NvccLine
from hipify.options import Options
from hipify.targets import Target
from hipify.targets.amd import amd_targets
from hipify.toolchain.build import sources
from hipify.toolchain.build.command import Compiler
from hipify.toolchain.build.sources import SourceTree
from hipify.toolchain.build.units import Choices, include_folders, units_of_commands
from hipify.toolchain.call import call
from hipify.toolchain.detect import Machine, find_toolchain
from hipify.toolchain.model import Toolchain
from hipify.toolchain.nvcc_flags import convert
from hipify.tree import disk
from hipify.tree.disk import absolute

DEFAULT_ARCH = "gfx90a"
TIMEOUT = 3600.0
_PLACE = re.compile(
    r"^(?P<file>/[^\n:(]+|[A-Za-z]:\\[^\n:(]+)(?P<open>[:(])(?P<line>\d+)(?=[:,)])", re.MULTILINE
)
_BUNDLED = b"__CLANG_OFFLOAD_BUNDLE__h"
"""Begins the names of sections in an object whose device code is still to be linked."""


@dataclass(frozen=True)
class Place:
    """Where and for what a command line is served."""

    directory: Path
    targets: tuple[Target, ...]
    toolchain: Toolchain


def place(env: Mapping[str, str], directory: Path) -> Place:
    """The place for AMD. Raises UsageError and ToolchainError for what cannot be served."""
    targets = amd_targets(env.get("HIPIFY_ARCH") or DEFAULT_ARCH)
    return Place(directory, targets, find_toolchain(Machine()))


def serve(line: NvccLine, at: Place) -> int:
    """Makes what a command line asks for; the exit code of the compiler that failed, else 0."""
    if line.mode is Mode.LIBRARY:
        raise UsageError("-lib: make the library with ar from the objects")
    if line.mode is not Mode.LINK:
        if len(line.sources) != 1 and line.output is not None:
            raise UsageError("-o names one file: give one source")
        if not line.sources:
            raise UsageError("no source is given")
        codes = [
            _make(line, source, line.output_of(source, at.directory), at) for source in line.sources
        ]
        return next(filter(None, codes), 0)
    with tempfile.TemporaryDirectory(prefix="hipify-") as folder:
        objects = []
        for number, source in enumerate(line.sources):
            made = Path(folder) / f"{number}-{source.stem}.o"
            code = _make(replace(line, mode=Mode.OBJECT, dependencies=[]), source, made, at)
            if code:
                return code
            objects.append(made)
        return _link(line, objects, at)


def translated_tree(
    source: Path, words: Sequence[str], directory: Path, options: Options
) -> tuple[SourceTree, CompileCommand]:
    """The source translated into the cache, with all that it includes, and its command.

    Raises UsageError for a source that is not there, or cannot be translated.
    """
    command = CompileCommand(absolute(source), directory, ("nvcc", *words))
    out = cached(source, words, options)
    how = sources.Translation(options, workers=1)
    tree = sources.translated([source], out, how, include_folders([command]))
    if tree.failures:
        raise UsageError("\n  ".join(["cannot be translated:", *tree.failures]))
    return tree, command


def cached(source: Path, words: Sequence[str], options: Options) -> Path:
    """The folder for the translation of a source under these options."""
    key = "\0".join([str(absolute(source)), repr(options), *words])
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
    return Path(cache_folder()) / "nvcc" / digest[:24]


def _make(line: NvccLine, source: Path, output: Path, at: Place) -> int:
    """Compiles one source into what the mode says."""
    options = Options(rocm=at.toolchain.hip_version[:2])
    tree, command = translated_tree(source, line.words, at.directory, options)
    (unit,), notes = units_of_commands(tree, Choices(plain=True), [command])
    for note in notes:
        sys.stderr.write(f"hipify-nvcc: warning: {note}\n")
    words = Compiler(at.toolchain).compile(unit, at.targets, output)
    words = words[: words.index("-MD")]  # the caller's dependency file, not one of the build's
    if line.mode is Mode.OBJECT:
        words += [
            *line.dependency_options(source, at.directory),
            "-c",
            str(unit.path),
            "-o",
            str(output),
        ]
    elif line.mode is Mode.IMAGE:
        words += ["--cuda-device-only", "--gpu-bundle-output", str(unit.path), "-o", str(output)]
    else:
        words += ["-E" if line.mode is Mode.PREPROCESSED else line.mode_word, str(unit.path)]
        words += ["--cuda-host-only"] if unit.language == "hip" else []
        words += ["-o", str(output)] if line.output is not None else []
    return run_compiler(words, line, [tree])


def _link(line: NvccLine, made: Sequence[Path], at: Place) -> int:
    objects = [*made, *(at.directory / word for word in line.objects)]
    if not objects:
        raise UsageError("no input files")
    flags = convert(line.words, at.directory)
    for word in flags.unknown:
        sys.stderr.write(f"hipify-nvcc: warning: option {word} is not known and left out\n")
    words = [*flags.link, *(["-shared"] if line.shared else [])]
    rdc = flags.rdc or any(_needs_device_link(path) for path in objects)
    output = line.output or at.directory / "a.out"
    command = Compiler(at.toolchain).link(objects, at.targets, output, words, rdc)
    return run_compiler(command, line, [])


def _needs_device_link(path: Path) -> bool:
    try:
        return _BUNDLED in path.read_bytes()
    except OSError:
        return False


def run_compiler(words: list[str], line: NvccLine, trees: Sequence[SourceTree]) -> int:
    """Runs a compiler and passes on what it said, its places led back to the user's files."""
    if line.dry_run:
        sys.stderr.write(f"#$ {shlex.join(words)}\n")
        return 0
    done = call(words, timeout=TIMEOUT, check=False)
    listed = line.mode is Mode.DEPENDENCIES
    sys.stdout.write(own_names(done.stdout, trees) if listed else _led_back(done.stdout, trees))
    sys.stderr.write(_led_back(done.stderr, trees))
    _mend_dependencies(words, line, trees)
    return done.status if done.status >= 0 else 128 - done.status


def own_names(text: str, trees: Sequence[SourceTree]) -> str:
    """A list of dependencies with the user's files in place of their translations.

    A build that watched translations would never see that the user's file has changed.
    """
    for tree in trees:
        for built, (original, _) in tree.origins.items():
            text = text.replace(_in_make(built), _in_make(original))
    return text


def _in_make(path: Path) -> str:
    """A path as compilers write it into rules for make."""
    return str(path).replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


def _mend_dependencies(words: list[str], line: NvccLine, trees: Sequence[SourceTree]) -> None:
    file = Path(words[words.index("-MF") + 1]) if "-MF" in words else line.output
    if file is None or not file.is_file() or not ("-MF" in words or line.mode is Mode.DEPENDENCIES):
        return
    text = file.read_text("utf-8", "surrogateescape")
    mended = own_names(text, trees)
    if mended != text:
        disk.write(file, mended.encode("utf-8", "surrogateescape"))


def _led_back(text: str, trees: Sequence[SourceTree]) -> str:
    def place(match: re.Match[str]) -> str:
        found = (tree.source_of(match["file"], int(match["line"])) for tree in trees)
        for file, line in filter(None, found):
            return f"{file}{match['open']}{line}"
        return match[0]

    return _PLACE.sub(place, text)
