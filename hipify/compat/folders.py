"""hipexamine and hipconvertinplace: AMD's scripts that run their translators over whole folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hipify.compat import clang, perl

SOURCES = frozenset((".cu", ".c", ".cc", ".cpp", ".cxx"))
HEADERS = frozenset((".cuh", ".h", ".hpp", ".hh", ".inc", ".inl", ".hxx", ".hdl"))
_FILTERS = {"all": SOURCES | HEADERS, "sources": SOURCES, "headers": HEADERS}
_FILTERS["custom"] = _FILTERS["all"]

Main = Callable[[Sequence[str]], int]


def examine(argv: Sequence[str] | None = None) -> int:
    """hipexamine DIR [hipify-clang options] [-- clang options]: statistics, nothing written."""
    return _run("hipexamine", clang.main, ["-examine"], argv)


def examine_perl(argv: Sequence[str] | None = None) -> int:
    """hipexamine-perl DIR [hipify-perl options]: statistics, nothing written."""
    return _run("hipexamine-perl", perl.main, ["-examine"], argv)


def convert_in_place(argv: Sequence[str] | None = None) -> int:
    """hipconvertinplace DIR [hipify-clang options] [-- clang options]: replaces all sources."""
    return _run("hipconvertinplace", clang.main, ["-inplace", "-print-stats"], argv)


def convert_in_place_perl(argv: Sequence[str] | None = None) -> int:
    """hipconvertinplace-perl DIR [-filter=KIND] [hipify-perl options]: replaces all sources.

    Originals are kept as FILE.prehip. KIND is all, sources, headers or custom (which, for AMD's
    script, is a list to be edited in the script: all here).
    """
    return _run("hipconvertinplace-perl", perl.main, ["-inplace", "-print-stats"], argv)


def code_files(folder: Path, extensions: frozenset[str]) -> Iterator[Path]:
    """All files with these extensions (in any case) below a folder, sorted, links not followed."""
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if os.path.splitext(name)[1].lower() in extensions:  # noqa: PTH122
                yield Path(place, name)


def _run(program: str, main: Main, first: list[str], argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "-help", "--help"):
        print(f"usage: {program} DIR [options] (those of the translator)", file=sys.stderr)
        return 0 if words else 1
    folder, kind = Path(words[0]), "all"
    if not folder.is_dir():
        print(f"{program}: {folder}: no such folder", file=sys.stderr)
        return 1
    options, after = words[1:], []
    if "--" in options:
        at = options.index("--")
        options, after = options[:at], options[at:]
    if options and options[0].lstrip("-").startswith("filter="):
        kind = options.pop(0).partition("=")[2]
        if kind not in _FILTERS:
            known = ", ".join(_FILTERS)
            print(f"{program}: -filter={kind}: choose one of {known}", file=sys.stderr)
            return 1
    files = [str(path) for path in code_files(folder, _FILTERS[kind])]
    if not files:
        print(f"{program}: {folder}: no source files in it", file=sys.stderr)
        return 0
    return main([*first, *options, *files, *after])
