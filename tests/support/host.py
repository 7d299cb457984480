"""Functions of the support headers, compiled for the host and called from Python with bits."""

from __future__ import annotations

import ctypes
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "hipify" / "support" / "include"
SIZES = {"int": 32, "unsigned": 32, "float": 32, "double": 64, "bool *": 0}
SIZES |= {"unsigned short": 16, "unsigned long long": 64, "long long": 64}


class Function(NamedTuple):
    """A function under test: its expression in C++ of a, b, c; types; and what CUDA defines.

    `reference` takes the operands' bits and gives those of the result.
    """

    name: str
    expression: str
    result: str
    operands: tuple[str, ...]
    reference: Callable[..., int]


def build(folder: Path, header: str, functions: Sequence[Function]) -> ctypes.CDLL:
    """The functions as a library, each as `f<number>(count, inputs, outputs)` over 64-bit words."""
    compiler = shutil.which("clang++") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler for the host: c++, g++ or clang++")
    lines = [f'#include "{header}"', "using namespace hipify;", _LOAD]
    lines += [_wrapper(number, function) for number, function in enumerate(functions)]
    source, library = folder / "functions.cpp", folder / "functions.so"
    source.write_text("\n".join(lines))
    flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    includes = [f"-I{HERE / 'host'}", f"-I{INCLUDE}"]
    subprocess.run([compiler, *flags, *includes, source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


_LOAD = """
template <typename T>
T load(const unsigned long long *from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}
"""


def _wrapper(number: int, function: Function) -> str:
    takes = len(function.operands)
    loads = [
        f"const auto {name} = load<{type_}>(in + {takes} * i + {at});"
        for at, (name, type_) in enumerate(zip("abcd", function.operands, strict=False))
    ]
    return (
        f'extern "C" void f{number}(size_t count, const unsigned long long *in, unsigned long long *out) {{\n'
        f"  for (size_t i = 0; i < count; ++i) {{ {' '.join(loads)}\n"
        f"    const {function.result} r = {function.expression}; out[i] = 0; memcpy(out + i, &r, sizeof r); }}\n}}"
    )


def run(library: ctypes.CDLL, number: int, inputs: Sequence[tuple[int, ...]]) -> list[int]:
    """What the function gives for each tuple of operands, as bits."""
    flat = [word for row in inputs for word in row]
    given = (ctypes.c_ulonglong * len(flat))(*flat)
    made = (ctypes.c_ulonglong * len(inputs))()
    library[f"f{number}"](ctypes.c_size_t(len(inputs)), given, made)
    return list(made)


def inputs_for(function: Function, count: int) -> list[tuple[int, ...]]:
    """Operands at the edges of their types and anywhere, always the same for a function's name."""
    source = random.Random(function.name)
    return [tuple(_value(type_, source) for type_ in function.operands) for _ in range(count)]


def _value(type_: str, source: random.Random) -> int:
    bits = SIZES[type_]
    if type_ in ("float", "double"):
        return _number(type_, source)
    if source.random() < 0.4:
        edges = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF)
        word = source.choice(edges) | source.choice(edges) << 16
        return (word | source.choice((0, word << 8, word << 32))) & ((1 << bits) - 1)
    return source.getrandbits(bits)


def _number(type_: str, source: random.Random) -> int:
    """A floating-point number: any, near 1, tiny, huge, or with few bits set."""
    fraction, exponents = (23, 255) if type_ == "float" else (52, 2047)
    half = exponents // 2
    exponent = source.choice(
        (
            source.randint(0, exponents - 1),
            source.randint(half - 3, half + 3),
            source.randint(half - 60, half + 60),
            source.randint(0, 60),
            source.randint(exponents - 60, exponents - 1),
            0,
        )
    )
    bits = source.getrandbits(fraction)
    if source.random() < 0.3:
        bits &= source.choice((0, 1, 3, 1 << (fraction - 1), ~0 << (fraction // 2)))
    sign = source.getrandbits(1)
    return (
        sign << (31 if type_ == "float" else 63)
        | exponent << fraction
        | bits & ((1 << fraction) - 1)
    )


def names_in(header: str) -> set[str]:
    """The functions that a header of ours defines in namespace hipify, by its text after macros."""
    compiler = shutil.which("clang++") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler for the host: c++, g++ or clang++")
    command = [
        compiler,
        "-std=c++17",
        "-E",
        "-P",
        f"-I{HERE / 'host'}",
        f"-I{INCLUDE}",
        "-x",
        "c++",
    ]
    done = subprocess.run(
        [*command, str(INCLUDE / header)], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"\binline\b[^;{}()]*?\b(\w+)\s*\(", done.stdout))
