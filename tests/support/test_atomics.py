"""atomics.hpp and the loads and stores of intrinsics.hpp by value, on one thread."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.host import Function, build, inputs_for, run

WORD = 0xFFFFFFFF


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def _inc(old: int, limit: int) -> int:
    return 0 if old >= limit else old + 1


def _dec(old: int, limit: int) -> int:
    return limit if old == 0 or old > limit else old - 1


Update = Callable[[int, int], int]
UNSIGNED: dict[str, Update] = {
    "atomicAdd": lambda old, value: old + value,
    "atomicSub": lambda old, value: old - value,
    "atomicExch": lambda _, value: value,
    "atomicMin": min,
    "atomicMax": max,
    "atomicAnd": lambda old, value: old & value,
    "atomicOr": lambda old, value: old | value,
    "atomicXor": lambda old, value: old ^ value,
    "atomicInc": _inc,
    "atomicDec": _dec,
}
SIGNED: dict[str, Update] = {
    "atomicMin": lambda old, value: min(_signed(old), _signed(value)),
    "atomicMax": lambda old, value: max(_signed(old), _signed(value)),
    "atomicAdd": lambda old, value: old + value,
}


def _atomic(name: str, suffix: str, type_: str, update: Update) -> Function:
    """The call's result in the upper half of a word of 64 bits, what memory holds then in the lower."""
    call = f"{type_} m = a; const {type_} r = {name}_{suffix}(&m, b);"
    both = "return (unsigned long long)(unsigned)r << 32 | (unsigned)m;"
    return Function(
        f"{name}_{suffix} {type_}",
        f"[&] {{ {call} {both} }}()",
        "unsigned long long",
        (type_, type_),
        lambda old, value: old << 32 | update(old, value) & WORD,
    )


def _swap(suffix: str) -> Function:
    call = f"unsigned m = a & 3; const unsigned r = atomicCAS_{suffix}(&m, b & 3, c);"

    def reference(a: int, b: int, c: int) -> int:
        return (a & 3) << 32 | (c if a & 3 == b & 3 else a & 3)

    return Function(
        f"atomicCAS_{suffix}",
        f"[&] {{ {call} return (unsigned long long)r << 32 | m; }}()",
        "unsigned long long",
        ("unsigned",) * 3,
        reference,
    )


def _sum(a: int, b: int) -> int:
    """Both floats' sum, rounded to single precision, as bits; NaN as Python has it."""
    x, y = (struct.unpack("<f", struct.pack("<I", word))[0] for word in (a, b))
    try:
        return int(struct.unpack("<I", struct.pack("<f", x + y))[0])
    except OverflowError:
        return 0x7F800000 if x > 0 else 0xFF800000


ATOMICS = [
    *(_atomic(n, s, "unsigned", u) for s in ("block", "system") for n, u in UNSIGNED.items()),
    *(_atomic(n, s, "int", u) for s in ("block", "system") for n, u in SIGNED.items()),
    *(_swap(suffix) for suffix in ("block", "system")),
    Function(
        "atomicAdd_block float",
        "[&] { float m = a; atomicAdd_block(&m, b); return m; }()",
        "float",
        ("float", "float"),
        _sum,
    ),
]


def _reversed_bytes(size: int) -> Callable[[int], int]:
    return lambda word: int.from_bytes(word.to_bytes(size, "little"), "big")


def _moved(load: str, store: str, type_: str) -> Function:
    """A value stored and loaded again."""
    return Function(
        f"{store} {load} {type_}",
        f"[&] {{ {type_} m; {store}(&m, ({type_})a); return {load}(&m); }}()",
        type_,
        (type_,),
        lambda word: word,
    )


MEMORY = [
    *(
        _moved(load, store, type_)
        for load, store in (
            *(("ldca", "stwb"), ("ldcg", "stcg"), ("ldcs", "stcs")),
            *(("ldlu", "stcs"), ("ldcv", "stwt")),
        )
        for type_ in ("unsigned short", "int", "float", "double", "unsigned long long")
    ),
    Function(
        "nv_bswap16", "nv_bswap16(a)", "unsigned short", ("unsigned short",), _reversed_bytes(2)
    ),
    Function("nv_bswap32", "nv_bswap32(a)", "unsigned", ("unsigned",), _reversed_bytes(4)),
    Function(
        "nv_bswap64",
        "nv_bswap64(a)",
        "unsigned long long",
        ("unsigned long long",),
        _reversed_bytes(8),
    ),
    Function(
        "cvta_global",
        "(unsigned long long)cvta_global_to_generic(cvta_generic_to_global((void *)a))",
        "unsigned long long",
        ("unsigned long long",),
        lambda word: word,
    ),
    Function("isGlobal", "isGlobal(&a) - isShared(&a) - isLocal(&a)", "int", ("int",), lambda _: 1),
]


@pytest.mark.parametrize(
    ("header", "functions"), [("hipify/atomics.hpp", ATOMICS), ("hipify/intrinsics.hpp", MEMORY)]
)
def test_each_function_gives_what_cuda_defines(
    header: str, functions: list[Function], tmp_path: Path
) -> None:
    library = build(tmp_path, header, functions)
    for number, function in enumerate(functions):
        inputs = inputs_for(function, 300)
        for row, made in zip(inputs, run(library, number, inputs), strict=True):
            assert made == function.reference(*row), (function.name, [hex(word) for word in row])


def test_waiting_ends(tmp_path: Path) -> None:
    function = Function(
        "nanosleep", "[&] { nanosleep(a & 1023); return 7; }()", "int", ("unsigned",), int
    )
    library = build(tmp_path, "hipify/intrinsics.hpp", [function])
    assert run(library, 0, [(1000,)]) == [7]
