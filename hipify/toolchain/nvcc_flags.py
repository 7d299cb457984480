"""Turns nvcc's command-line options into clang's for HIP.

Options come in nvcc's spellings: `-std=c++17`, `-std c++17`, `--std=c++17`, `--std c++17`, and for
lists `-Xcompiler a,b`. Every option is translated, dropped for a known reason, or reported.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.errors import SourceError
from hipify.toolchain.nvcc_options import DROPPED, LIBRARIES, LONG_NAMES, SWITCHES, WITH_VALUE

SOURCE_SUFFIXES = frozenset((".cu", ".c", ".cc", ".cpp", ".cxx", ".c++", ".hip"))
OBJECT_SUFFIXES = frozenset((".o", ".obj", ".a", ".lib", ".so"))
RESPONSE_DEPTH = 8


@dataclass
class Flags:
    """Options for clang, and what became of the others.

    `as_cuda` says that the file is compiled as CUDA whatever its name (`-x cu`); `rdc` that device
    code is linked across units.
    """

    compile: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    as_cuda: bool = False
    rdc: bool = False


def convert(arguments: Sequence[str], directory: Path) -> Flags:
    """The options of an nvcc command, the program's name left out.

    Relative paths, response files included, are seen from `directory`.
    Raises SourceError for a response file that cannot be read and an option without its value.
    """
    flags = Flags()
    words = _Words(expanded(arguments, directory))
    while words:
        _convert_one(words.take(), words, flags)
    if "-forward-unknown-to-host-compiler" in flags.dropped:
        flags.compile += [word for word in flags.unknown if word.startswith("-")]
        flags.unknown = [word for word in flags.unknown if not word.startswith("-")]
    return flags


class _Words:
    def __init__(self, words: list[str]) -> None:
        self._words = words[::-1]

    def __bool__(self) -> bool:
        return bool(self._words)

    def take(self) -> str:
        return self._words.pop()

    def value_of(self, option: str) -> str:
        if not self._words:
            raise SourceError(f"nvcc option {option} lacks its value")
        return self._words.pop()


def expanded(arguments: Sequence[str], directory: Path) -> list[str]:
    """The words with response files read. Raises SourceError for one that cannot be read."""
    return list(_expanded(arguments, directory))


def _expanded(arguments: Sequence[str], directory: Path, depth: int = 0) -> Iterator[str]:
    """The words with response files (`@file`, `-optf file`, `--options-file file`) read."""
    words = iter(arguments)
    for word in words:
        name = ""
        if word.startswith("@") and len(word) > 1:
            name = word[1:]
        elif word in ("-optf", "--options-file"):
            name = next(words, "")
        elif word.startswith("--options-file="):
            name = word.partition("=")[2]
        if not name:
            yield word
            continue
        if depth >= RESPONSE_DEPTH:
            raise SourceError(f"response files include each other: {name}")
        for part in name.split(","):
            try:
                text = (directory / part).read_text("utf-8")
                inner = shlex.split(text, comments=True)
            except (OSError, ValueError) as error:
                raise SourceError(f"response file {directory / part}: {error}") from None
            yield from _expanded(inner, directory, depth + 1)


def _convert_one(word: str, words: _Words, flags: Flags) -> None:
    if not word.startswith("-") or word == "-":
        _input(word, flags)
        return
    name, equals, value = word.partition("=")
    name = LONG_NAMES.get(name, name)
    if name in WITH_VALUE:
        _with_value(name, value if equals else words.value_of(word), flags)
    elif name in SWITCHES and not equals:
        flags.compile += SWITCHES[name]
    elif name == "-dc":
        flags.rdc = True
    elif name in DROPPED:
        if DROPPED[name] and not equals:
            word += f" {words.value_of(word)}"
        flags.dropped.append(LONG_NAMES.get(word, word))
    elif not _joined(word, flags):
        flags.unknown.append(word)


def _input(word: str, flags: Flags) -> None:
    suffix = Path(word).suffix.lower()
    if suffix in OBJECT_SUFFIXES or ".so." in word:
        flags.link.append(word)
    elif suffix in SOURCE_SUFFIXES:
        flags.inputs.append(word)
    else:
        flags.unknown.append(word)


def _with_value(name: str, value: str, flags: Flags) -> None:
    if name in ("-I", "-isystem", "-include", "-iquote"):
        for part in value.split(","):
            flags.compile += [name, part]
    elif name in ("-D", "-U", "-O"):
        flags.compile.append(name + value)
    elif name == "-l":
        for part in value.split(","):
            flags.link += [f"-l{library}" for library in _hip_libraries(part)]
    elif name == "-L":
        flags.link += [f"-L{part}" for part in value.split(",")]
    else:
        VALUED[name](name, value, flags)


def _joined(word: str, flags: Flags) -> bool:
    """Options with the value in the same word, `-Idir`, `-O3`, `-lcublas`, and warnings."""
    for name in ("-isystem", "-I", "-D", "-U", "-O", "-l", "-L"):
        if word.startswith(name) and len(word) > len(name):
            _with_value(name, word[len(name) :], flags)
            return True
    if word.startswith("-W"):
        flags.compile.append(word)
        return True
    if word.startswith(("-M", "--generate-")):
        flags.dropped.append(word)
        return True
    return False


def _hip_libraries(name: str) -> tuple[str, ...]:
    return LIBRARIES.get(name, (name,))


def _standard(name: str, value: str, flags: Flags) -> None:
    flags.compile.append(f"-std={value}")


def _host_only(name: str, value: str, flags: Flags) -> None:
    """Options for the host compiler; those on the machine must not reach the device's side."""
    for part in value.split(","):
        if part.startswith(
            ("-m", "-f", "-W", "-g", "-O", "-D", "-U", "-I", "-pthread", "-std", "-p")
        ):
            flags.compile += ["-Xarch_host", part] if part.startswith("-m") else [part]
        elif part.startswith(("/", "-Z")):  # those of Microsoft's compiler say nothing to clang
            flags.dropped.append(f"-Xcompiler {part}")
        else:
            flags.compile.append(part)


def _linker(name: str, value: str, flags: Flags) -> None:
    flags.link += [f"-Wl,{part}" for part in value.split(",")]


def _rdc(name: str, value: str, flags: Flags) -> None:
    flags.rdc = value == "true"


def _language(name: str, value: str, flags: Flags) -> None:
    if value == "cu":
        flags.as_cuda = True
    elif value not in ("c++", "c"):
        flags.unknown.append(f"-x {value}")


def _switch(option: str, when: str) -> Callable[[str, str, Flags], None]:
    def apply(name: str, value: str, flags: Flags) -> None:
        if value == when:
            flags.compile.append(option)
        else:
            flags.dropped.append(f"{name}={value}")

    return apply


def _stream(name: str, value: str, flags: Flags) -> None:
    if value in ("per-thread", "legacy"):
        flags.compile.append(f"-fgpu-default-stream={value}")
    else:
        flags.dropped.append(f"{name}={value}")


def _werror(name: str, value: str, flags: Flags) -> None:
    """nvcc's kinds of warnings; `all-warnings` is what others call -Werror."""
    if value in ("all-warnings", ""):
        flags.compile.append("-Werror")
    else:
        flags.dropped.append(f"{name} {value}")


VALUED: dict[str, Callable[[str, str, Flags], None]] = {
    "-std": _standard,
    "-Xcompiler": _host_only,
    "-Xlinker": _linker,
    "-rdc": _rdc,
    "-x": _language,
    "-ftz": _switch("-fgpu-flush-denormals-to-zero", "true"),
    "-fmad": _switch("-ffp-contract=off", "false"),
    "-prec-div": _switch("-fno-hip-fp32-correctly-rounded-divide-sqrt", "false"),
    "-prec-sqrt": _switch("-fno-hip-fp32-correctly-rounded-divide-sqrt", "false"),
    "-default-stream": _stream,
    "-Werror": _werror,
}


OTHER_DROPPED_WITH_VALUE = frozenset(("-o", "-MF", "-MT", "-MQ", "--cuda-path", "-x"))
OTHER_DROPPED = frozenset(
    ("-c", "-S", "-E", "-MD", "-MMD", "-MP", "-M", "-MM", "-shared", "-fsyntax-only")
)
OTHER_DROPPED_JOINED = ("--cuda-gpu-arch=", "--offload-arch=", "--cuda-path=")


def host_flags(arguments: Sequence[str], directory: Path) -> Flags:
    """The options of a gcc, clang or hipcc command, the compiler's name left out.

    Raises SourceError as `convert` does.
    """
    flags = Flags()
    words = _Words(list(_expanded(arguments, directory)))
    while words:
        word = words.take()
        if word in OTHER_DROPPED_WITH_VALUE:
            value = words.value_of(word)
            flags.as_cuda |= word == "-x" and value in ("cuda", "cu", "hip")
            flags.dropped.append(f"{word} {value}")
        elif word in ("-I", "-isystem", "-include", "-iquote", "-D", "-U", "-l", "-L"):
            _with_value(word, words.value_of(word), flags)
        elif word in ("-Xclang", "-Xpreprocessor", "-mllvm", "-Xarch_host", "-Xarch_device"):
            flags.compile += [word, words.value_of(word)]
        elif not word.startswith("-"):
            _input(word, flags)
        elif word in OTHER_DROPPED or word.startswith(OTHER_DROPPED_JOINED):
            flags.dropped.append(word)
        elif word.startswith("-Wl,"):
            flags.link.append(word)
        elif word.startswith("-W") or not _joined(word, flags):
            flags.compile.append(word)
    return flags
