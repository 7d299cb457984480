"""Unpacks Debian packages into a tree that is laid out like /opt/rocm, with its own runtime.

rocm/          bin include lib llvm amdgcn share   as in /opt/rocm
tc/            the compiler's shared libraries, C library and program loader
bin/           wrappers
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.toolchain.call import call
from hipify.toolchain.fetch import Deb
from hipify.toolchain.package_set import PackageSet

TRIPLE = "x86_64-linux-gnu"
LOADER = f"tc/usr/lib/{TRIPLE}/ld-linux-x86-64.so.2"
COMPILER_LIBRARIES = f"tc/usr/lib/{TRIPLE}"
LIBRARY_FOLDERS = (COMPILER_LIBRARIES, "rocm/llvm/lib", "rocm/lib")

LLVM_PROGRAMS = (
    "clang clang++ clang-cpp lld ld.lld ld64.lld clang-offload-bundler clang-offload-packager "
    "clang-linker-wrapper offload-arch amdgpu-arch clang-scan-deps llvm-ar llvm-ranlib llvm-nm "
    "llvm-objdump llvm-readobj llvm-readelf llvm-objcopy llvm-strip llvm-mc llvm-link llvm-dis "
    "llvm-as llvm-symbolizer llvm-addr2line llvm-cxxfilt llvm-size llvm-strings llvm-config "
    "opt llc"
)

GFX950_OLD = "#if defined(__gfx940__)"
GFX950_NEW = "#if defined(__gfx950__) || defined(__gfx940__)"
WAVEFRONT_HEADER = "hipify_wavefront_size.h"
WAVEFRONT_TEXT = """\
/* clang 22 no longer predefines the wavefront size that headers of HIP 6 use */
#pragma once
#ifndef __AMDGCN_WAVEFRONT_SIZE
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#define __AMDGCN_WAVEFRONT_SIZE__ __AMDGCN_WAVEFRONT_SIZE
#endif
"""


def unpack(debs: Iterable[Deb], packages: PackageSet, tree: Path, llvm: int) -> None:
    """Makes `tree` anew from package files.

    Raises ToolchainError when the packages do not hold what a toolchain needs.
    """
    if tree.exists():
        shutil.rmtree(tree)
    compiler, raw = tree / "tc", tree / "raw"
    for folder in (compiler, raw):
        folder.mkdir(parents=True)
    for deb in debs:
        target = compiler if deb.wanted in packages.compiler else raw
        call(["dpkg-deb", "-x", deb.path, target])
    _lay_out(tree, llvm)
    shutil.rmtree(raw)


def _lay_out(tree: Path, llvm: int) -> None:
    rocm, compiler, raw = tree / "rocm", tree / "tc", tree / "raw"
    rocm.mkdir()
    _move(compiler / "usr" / "lib" / f"llvm-{llvm}", rocm / "llvm")
    bitcode = next(raw.glob("usr/lib/**/amdgcn/bitcode"), None)
    if bitcode is None:
        raise ToolchainError("the package of device libraries holds no amdgcn/bitcode")
    _move(bitcode, rocm / "amdgcn" / "bitcode")
    for name in ("include", "bin", "share"):
        _move(raw / "usr" / name, rocm / name)
    _move(raw / "usr" / "lib" / TRIPLE, rocm / "lib")
    for path in (rocm / "share" / name for name in ("doc", "man", "lintian")):
        shutil.rmtree(path, ignore_errors=True)
    for path in (compiler / "usr" / "share", compiler / "etc"):
        shutil.rmtree(path, ignore_errors=True)
    for name in ("gconv", "audit"):
        shutil.rmtree(tree / COMPILER_LIBRARIES / name, ignore_errors=True)
    (rocm / "lib" / "llvm").mkdir(exist_ok=True)
    (rocm / "lib" / "llvm" / "bin").symlink_to("../../llvm/bin")
    # libLLVM carries the run path $ORIGIN/../lib, which then hides that of the executables
    (compiler / "usr" / "lib" / "lib").symlink_to(TRIPLE)
    _mend_links(rocm / "llvm", tree / COMPILER_LIBRARIES)
    _drop_programs(rocm / "llvm" / "bin", llvm)
    if llvm >= 22:
        (rocm / "include" / WAVEFRONT_HEADER).write_text(WAVEFRONT_TEXT, "utf-8")


def _move(source: Path, target: Path) -> None:
    if not source.exists():
        raise ToolchainError(f"the packages hold no /{source.name} where {target.name} comes from")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)


def _mend_links(folder: Path, libraries: Path) -> None:
    """Turns links out of `folder` into the system's library folder into links into `libraries`."""
    for link in [path for path in folder.rglob("*") if path.is_symlink() and not path.exists()]:
        library = libraries / link.readlink().name
        link.unlink()
        if library.exists():
            up = "../" * len(link.parent.relative_to(folder.parent.parent).parts)
            link.symlink_to(up + str(library.relative_to(folder.parent.parent)))


def _drop_programs(folder: Path, llvm: int) -> None:
    keep = {*LLVM_PROGRAMS.split(), f"clang-{llvm}"}
    for path in folder.iterdir():
        if path.name not in keep:
            path.unlink()


def allow_gfx950(tree: Path) -> str:
    """Lets rocPRIM of ROCm 6.4 compile for gfx950 by treating it as CDNA 3.

    Its headers stop with #error there, for want of a rule on 128-bit atomics. Gives a line that
    says what was done, empty when this rocPRIM needs nothing.
    """
    path = tree / "rocm" / "include" / "rocprim" / "config.hpp"
    if not path.is_file():
        return ""
    text = path.read_bytes()
    if b"__gfx950__" in text or GFX950_OLD.encode() not in text:
        return ""
    path.write_bytes(text.replace(GFX950_OLD.encode(), GFX950_NEW.encode()))
    return "rocprim/config.hpp: gfx950 is treated like gfx940"


def link_flags(prefix: Path, real: bool) -> tuple[str, ...]:
    """Link options of a private toolchain: with its real libraries, or with stubs of all of them.

    Its libraries want the C library that they came with, which may be newer than the system's, so
    programs get that one and its loader.
    """
    runtime, folder = f"{prefix}/{COMPILER_LIBRARIES}", f"{prefix}/rocm/{'lib' if real else 'stub'}"
    # the real libraries load each other, which only the older kind of run path serves; it would
    # hide LD_LIBRARY_PATH, with which something else may take the place of stubs
    kind = "--disable-new-dtags" if real else "--enable-new-dtags"
    return (
        "-fuse-ld=lld",
        f"-L{folder}",
        f"-Wl,{kind},-rpath,{folder}:{runtime}",
        f"-Wl,--allow-shlib-undefined,--dynamic-linker,{prefix}/{LOADER}",
    )


def elf_files(folder: Path) -> Iterator[Path]:
    """The regular files of a folder that are ELF files, by name."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    yield path


def executables(tree: Path) -> list[Path]:
    """The programs of a private tree that need its program loader."""
    return [*elf_files(tree / "rocm" / "llvm" / "bin"), *elf_files(tree / "rocm" / "bin")]


def run_privately(tree: Path, program: str, *words: str) -> list[str]:
    """The command line that runs a program of a tree whose executables have no loader yet."""
    paths = ":".join(str(tree / folder) for folder in LIBRARY_FOLDERS)
    return [str(tree / LOADER), "--library-path", paths, str(tree / program), *words]


def drop_unusable(tree: Path, llvm: int) -> list[str]:
    """Deletes programs for which shared libraries are missing; a line on each.

    Raises ToolchainError when the compiler itself is among them.
    """
    essential = {f"clang-{llvm}", "lld", "clang-offload-bundler"}
    dropped = []
    for program in executables(tree):
        missing = missing_libraries(tree, program)
        if missing and program.name in essential:
            raise ToolchainError(
                f"the packages of this archive do not fit together, {program.name} lacks "
                f"{', '.join(missing)}: try another --suite, or an archive that has the "
                "locked versions"
            )
        if missing:
            dropped.append(f"{program.name} (lacks {', '.join(missing)})")
            program.unlink()
    for folder in (tree / "rocm" / "llvm" / "bin", tree / "rocm" / "bin"):
        for link in folder.iterdir():
            if not link.exists():
                link.unlink()
    return dropped


def run_clang(tree: Path, llvm: int, *words: str) -> list[str]:
    """The command line that runs the C compiler of such a tree."""
    resources = tree / "rocm" / "llvm" / "lib" / "clang" / str(llvm)
    flags = (f"--target={TRIPLE}", "-resource-dir", str(resources))
    return run_privately(tree, f"rocm/llvm/bin/clang-{llvm}", *flags, *words)


def missing_libraries(tree: Path, program: Path) -> list[str]:
    """Shared libraries that a program needs, directly or not, and the tree lacks."""
    from elftools.elf.dynamic import DynamicSection
    from elftools.elf.elffile import ELFFile

    missing: list[str] = []
    todo, seen = [program], {program.name}
    while todo:
        with todo.pop().open("rb") as stream:
            dynamic = ELFFile(stream).get_section_by_name(".dynamic")
            tags = dynamic.iter_tags("DT_NEEDED") if isinstance(dynamic, DynamicSection) else ()
            needed = [str(vars(tag)["needed"]) for tag in tags]
        for name in needed:
            if name in seen:
                continue
            seen.add(name)
            files = (tree / folder / name for folder in LIBRARY_FOLDERS)
            found = next((file for file in files if file.exists()), None)
            if found is None:
                missing.append(name)
            else:
                todo.append(found)
    return missing


def relocate(tree: Path, prefix: Path) -> int:
    """Gives every executable the loader that it will find at `prefix`; how many there are.

    The path of a program's loader is absolute in an ELF file, so a tree works in one place only.
    """
    for path in executables(tree):
        up = "../" * len(path.parent.relative_to(tree).parts)
        run_path = ":".join(f"$ORIGIN/{up}{folder}" for folder in LIBRARY_FOLDERS)
        options = [
            "--set-interpreter",
            str(prefix / LOADER),
            "--force-rpath",
            "--set-rpath",
            run_path,
        ]
        call(run_privately(tree, "tc/usr/bin/patchelf", *options, str(path)))
    return len(executables(tree))
