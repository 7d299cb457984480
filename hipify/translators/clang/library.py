"""libclang, loaded once: the plain C functions, which cost a tenth of what the bindings do."""

from __future__ import annotations

import atexit
import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

from hipify.errors import ToolchainError

OLDEST = 21
"""The first clang whose broken calls keep their children and whose macro locations are right."""
_REMEDY = "install it with: pip install 'hipify[clang]' (or translate with --engine text)"

CONTINUE, RECURSE = 1, 2
INCOMPLETE, DETAILED = 4, 1
"""Flags of a parse: more follows (for precompiled headers); keep a record of macros."""


class _Text(ctypes.Structure):
    """A string of libclang's, to be released by hand (the bindings' own class does it unasked)."""

    _fields_ = (("data", ctypes.c_void_p), ("flags", ctypes.c_uint))


class Library:
    """The functions that the visitor calls, with their types set."""

    def __init__(self, cindex: Any) -> None:
        """Takes the module `clang.cindex`.

        Raises ToolchainError where its library cannot be loaded.
        """
        cindex.Config.libcxx_dir = ""  # the wheel's own libc++ would hide the system's headers
        try:
            path = cindex.conf.get_filename()
            self.raw = ctypes.CDLL(path)
            self.index = cindex.Index.create(excludeDecls=True)
        except (OSError, cindex.LibclangError) as error:
            raise ToolchainError(f"libclang cannot be loaded: {error}; {_REMEDY}") from None
        atexit.register(self._close)
        self.cindex = cindex
        folder = os.path.dirname(cindex.__file__)  # noqa: PTH120 - the bindings know no Path
        self.resources = os.path.join(folder, "native", "resource")  # noqa: PTH118
        self._declare()

    def _close(self) -> None:
        """Lets the index go while the bindings, which need it to, are still alive."""
        self.index = None

    def _declare(self) -> None:
        cursor, location = self.cindex.Cursor, self.cindex.SourceLocation
        extent, text = self.cindex.SourceRange, _Text
        integer, pointer = ctypes.c_int, ctypes.c_void_p
        self.callback = ctypes.CFUNCTYPE(ctypes.c_int, cursor, cursor, pointer)
        place = [location, pointer, pointer, pointer, pointer]
        self.visit = self._function(
            "clang_visitChildren", ctypes.c_uint, cursor, self.callback, pointer
        )
        self.location = self._function("clang_getCursorLocation", location, cursor)
        self.extent = self._function("clang_getCursorExtent", extent, cursor)
        self.range_start = self._function("clang_getRangeStart", location, extent)
        self.range_end = self._function("clang_getRangeEnd", location, extent)
        self.spelled = self._function("clang_getSpellingLocation", None, *place)
        self.placed = self._function("clang_getFileLocation", None, *place)
        self.is_main = self._function("clang_Location_isFromMainFile", integer, location)
        self.is_system = self._function("clang_Location_isInSystemHeader", integer, location)
        self.referenced = self._function("clang_getCursorReferenced", cursor, cursor)
        self.canonical = self._function("clang_getCanonicalCursor", cursor, cursor)
        self.parent_of = self._function("clang_getCursorSemanticParent", cursor, cursor)
        self.overloads = self._function("clang_getNumOverloadedDecls", ctypes.c_uint, cursor)
        self.overload = self._function("clang_getOverloadedDecl", cursor, cursor, ctypes.c_uint)
        self.argument_count = self._function("clang_Cursor_getNumArguments", integer, cursor)
        self.argument = self._function("clang_Cursor_getArgument", cursor, cursor, ctypes.c_uint)
        self._file = self._function("clang_getFile", pointer, pointer, ctypes.c_char_p)
        self._spelling = self._function("clang_getCursorSpelling", text, cursor)
        self._file_name = self._function("clang_getFileName", text, pointer)
        self._text = self._function("clang_getCString", ctypes.c_char_p, text)
        self._release = self._function("clang_disposeString", None, text)

    def _function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self.raw, name)
        function.restype, function.argtypes = result, list(arguments)  # type: ignore[attr-defined]
        return function

    def spelling(self, cursor: Any) -> bytes:
        """The name that a cursor has."""
        return self._taken(self._spelling(cursor))

    def file_name(self, file: int) -> str:
        """The path of a file handle as the compiler saw it."""
        return os.fsdecode(self._taken(self._file_name(file)))

    def file(self, unit: Any, path: str) -> int | None:
        """The handle of a file that a translation unit has read; None for any other."""
        handle: int | None = self._file(unit.obj, os.fsencode(path))
        return handle

    def _taken(self, text: Any) -> bytes:
        value: bytes = self._text(text) or b""
        self._release(text)
        return value


@cache
def load() -> Library:
    """The library of the installed bindings.

    Raises ToolchainError, with how to mend it, where there is none or it is too old.
    """
    try:
        from clang import cindex
    except ImportError:
        raise ToolchainError(f"the AST engine needs libclang; {_REMEDY}") from None
    library = Library(cindex)
    version = _version(library)
    if version < OLDEST:
        raise ToolchainError(f"libclang {version} is too old, {OLDEST} is needed; {_REMEDY}")
    return library


def _version(library: Library) -> int:
    text = library._function("clang_getClangVersion", _Text)
    words = library._taken(text()).decode("utf-8", "replace").partition("version ")[2]
    major = words.partition(".")[0]
    return int(major) if major.isdecimal() else 0
