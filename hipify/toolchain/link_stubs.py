"""Link stubs: small shared libraries with every function of a large one, which find no device.

A program that is linked with them starts on a machine without a GPU and gets hipErrorNoDevice.
"""

from __future__ import annotations

import re
from pathlib import Path

from hipify.toolchain.call import call, failure_text
from hipify.toolchain.private_tree import run_clang, run_privately

NO_DEVICE = 100
"""hipErrorNoDevice. The status types of the libraries have no success at this value either."""

HEADERS = {
    "rocblas": "rocblas/rocblas.h",
    "rocsolver": "rocsolver/rocsolver.h",
    "rocsparse": "rocsparse/rocsparse.h",
    "rocrand": "rocrand/rocrand.h",
    "rccl": "rccl/rccl.h",
    "hipblaslt": "hipblaslt/hipblaslt.h",
    "MIOpen": "miopen/miopen.h",
    "rocfft": "rocfft/rocfft.h",
    "rocm_smi64": "rocm_smi/rocm_smi.h",
    "amd_smi": "amd_smi/amdsmi.h",
}
"""Where the functions of a library are declared whose shared object is not unpacked."""

FUNCTION = re.compile(r"FunctionDecl .*? ([A-Za-z_]\w*) '[^']*\(")
DECLARED = re.compile(
    r"roc(blas|solver|sparse|rand|fft)_|p?nccl[A-Z]|hipblas[lL]t|miopen|rsmi_|amdsmi_"
)
EXPORTED = re.compile(r"_{0,2}(hip|roc|hsa|amd|miopen|rccl|nccl)")
GIVES_TEXT = re.compile(
    r"Error(String|Name)|StatusToString|status_to_string|hipApiName|KernelNameRef|StatusString"
    r"|get_status_(name|description)|[sS]tatusGetName|ncclGetLastError"
)
NO_STUB = frozenset({"hiprtc-builtins", "amdsminic", "rocm-dbgapi"})


def make_stubs(tree: Path, llvm: int) -> tuple[tuple[str, ...], list[str]]:
    """Makes stubs in `rocm/stub` for all libraries and in `rocm/lib` for those without a file.

    Returns the names of the latter and warnings about libraries whose headers do not compile.
    """
    library_folder, stubs = tree / "rocm" / "lib", tree / "rocm" / "stub"
    stubs.mkdir(exist_ok=True)
    only_stub: list[str] = []
    warnings: list[str] = []
    for link in sorted(library_folder.glob("lib*.so")):
        name = link.name.removeprefix("lib").removesuffix(".so")
        if not link.is_symlink() or name in NO_STUB:
            continue
        if link.exists():
            soname, functions = exports(link)
        else:
            soname = link.readlink().name
            functions, problem = _declared(tree, llvm, name)
            if problem:
                warnings.append(f"lib{name}: {problem}")
            if functions:
                only_stub.append(name)
                link.unlink()
                _link_stub(tree, llvm, functions, soname, library_folder)
                link.symlink_to(soname)
        if functions:
            _link_stub(tree, llvm, functions, soname, stubs)
            (stubs / link.name).unlink(missing_ok=True)
            if link.name != soname:
                (stubs / link.name).symlink_to(soname)
    return tuple(only_stub), warnings


def exports(library: Path) -> tuple[str, list[str]]:
    """The soname of a shared library and the C functions that it exports, sorted."""
    from elftools.elf.dynamic import DynamicSection
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    soname = library.resolve().name
    names: set[str] = set()
    with library.open("rb") as stream:
        elf = ELFFile(stream)
        for section in elf.iter_sections():
            if isinstance(section, DynamicSection):
                tags = section.iter_tags("DT_SONAME")
                soname = next((str(vars(tag)["soname"]) for tag in tags), soname)
            elif isinstance(section, SymbolTableSection) and section.name == ".dynsym":
                names.update(
                    symbol.name
                    for symbol in section.iter_symbols()
                    if symbol["st_info"]["type"] == "STT_FUNC"
                    and symbol["st_shndx"] != "SHN_UNDEF"
                    and EXPORTED.match(symbol.name)
                )
    return soname, sorted(names)


def _declared(tree: Path, llvm: int, name: str) -> tuple[list[str], str]:
    """The functions that a library's header declares, and what is wrong with the header."""
    header = HEADERS.get(name)
    if header is None or not (tree / "rocm" / "include" / header).is_file():
        return [], ""
    work = tree / f"{name}.declared.cpp"
    work.write_text(f"#include <hip/hip_runtime.h>\n#include <{header}>\n", "utf-8")
    include = str(tree / "rocm" / "include")
    flags = ["-std=c++17", "-D__HIP_PLATFORM_AMD__", "-isystem", include, "-w"]
    dump = ["-fsyntax-only", "-fno-color-diagnostics", "-Xclang", "-ast-dump", str(work)]
    done = call(run_clang(tree, llvm, *flags, *dump), check=False)
    work.unlink()
    return declared_functions(done.stdout), "" if done.ok else failure_text(done, lines=3)


def declared_functions(dump: str) -> list[str]:
    """The library functions among the declarations of clang's AST dump, sorted."""
    names = {match[1] for match in map(FUNCTION.search, dump.splitlines()) if match}
    return sorted(name for name in names if DECLARED.match(name))


def stub_source(functions: list[str]) -> str:
    """C code of functions that report that there is no device, or return a text that says so."""
    lines = []
    for name in functions:
        if GIVES_TEXT.search(name):
            lines.append(f'const char *{name}(void) {{ return "no device (link stub)"; }}')
        else:
            lines.append(f"int {name}(void) {{ return {NO_DEVICE}; }}")
    return "\n".join(lines) + "\n"


def _link_stub(tree: Path, llvm: int, functions: list[str], soname: str, folder: Path) -> None:
    source, compiled = folder / f"{soname}.c", folder / f"{soname}.o"
    source.write_text(stub_source(functions), "utf-8")
    # the names are those of builtins and library functions at times: -w, -fno-builtin
    options = ("-w", "-fno-builtin", "-fPIC", "-O1", "-c", str(source), "-o", str(compiled))
    call(run_clang(tree, llvm, *options))
    flags = ["-flavor", "gnu", "-shared", "-soname", soname, "-o", str(folder / soname)]
    call(run_privately(tree, "rocm/llvm/bin/lld", *flags, str(compiled)))
    source.unlink()
    compiled.unlink()
