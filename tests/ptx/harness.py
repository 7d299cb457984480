"""Runs translations of inline PTX on the host: many asm statements in one program.

Each case becomes a device function that holds one asm statement; the whole file is translated by
hipify, compiled as C++ against stand-ins for HIP's functions (`tests/ptx/host`), and run.
"""

from __future__ import annotations

import random
import re
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.finding import Severity
from hipify.pipeline import Translation, translate_bytes

HOST = Path(__file__).parent / "host"
SUPPORT = Path(__file__).parents[2] / "hipify" / "support" / "include"
BITS = {"r": 32, "l": 64, "h": 16, "f": 32, "d": 64}
_TYPES = {
    "r": ("unsigned", "int"),
    "l": ("unsigned long long", "long long"),
    "h": ("unsigned short", "short"),
    "f": ("float", "float"),
    "d": ("double", "double"),
}


@dataclass(frozen=True)
class Case:
    """One asm statement: its text, the constraints of results and operands, and its reference.

    `reference` takes and gives registers as bits; with several results it gives a tuple. `floats`
    says which floating-point type the bits of the results are, so that any NaN equals any other,
    and `within` how many units in the last place an approximation may be off.
    """

    text: str
    results: str
    operands: str
    reference: Callable[..., int | tuple[int, ...]]
    inputs: tuple[tuple[int, ...], ...] = ()
    floats: str = ""
    within: int = 0
    small: tuple[int, ...] = field(default=())
    """Operands whose values are mostly small (counts of shifts, say)."""

    @property
    def name(self) -> str:
        """The text without what is not plain."""
        return re.sub(r"[^\w.]+", "_", self.text.split(";")[0]).strip("_")


SPECIAL_INTEGERS = (0, 1, 2, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF)
SPECIAL_FLOATS = {
    "f": (
        *(0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001),
        *(0x7F7FFFFF, 0xFF7FFFFF, 0x00800000, 0x3F000000, 0x3FC00000, 0xC0200000, 0x4EFFFFFF),
        *(0x4F000000, 0xCF000000, 0x4F800000, 0x5F000000, 0xDF000000, 0x33800000, 0x3F800001),
    ),
    "d": (
        *(0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 0x7FF0000000000000, 1),
        *(0xFFF0000000000000, 0x7FF8000000000000, 0x41DFFFFFFFC00000, 0x41E0000000000000),
        *(0xC1E0000000000000, 0x43E0000000000000, 0x3FE0000000000000, 0x47EFFFFFF0000000),
    ),
}


def values(letter: str, small: bool, source: random.Random) -> int:
    """One value for an operand of a constraint: special, small, or any."""
    bits = BITS[letter]
    if letter in SPECIAL_FLOATS:
        choice = source.random()
        if choice < 0.25:
            return source.choice(SPECIAL_FLOATS[letter])
        if choice < 0.7:
            exponent = source.randint(100, 150) if letter == "f" else source.randint(950, 1090)
            fraction = 23 if letter == "f" else 52
            sign = source.getrandbits(1) << (bits - 1)
            return sign | exponent << fraction | source.getrandbits(fraction)
        return source.getrandbits(bits)
    if small and source.random() < 0.8:
        return source.randint(0, 70)
    choice = source.random()
    if choice < 0.2:
        return source.choice(SPECIAL_INTEGERS) & ((1 << bits) - 1)
    if choice < 0.4:
        return (1 << bits) - 1 - source.choice(SPECIAL_INTEGERS) & ((1 << bits) - 1)
    return source.getrandbits(bits)


def inputs_of(case: Case, count: int) -> list[tuple[int, ...]]:
    """The case's own inputs and `count` random ones, always the same for the same text."""
    source = random.Random(case.text)
    drawn = [
        tuple(values(letter, at in case.small, source) for at, letter in enumerate(case.operands))
        for _ in range(count)
    ]
    return [*case.inputs, *drawn]


def program(cases: Sequence[Case], signed: bool) -> str:
    """A CUDA file with one function a case, its variables of signed or of unsigned types."""
    parts = ["#include <hip/hip_runtime.h>", "#include <stdio.h>", "#include <stdlib.h>"]
    parts.extend(_function(number, case, signed) for number, case in enumerate(cases))
    parts.append("typedef void (*Function)(const unsigned long long *, unsigned long long *);")
    names = ", ".join(f"case_{number}" for number in range(len(cases)))
    parts.append(f"static const Function functions[] = {{{names}}};")
    parts.append(_MAIN)
    return "\n".join(parts)


_MAIN = """
int main(int count, char **names) {
  FILE *in = fopen(names[1], "rb"), *out = fopen(names[2], "wb");
  unsigned long long given[8], made[4];
  while (fread(given, sizeof given, 1, in) == 1) {
    memset(made, 0, sizeof made);
    functions[given[0]](given + 1, made);
    fwrite(made, sizeof made, 1, out);
  }
  return fclose(out);
}
"""


def _function(number: int, case: Case, signed: bool) -> str:
    lines = [
        f"__device__ void case_{number}(const unsigned long long *in, unsigned long long *out) {{"
    ]
    for at, letter in enumerate(case.operands):
        type_ = _TYPES[letter][signed]
        lines.append(f"  {type_} a{at};")
        lines.append(f"  memcpy(&a{at}, in + {at}, sizeof a{at});")
    for at, letter in enumerate(case.results):
        lines.append(f"  {_TYPES[letter][signed]} d{at};")
    outs = ", ".join(f'"={letter}"(d{at})' for at, letter in enumerate(case.results))
    ins = ", ".join(f'"{letter}"(a{at})' for at, letter in enumerate(case.operands))
    text = case.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    lines.append(f'  asm volatile("{text}" : {outs} : {ins});')
    lines.extend(f"  memcpy(out + {at}, &d{at}, sizeof d{at});" for at in range(len(case.results)))
    lines.append("}")
    return "\n".join(lines)


def translated(cases: Sequence[Case], signed: bool) -> Translation:
    """The program's translation; raises AssertionError for a statement that is not translated."""
    result = translate_bytes(program(cases, signed).encode(), path="cases.cu")
    errors = [found for found in result.findings if found.severity is Severity.ERROR]
    assert not errors, errors
    assert b"asm" not in result.data
    return result


def run(
    clang: Path, cases: Sequence[Case], signed: bool, given: list[tuple[int, ...]], folder: Path
) -> list[tuple[int, ...]]:
    """The results for rows of (number of the case, operands...)."""
    source, binary = folder / "cases.cpp", folder / "cases"
    source.write_bytes(translated(cases, signed).data)
    command = [
        *(clang, "-std=c++17", "-O1", "-w", f"-I{HOST}", f"-I{SUPPORT}", source, "-o", binary),
        *("-fsanitize=undefined", "-fsanitize-trap=undefined"),
        "-fno-sanitize=float-divide-by-zero,float-cast-overflow,alignment",
    ]
    compiled = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr[:4000]
    rows = b"".join(struct.pack("<8Q", *row, *([0] * (8 - len(row)))) for row in given)
    (folder / "in").write_bytes(rows)
    done = subprocess.run(
        [binary, folder / "in", folder / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    made = (folder / "out").read_bytes()
    return [struct.unpack_from("<4Q", made, at) for at in range(0, len(made), 32)]
