"""Parses files with clang; holds what is the same for all of them in one process."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from hipify.errors import SourceError, ToolchainError
from hipify.headers.cuda import find_headers
from hipify.lexer import INCLUDE, Lexed, lex
from hipify.mapping import Database
from hipify.source import Span
from hipify.translators.clang.flags import Settings, parsing_options, user_folders, with_standard
from hipify.translators.clang.library import DETAILED, Library, load
from hipify.translators.clang.oracle import Oracle, ParseError
from hipify.translators.clang.pch import Precompiled, heavy_includes, is_clash, is_stale
from hipify.translators.clang.units import Units
from hipify.translators.clang.visitor import Visitor

_KEEP_GOING = 0x200
_ERROR = 3
_ERRORS_KEPT = 50


class Session:
    """The library, the headers and the caches, set up when first needed."""

    def __init__(self, settings: Settings, database: Database) -> None:
        """Raises ToolchainError where libclang or the headers that were named are missing."""
        self.settings, self._database = settings, database
        self._library: Library = load()
        self._headers = None if settings.stubs_only else find_headers(settings.cuda)
        if settings.cuda is not None and self._headers is None:
            raise ToolchainError(
                f"{settings.cuda}: holds no include/cuda_runtime.h; name a CUDA toolkit's folder"
            )
        self._is_cuda: dict[str, bool] = {}
        self._kept: tuple[str, Any] | None = None

    @property
    def level(self) -> str:
        """Which headers are used: `toolkit`, `wheels` or `stubs`."""
        return self._headers.level if self._headers is not None else "stubs"

    def oracle(self, path: Path, lexed: Lexed) -> Oracle:
        """What clang knows about the file at `path`, whose bytes are those of `lexed`.

        A header is looked at where a source includes it, if one of the tree does.
        Raises ToolchainError where clang gives up altogether.
        """
        unit = self._units.unit_of(path) if self._units is not None else None
        if unit is not None:
            try:
                return self._oracle(path, lexed, unit)
            except (SourceError, OSError):  # the source may include it under other conditions
                pass
        return self._oracle(path, lexed, None)

    @cached_property
    def _units(self) -> Units | None:
        return Units(self.settings.root) if self.settings.root is not None else None

    def _oracle(self, path: Path, lexed: Lexed, unit: Path | None) -> Oracle:
        target = os.path.abspath(path)  # noqa: PTH100 - does not follow links, as clang does not
        main = os.path.abspath(unit) if unit is not None else target  # noqa: PTH100
        parsed = self._parsed(main, target, lexed)
        wanted = {span.start for span in lexed.identifiers}
        wanted.update(span.start for span in lexed.suspects)
        visitor = Visitor(self._library, target, lexed.data, wanted, self._from_cuda)
        visitor.in_main = main == target
        inactive = skipped_ranges(self._library, parsed, target)
        facts = visitor.run(parsed)
        return Oracle(lexed, facts, self.level, self._errors(parsed, lexed, target), inactive)

    def _parsed(self, main: str, target: str, lexed: Lexed) -> Any:
        """The unit of `main`; one that was read for a header serves its other headers as well."""
        if main == target:
            self._kept = None
            return self._parse(main, lexed)
        if Path(target).read_bytes() != lexed.data:
            raise SourceError(f"{target}: is not what is on the disk")
        if self._kept is None or self._kept[0] != main:
            self._kept = None  # before the next one is read, so that there are never two
            self._kept = main, self._parse(main, lex(Path(main).read_bytes(), frozenset()))
        return self._kept[1]

    def _parse(self, main: str, lexed: Lexed) -> Any:
        options = self._options(Path(main))
        unsaved = [(main, lexed.data)]
        includes = heavy_includes(lexed, user_folders(options), self._is_known)
        common = [option for option in options if not option.startswith("-I")]
        for wanted in dict.fromkeys((includes, ())):
            ready = self._precompiled.find(common, wanted)
            if ready is None:
                continue
            unit = self._clang(main, [*options, "-include-pch", str(ready)], unsaved)
            if any(map(is_stale, unit.diagnostics)):
                self._precompiled.forget(common, wanted)
            elif any(map(is_clash, unit.diagnostics)):
                break
            else:
                return unit
        return self._clang(main, [*options, "-include", "cuda_runtime.h"], unsaved)

    def _is_known(self, header: str) -> bool:
        """Whether a header is CUDA's by its path."""
        entry = self._database.header(header)
        return entry is not None and not entry.local

    def _clang(self, path: str, options: list[str], unsaved: list[tuple[str, bytes]]) -> Any:
        try:
            return self._library.index.parse(path, options, unsaved, options=DETAILED | _KEEP_GOING)
        except self._library.cindex.TranslationUnitLoadError:
            raise ToolchainError(f"{path}: clang cannot parse this file at all") from None

    def _options(self, path: Path) -> list[str]:
        own = with_standard([f"-I{path.parent}", *self._given(path)])
        return [*self._base, *own]

    def _given(self, path: Path) -> list[str]:
        command = self._commands.get(path)
        if command is None:
            return parsing_options(self.settings.arguments, Path.cwd())
        return [
            *parsing_options(command.arguments[1:], command.directory),
            *parsing_options(self.settings.arguments, Path.cwd()),
        ]

    @cached_property
    def _commands(self) -> dict[Path, Any]:
        """The compile command of each file."""
        if self.settings.compile_db is None:
            return {}
        from hipify.compile_db import read_compile_db

        return {command.file: command for command in read_compile_db(self.settings.compile_db)}

    @cached_property
    def _base(self) -> list[str]:
        """The options that all files share: the language, where headers are, no warnings."""
        resources = self._library.resources
        options = ["-x", "cuda", "-nocudainc", "-nocudalib", "-ferror-limit=0", "-w"]
        options += ["-resource-dir", resources, "-fno-delayed-template-parsing"]
        options += (
            ["--cuda-device-only", "--cuda-gpu-arch=sm_70"]
            if self.settings.device
            else ["--cuda-host-only"]
        )
        if self._headers is None:
            return [*options, "-isystem", str(self._stubs)]
        for folder in self._folders:
            options += ["-isystem", str(folder)]
        # What the toolkit lacks (libraries that are installed apart, headers that are gone from it)
        # comes from the stubs.
        options += ["-idirafter", str(self._stubs)]
        options += ["-include", "__clang_cuda_runtime_wrapper.h"]
        version = ".".join(map(str, min(self._headers.version, (13, 0))))
        return [*options, "-Xclang", f"-target-sdk-version={version}"]

    @cached_property
    def _folders(self) -> list[Path]:
        """The include folders of CUDA's own."""
        found = []
        for folder in self._headers.folders if self._headers is not None else ():
            found += [folder, folder / "cccl"] if (folder / "cccl").is_dir() else [folder]
        return found

    @cached_property
    def _stubs(self) -> Path:
        from hipify.translators.stubs import stub_folder

        return stub_folder(self._database, real=self._headers is not None)

    @cached_property
    def _precompiled(self) -> Precompiled:
        headers = self._headers
        stamp = [self._library.resources, str(self._stubs)]
        if headers is not None:
            runtime = headers.root / "include" / "cuda_runtime.h"
            stamp += [str(headers.version), str(runtime), str(runtime.stat().st_mtime_ns)]
        return Precompiled(self._library, "\0".join(stamp))

    def _from_cuda(self, path: str) -> bool:
        """Whether a header is one of NVIDIA's, wherever it lies, or clang's or our part of it."""
        known = self._is_cuda.get(path)
        if known is None:
            known = self._is_cuda[path] = self._judge(path)
        return known

    def _judge(self, path: str) -> bool:
        real = os.path.realpath(path)
        folders = [str(self._stubs), self._library.resources]
        folders += [str(folder) for folder in self._folders]
        if any(real.startswith(os.path.realpath(folder) + os.sep) for folder in folders):
            return True
        # A copy of NVIDIA's headers in the user's tree.
        parts = real.replace(os.sep, "/").rsplit("/", 2)
        return any(self._is_known("/".join(parts[-count:])) for count in (1, 2))

    def _errors(self, unit: Any, lexed: Lexed, target: str) -> tuple[ParseError, ...]:
        """What is wrong in the user's own files; in a tree, each has its own errors only.

        Where stubs stand in for headers, much is wrong that is right with the real ones: then only
        what is missing counts.
        """
        wrong = [each for each in unit.diagnostics if each.severity >= _ERROR]
        loose = bool(wrong) and self._uses_stubs(unit, lexed)
        found: list[ParseError] = []
        for each in wrong[:_ERRORS_KEPT]:
            place, text = each.location, each.spelling
            name = place.file.name if place.file is not None else ""
            if self._units is not None and name != target:
                continue
            if not self._from_cuda(name) and (not loose or text.endswith("file not found")):
                found.append(ParseError(name, place.line, place.column, text))
        return tuple(found)

    def _uses_stubs(self, unit: Any, lexed: Lexed) -> bool:
        """Whether a stub stands in for a header that the file includes, in short or long."""
        if self._headers is None:
            return True
        for directive in lexed.directives:
            match = INCLUDE.match(lexed.data, directive.start, directive.end)
            name = os.fsdecode(match[1] or match[2] or b"") if match else ""
            if self._is_known(name) and not any((f / name).exists() for f in self._folders):
                return True
        stubs = str(self._stubs)
        return any(str(each.include).startswith(stubs) for each in unit.get_includes())


def skipped_ranges(library: Library, unit: Any, path: str) -> list[Span]:
    """The inactive regions of a file, in bytes."""
    import ctypes

    cindex = library.cindex

    class Ranges(ctypes.Structure):
        _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange)))

    get: Callable[..., Any] = library.raw.clang_getSkippedRanges
    get.restype, get.argtypes = ctypes.POINTER(Ranges), [ctypes.c_void_p, ctypes.c_void_p]  # type: ignore[attr-defined]
    free: Callable[..., Any] = library.raw.clang_disposeSourceRangeList
    free.argtypes = [ctypes.POINTER(Ranges)]  # type: ignore[attr-defined]
    file = library.file(unit, path)
    if file is None:
        raise SourceError(f"{path}: clang has not read this file")
    ranges = get(unit.obj, file)
    found: list[Span] = []
    offset = ctypes.c_uint()
    for number in range(ranges.contents.count):
        extent = ranges.contents.ranges[number]
        ends = []
        for place in (library.range_start(extent), library.range_end(extent)):
            library.placed(place, None, None, None, ctypes.byref(offset))
            ends.append(offset.value)
        found.append(Span(*ends))
    free(ranges)
    return found
