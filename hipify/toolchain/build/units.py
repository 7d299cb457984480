"""Which files of a tree are translation units, and how each is to be compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hipify.compile_db import CompileCommand
from hipify.errors import UsageError
from hipify.toolchain.build.includes import IncludeFinder, existing, includes
from hipify.toolchain.build.sources import SourceTree
from hipify.toolchain.nvcc_flags import Flags, convert, host_flags

DEVICE_SUFFIXES = frozenset((".cu", ".hip"))
HOST_SUFFIXES = frozenset((".cpp", ".cc", ".cxx", ".c++", ".c"))
GPU_CODE = re.compile(
    rb"\b(?:hip|cuda)(?:[A-Z]\w*|_\w+)\b|\b(?:hip(?:blas|fft|rand|sparse|solver|rtc|cub)|cu(?:blas|fft|rand"
    rb"|sparse|solver|dnn))\w*|\brocblas_|\b(?:rccl|nccl)[A-Z_.]|\bmiopen[A-Z]|<hip/"
)
DEVICE_CODE = re.compile(rb"\b__(?:global|device|shared|constant)__\b|<<<|\bhipLaunchKernelGGL\b")
COMMENT = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
MAIN = re.compile(rb"\b(?:int|void|auto)\s+main\s*\(")

LINKED_TOO = ("-fopenmp", "-pthread", "-pg")
"""Options of the compiler that the linker wants as well."""


@dataclass(frozen=True)
class Unit:
    """One translation unit. `name` is its path below the tree's root, with forward slashes.

    `language` is `hip`, `c++` or `c`; `flags` are for the compiler, `link` for the linker;
    `directory` is where relative paths in `flags` are seen from.
    """

    path: Path
    name: str
    language: str
    has_main: bool
    directory: Path
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    rdc: bool = False


@dataclass(frozen=True)
class Choices:
    """What the user asked for, for all units."""

    include: tuple[Path, ...] = ()
    define: tuple[str, ...] = ()
    std: str = ""
    plain: bool = False
    """Whether C and C++ files without GPU code are units, too (to link programs)."""


def find_units(tree: SourceTree, choices: Choices) -> tuple[list[Unit], list[str]]:
    """The units of a tree, and what there is to say about files that are none.

    Raises UsageError when there is no unit.
    """
    finder = IncludeFinder(tree.code)
    included = _included_sources(tree.code, finder)
    units: list[Unit] = []
    notes: list[str] = []
    for path in tree.code:
        if not any(path == wanted or path.is_relative_to(wanted) for wanted in tree.wanted):
            continue
        unit = _unit(tree, choices, finder, path, path in tree.wanted)
        if unit is None:
            continue
        twin = _device_twin(path, tree)
        if twin is not None:
            notes.append(f"{unit.name} is left out: {twin.name} beside it has the same name")
            continue
        includer = included.get(path)
        if includer is not None and not unit.has_main and path not in tree.wanted:
            by = includer.name
            notes.append(f"{unit.name} is no unit of its own: {by} includes it")
            continue
        units.append(unit)
    if not any(unit.language == "hip" or _is_gpu(unit.path) for unit in units):
        raise UsageError(f"{tree.original}: nothing in it is GPU code to compile")
    return units, notes


def _device_twin(path: Path, tree: SourceTree) -> Path | None:
    """The `.cu` beside a C or C++ file of the same name: one is the port of the other."""
    if path.suffix.lower() in DEVICE_SUFFIXES or path in tree.wanted:
        return None
    twins = (path.with_suffix(suffix) for suffix in sorted(DEVICE_SUFFIXES))
    return next((twin for twin in twins if twin in tree.code), None)


def _included_sources(files: Sequence[Path], finder: IncludeFinder) -> dict[Path, Path]:
    """Sources (not headers) that another file includes, each with one that does."""
    found: dict[Path, Path] = {}
    for path in files:
        for include in includes(path):
            if Path(include.name).suffix.lower() in DEVICE_SUFFIXES | HOST_SUFFIXES:
                target = finder.target(path, include)
                if target is not None and target != path:
                    found.setdefault(target, path)
    return found


def _unit(
    tree: SourceTree, choices: Choices, finder: IncludeFinder, path: Path, named: bool
) -> Unit | None:
    suffix = path.suffix.lower()
    if suffix not in DEVICE_SUFFIXES | HOST_SUFFIXES:
        return None
    code = code_of(path)
    gpu = suffix in DEVICE_SUFFIXES or _mentions_gpu(code)
    if not gpu and not choices.plain and not named:
        return None
    language = _language(suffix, code, tree)
    folders = [*(tree.built(folder) for folder in choices.include), tree.top, *finder.folders(path)]
    folders += [tree.support, *choices.include]
    flags = [word for folder in existing(folders) for word in ("-I", str(folder))]
    flags += [f"-D{define}" for define in choices.define]
    if choices.std and language != "c":
        flags.append(f"-std={choices.std}")
    openmp = ["-fopenmp"] * any(include.name == "omp.h" for include in includes(path))
    return Unit(
        path,
        path.relative_to(tree.top).as_posix(),
        language,
        bool(MAIN.search(code)),
        tree.root,
        (*flags, *openmp),
        tuple(openmp),
    )


def code_of(path: Path) -> bytes:
    """The text of a file without comments and string literals; empty when it cannot be read."""
    try:
        return COMMENT.sub(b" ", path.read_bytes())
    except OSError:
        return b""


def _mentions_gpu(code: bytes) -> bool:
    return bool(GPU_CODE.search(code) or DEVICE_CODE.search(code))


def _is_gpu(path: Path) -> bool:
    return path.suffix.lower() in DEVICE_SUFFIXES or _mentions_gpu(code_of(path))


def _language(suffix: str, code: bytes, tree: SourceTree) -> str:
    """What a file is compiled as.

    nvcc hands C++ files to the host compiler, hipcc compiles them as HIP: a port that was written
    for hipcc may rely on that.
    """
    if suffix in DEVICE_SUFFIXES or DEVICE_CODE.search(code):
        return "hip"
    if suffix == ".c":
        return "c"
    return "hip" if not tree.translated and _mentions_gpu(code) else "c++"


def units_of_commands(
    tree: SourceTree, choices: Choices, commands: Iterable[CompileCommand]
) -> tuple[list[Unit], list[str]]:
    """The units that a compilation database names, with its flags made clang's.

    Raises UsageError when it names no file of the tree.
    """
    units: list[Unit] = []
    notes: list[str] = []
    for command in commands:
        path = tree.built(command.file)
        if not any(path == wanted or path.is_relative_to(wanted) for wanted in tree.wanted):
            continue
        if not path.is_file():
            notes.append(f"{command.file} is in the compilation database and not there")
            continue
        flags = _flags(command)
        code = code_of(path)
        if not _is_nvcc(command) and not _mentions_gpu(code) and not choices.plain:
            continue
        for word in flags.unknown:
            notes.append(f"{command.file}: option {word} is not known and left out")
        units.append(_unit_of_command(tree, choices, command, path, flags))
    if not units:
        raise UsageError(f"the compilation database names no GPU code below {tree.original}")
    return units, list(dict.fromkeys(notes))


def _is_nvcc(command: CompileCommand) -> bool:
    return command.compiler.startswith("nvcc")


def _flags(command: CompileCommand) -> Flags:
    return (convert if _is_nvcc(command) else host_flags)(command.options, command.directory)


def include_folders(commands: Iterable[CompileCommand]) -> list[Path]:
    """The folders, each once, in which the commands of a database look for headers."""
    folders: dict[Path, None] = {}
    for command in commands:
        words = _flags(command).compile
        for option, value in pairwise(words):
            if option in ("-I", "-isystem", "-iquote"):
                folders[command.directory / value] = None
    return list(folders)


def _unit_of_command(
    tree: SourceTree, choices: Choices, command: CompileCommand, path: Path, flags: Flags
) -> Unit:
    code = code_of(path)
    language = "hip" if flags.as_cuda else _language(path.suffix.lower(), code, tree)
    words = _placed(flags.compile, tree, command.directory)
    words += [word for folder in choices.include for word in ("-I", str(tree.built(folder)))]
    words += ["-I", str(tree.support)]
    words += [f"-D{define}" for define in choices.define]
    if choices.std and language != "c":
        words.append(f"-std={choices.std}")
    return Unit(
        path,
        path.relative_to(tree.top).as_posix(),
        language,
        bool(MAIN.search(code)),
        command.directory,
        tuple(words),
        (*flags.link, *(word for word in words if word in LINKED_TOO)),
        flags.rdc,
    )


def _placed(words: Sequence[str], tree: SourceTree, directory: Path) -> list[str]:
    """Flags with include folders of the user's tree led to the compiled one, the user's second."""
    placed: list[str] = []
    todo = list(words)[::-1]
    while todo:
        word = todo.pop()
        if word not in ("-I", "-isystem", "-iquote", "-include"):
            placed.append(word)
            continue
        path = directory / todo.pop()
        if word != "-include":
            placed += [
                part for place in existing([tree.built(path), path]) for part in (word, str(place))
            ]
        else:
            placed += [word, str(tree.built(path)) if path.exists() else path.name]
    return placed
