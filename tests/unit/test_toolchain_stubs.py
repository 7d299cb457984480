"""Link stubs and stand-ins: from declarations and ELF files to functions that find no device."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify.toolchain.link_stubs import NO_DEVICE, declared_functions, exports, stub_source
from hipify.toolchain.stand_ins import functions_from

DUMP = """\
|-FunctionDecl 0x1 </i/rocblas.h:3:1, col:9> col:5 rocblas_sgemm 'rocblas_status (void *, int)' extern
|-FunctionDecl 0x2 <line:4:1> col:5 used rocblas_status_to_string 'const char *(rocblas_status)'
| `-ParmVarDecl 0x3 <col:1> col:2 rocblas_not_a_function 'int (*)(int)'
|-FunctionDecl 0x4 <line:5:1> col:5 printf 'int (const char *, ...)' extern
`-FunctionDecl 0x5 <line:6:1> col:5 ncclGetLastError 'const char *(ncclComm_t)'
"""


def test_only_functions_of_the_library_count_as_declared() -> None:
    assert declared_functions(DUMP) == [
        "ncclGetLastError",
        "rocblas_sgemm",
        "rocblas_status_to_string",
    ]


def test_functions_that_give_text_give_text_others_a_status() -> None:
    source = stub_source(declared_functions(DUMP))
    assert f"int rocblas_sgemm(void) {{ return {NO_DEVICE}; }}" in source
    assert source.count("const char *") == 2


def test_a_stub_can_be_loaded_called_and_read(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler (cc)")
    source = tmp_path / "stub.c"
    source.write_text(stub_source(["hipMalloc", "hipGetErrorString"]) + "int other;\n")
    library = tmp_path / "libx.so.6"
    flags = ["-w", "-shared", "-fPIC", "-Wl,-soname,libx.so.6"]
    subprocess.run([compiler, *flags, source, "-o", library], check=True)
    loaded = ctypes.CDLL(str(library))
    assert loaded.hipMalloc(None, 4) == NO_DEVICE
    loaded.hipGetErrorString.restype = ctypes.c_char_p
    assert b"no device" in loaded.hipGetErrorString(NO_DEVICE)
    assert exports(library) == ("libx.so.6", ["hipGetErrorString", "hipMalloc"])


def test_what_a_program_takes_from_a_library_with_versions() -> None:
    program = shutil.which("true")
    if program is None:
        pytest.skip("needs an executable to look at (true)")
    functions = functions_from(Path(program), "libc.so.6")
    if not functions:
        pytest.skip("this system's C library is not versioned as glibc is")
    assert re.fullmatch(r"GLIBC_[\d.]+", functions["__libc_start_main"])
    assert functions_from(Path(program), "libcurl.so.4") == {}
