"""Stand-ins for shared libraries that LLVM's programs want only for what hipify never asks of them.

llvm-objdump and llvm-symbolizer need libcurl, to fetch debug files from servers; with all that it
depends on it would double the packages. A library with its function names lets them start.
"""

from __future__ import annotations

from pathlib import Path

from hipify.toolchain.call import call
from hipify.toolchain.private_tree import (
    COMPILER_LIBRARIES,
    executables,
    missing_libraries,
    run_clang,
    run_privately,
)

REPLACEABLE = frozenset(("libcurl.so.4",))


def make_stand_ins(tree: Path, llvm: int) -> tuple[str, ...]:
    """Makes what programs of a private tree lack and can do without; the libraries made."""
    wanted: dict[str, dict[str, str]] = {}
    for program in executables(tree):
        for library in REPLACEABLE.intersection(missing_libraries(tree, program)):
            wanted.setdefault(library, {}).update(functions_from(program, library))
    for library, functions in wanted.items():
        _make(tree, llvm, library, functions)
    return tuple(sorted(wanted))


def functions_from(program: Path, library: str) -> dict[str, str]:
    """The functions that a program takes from a library, with the versions that it asks for."""
    from elftools.elf.elffile import ELFFile
    from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
    from elftools.elf.sections import SymbolTableSection

    with program.open("rb") as stream:
        elf = ELFFile(stream)
        needs = elf.get_section_by_name(".gnu.version_r")
        numbers = elf.get_section_by_name(".gnu.version")
        symbols = elf.get_section_by_name(".dynsym")
        if (
            not isinstance(needs, GNUVerNeedSection)
            or not isinstance(numbers, GNUVerSymSection)
            or not isinstance(symbols, SymbolTableSection)
        ):
            return {}
        versions: dict[int, str] = {}
        for need, parts in needs.iter_versions():
            if need.name == library:
                versions |= {part["vna_other"]: part.name for part in parts}
        return {
            symbol.name: versions[number]
            for at, symbol in enumerate(symbols.iter_symbols())
            if (number := numbers.get_symbol(at)["ndx"]) in versions
        }


def _make(tree: Path, llvm: int, library: str, functions: dict[str, str]) -> None:
    folder = tree / COMPILER_LIBRARIES
    source, compiled, script = (folder / f"{library}{end}" for end in (".c", ".o", ".map"))
    # 0: no handle, no error
    source.write_text(
        "".join(f"long {name}(void) {{ return 0; }}\n" for name in functions), "utf-8"
    )
    by_version: dict[str, list[str]] = {}
    for name, version in functions.items():
        by_version.setdefault(version, []).append(name)
    blocks = (
        f"{v} {{ global: {' '.join(f'{n};' for n in ns)} }};\n" for v, ns in by_version.items()
    )
    script.write_text("".join(blocks), "utf-8")
    call(
        run_clang(tree, llvm, "-w", "-fno-builtin", "-fPIC", "-c", str(source), "-o", str(compiled))
    )
    flags = ["-flavor", "gnu", "-shared", "-soname", library, "--version-script", str(script)]
    call(
        run_privately(tree, "rocm/llvm/bin/lld", *flags, "-o", str(folder / library), str(compiled))
    )
    for path in (source, compiled, script):
        path.unlink()
