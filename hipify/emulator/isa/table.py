"""The instruction tables as objects, for decoding and for generating handlers."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from hipify.emulator.isa import compare, lane, scalar, special

#: Registers that a value of a type takes.
WIDTH = {"u64": 2, "i64": 2, "f64": 2, "b64": 2, "pk32": 2}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


@dataclass(frozen=True)
class Operation:
    """One instruction: its operand types in assembly order, and its meaning in C++.

    ``family`` names the template that the handler is made from; ``native`` operations have a
    handler written by hand. ``reads_result`` is the place among the sources at which the
    destination's old value comes.
    """

    name: str
    family: str
    results: tuple[str, ...]
    sources: tuple[str, ...]
    body: str = ""
    reads_result: int | None = None
    sets_scc: bool = False


def _parse_line(line: str, family: str) -> Operation:
    head, _, body = line.partition(" : ")
    name, *rest = head.split()
    sets_scc = rest[0] == "nz"
    rest = rest[1:] if sets_scc else rest
    result, equals, *sources = rest
    if equals != "=":
        raise ValueError(f"instruction table: no '=' in: {line}")
    reads = sources.index("+d") if "+d" in sources else None
    results = tuple(result.split(","))
    typed = tuple(results[0] if source == "+d" else source for source in sources)
    return Operation(name, family, results, typed, body.strip(), reads, sets_scc)


def _parse_packed(line: str) -> Operation:
    head, _, body = line.partition(" : ")
    name, kind, count = head.split()
    return Operation(name, f"packed:{kind}", ("u32",), ("u32",) * int(count), body.strip())


def _parse_packed32(line: str) -> Operation:
    head, _, body = line.partition(" : ")
    name, count = head.split()
    return Operation(name, "packed32", ("pk32",), ("pk32",) * int(count), body.strip())


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


@functools.cache
def operations() -> dict[str, Operation]:
    """Every known operation by its canonical name."""
    table: list[Operation] = []
    for text in (lane.FLOAT, lane.CONVERSION, lane.INTEGER):
        table += [_parse_line(line, "lane") for line in _lines(text)]
    table += [_parse_packed(line) for line in _lines(lane.PACKED)]
    table += [_parse_packed32(line) for line in _lines(lane.PACKED32)]
    for text in (scalar.ARITHMETIC, scalar.LOGIC, scalar.FLOAT, scalar.COMPARE):
        table += [_parse_line(line, "scalar") for line in _lines(text)]
    for name, (first, second, test) in compare.compares().items():
        table.append(Operation(name, "compare", ("mask",), (first, second), test))
    for name, results, sources in special.signatures():
        table.append(Operation(name, "native", results, sources))
    named = {operation.name: operation for operation in table}
    if len(named) != len(table):
        seen: set[str] = set()
        twice = [o.name for o in table if o.name in seen or seen.add(o.name)]  # type: ignore[func-returns-value]
        raise ValueError(f"instruction tables define twice: {', '.join(twice)}")
    return named
