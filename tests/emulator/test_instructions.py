"""Instruction semantics against AMD's pseudocode, on random and special inputs."""

from __future__ import annotations

import importlib
import math
import random
import re
import zlib
from functools import cache
from typing import Any

import pytest

from hipify.emulator import Runtime
from hipify.emulator.isa.aliases import canonical
from hipify.emulator.isa.table import FLOATS, WIDTH, Operation, operations

from . import pcode, pcode_parser, pcode_values
from .probe import Probe

pytest.importorskip(
    "tinygrad", reason="AMD's pseudocode comes with tinygrad, a development dependency"
)

_WIDTHS = {"u16": 16, "i16": 16, "f16": 16, "bf16": 16}
_SPECIAL = {
    16: (0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF,
         0xFFFF, 0x7FFF, 0x4248, 0x5140),
    32: (0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001,
         0x7FFFFF, 0x800000, 0x7F7FFFFF, 0xFF7FFFFF, 0xFFFFFFFF, 0x7FFFFFFF, 31, 32, 0x40490FDB,
         0x4B800000, 0xC3000000, 0x3F000000, 0x477FE000, 255, 0x1F),
    64: (0, 1 << 63, 0x3FF << 52, 0xBFF << 52, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 1,
         (1 << 52) - 1, 1 << 52, 0x7FEFFFFFFFFFFFFF, (1 << 64) - 1, 63, 64, 0x41E << 52, 0xC1E << 52),
}  # fmt: skip

#: Approximations: the manuals give a bound of about one unit in the last place, not bits.
_APPROXIMATE = re.compile(r"[vs]_(exp|log|rcp|rcp_iflag|rsq|sqrt|sin|cos)_f(16|32|64)$")

#: Where the pseudocode is known to differ from the hardware, or says nothing.
_NOT_COMPARED = {
    "v_div_fmas_f32": "the pseudocode leaves out that the scale depends on the exponent",
    "v_div_fmas_f64": "the pseudocode leaves out that the scale depends on the exponent",
    "v_frexp_mant_f16": "the pseudocode leaves out zero and denormals",
    "v_cvt_f32_bf16": "the pseudocode is about sub-dword selection",
    "v_cvt_off_f32_i4": "the pseudocode does not give its table",
    "v_trig_preop_f64": "the pseudocode uses a constant of 1201 bits",
    "v_rndne_f16": "the pseudocode rounds on the way",
    "v_ldexp_f16": "the pseudocode overflows on the way",
}


@cache
def _library() -> dict[str, str]:
    """Canonical name to pseudocode; RDNA3's text wins where both have one."""
    found: dict[str, str] = {}
    for family in ("cdna", "rdna4", "rdna3"):
        module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{family}.str_pcode")
        for key, text in module.PCODE.items():
            name = re.sub(r"_e(32|64)$", "", key.name.lower())
            if name.startswith(("v_", "s_")):
                found[canonical(name)] = text
    return found


def _width(kind: str) -> int:
    return 64 if WIDTH.get(kind, 1) == 2 else _WIDTHS.get(kind, 32)


def _input(kind: str, rng: random.Random) -> int:
    width = _width(kind)
    choice = rng.random()
    if choice < 0.35:
        return rng.choice(_SPECIAL[width])
    if kind in FLOATS and choice < 0.75:  # ordinary magnitudes
        bits = FLOATS[kind]
        value = rng.choice((-1, 1)) * math.exp(rng.uniform(-9, 9))
        if kind == "bf16":
            return pcode_values.float_bits(value, 32) >> 16
        return pcode_values.float_bits(value, bits)
    if choice < 0.85:
        return rng.randrange(64)
    return rng.getrandbits(width)


def _compared() -> list[str]:
    library = _library()
    return sorted(
        name
        for name, op in operations().items()
        if op.family in ("lane", "compare", "scalar")
        and name in library
        and name not in _NOT_COMPARED
    )


def _expected(op: Operation, inputs: list[int], old: int, bit: int, exec_: int) -> pcode.Machine:
    storage: dict[str, Any] = {}
    values = list(inputs)
    if op.reads_result is not None:
        old = values.pop(op.reads_result)
    for k, value in enumerate(values):
        storage[f"S{k}"] = value
    storage |= {"D0": old, "VCC": bit, "SCC": bit, "EXEC": exec_, "SIMM16": 0, "D1": 0}
    if op.name in ("v_fmaak_f32", "v_fmaak_f16", "s_fmaak_f32", "v_madak_f16"):
        storage["SIMM32"] = storage["SIMM16"] = values[2]
    if op.name in ("v_fmamk_f32", "v_fmamk_f16", "s_fmamk_f32", "v_madmk_f16"):
        storage |= {"SIMM32": values[1], "SIMM16": values[1], "S1": values[2]}
    if values and op.sources[-1] in ("i16", "u16") and op.name.startswith("s_"):
        storage["SIMM16"] = values[-1]
        storage["S0"] = inputs[0] if op.name.startswith("s_cmpk") else values[-1]
    machine = pcode.Machine(_library(), **storage)
    machine.run(_library()[op.name])
    return machine


def _same(kind: str, got: int, want: int, approximate: bool) -> bool:
    if kind not in ("f16", "f32", "f64") or got == want:
        return got == want
    width = FLOATS[kind]
    x, y = pcode_values.to_float(got, width), pcode_values.to_float(want, width)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if not approximate:
        return False
    least = {16: 2.0**-24, 32: 2.0**-149, 64: 5e-324}[width]
    relative = {16: 2.0**-10, 32: 2.0**-21, 64: 2.0**-50}[width]
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= max(relative * abs(y), 2 * least)


def _is_small(bits: int, kind: str) -> bool:
    width = FLOATS[kind]
    mantissa = {16: 10, 32: 23, 64: 52}[width]
    return bits >> mantissa & ((1 << width - 1 - mantissa) - 1) == 0


def _same_halves(got: int, want: int) -> bool:
    """Equal as pairs of 16-bit floats, whatever the NaNs."""

    def is_nan(half: int) -> bool:
        return half & 0x7C00 == 0x7C00 and half & 0x3FF != 0

    halves = [((x >> at) & 0xFFFF for x in (got, want)) for at in (0, 16)]
    return all(x == y or (is_nan(x) and is_nan(y)) for x, y in halves)


def _approximate(name: str) -> bool:
    return bool(_APPROXIMATE.match(name)) and "sqrt_f32" not in name


@pytest.fixture(scope="module")
def probe(runtime: Runtime) -> Probe:
    return Probe(runtime.library)


def _lane_case(probe: Probe, op: Operation, rng: random.Random) -> None:
    """All lanes at once: register 2k holds source k, register 20 the result, s10 the mask."""
    values = [kind for kind in op.sources if kind != "mask"]
    inputs = [[_input(kind, rng) for kind in values] for _ in range(probe.lanes)]
    mask, old = rng.getrandbits(64), [rng.getrandbits(32) for _ in range(probe.lanes)]
    for lane, row in enumerate(inputs):
        for k, value in enumerate(row):
            probe.set_lane(2 + 2 * k, lane, value, _width(values[k]))
        probe.set_lane(20, lane, old[lane])
    probe.set_scalar64(10, mask)
    tokens = ["v20"] if op.family == "lane" else ["s12"]
    tokens += ["s14"] if len(op.results) > 1 else []
    tokens += [f"v{2 + 2 * k}.{WIDTH.get(kind, 1)}" for k, kind in enumerate(values)]
    tokens += ["s10.2"] if "mask" in op.sources else []
    probe.run(f"{op.name}\t{' '.join(tokens)}\t")
    for lane, row in enumerate(inputs):
        machine = _expected(op, row, 0, mask >> lane & 1 if "mask" in op.sources else 0, 0)
        _check_lane(probe, op, lane, row, machine)


def _check_lane(
    probe: Probe, op: Operation, lane: int, row: list[int], machine: pcode.Machine
) -> None:
    if op.family == "compare":
        got, want = probe.scalar64(12) >> lane & 1, machine.names["D0"].bits & 1
        assert got == want, f"{op.name} of {[hex(x) for x in row]}: {got}, not {want}"
        return
    kind = op.results[0]
    got = probe.lane(20, lane, _width(kind))
    want = machine.names["D0"].bits & ((1 << _width(kind)) - 1)
    if "frexp" in op.name and _is_small(row[0], op.sources[0]):
        return  # the pseudocode reads the exponent's bits, which say nothing of zero and denormals
    if "fract" in op.name and pcode_values.to_float(want, _width(kind)) == 1.0:
        return  # the hardware stays below one
    if "rndne" in op.name and want & ((1 << _width(kind) - 1) - 1) == 0:
        want |= got & 1 << _width(kind) - 1  # the pseudocode loses the sign of zero
    if "div_fixup_f32" in op.name and row[0] >> 23 & 255 == 255:
        return  # the pseudocode looks for overflow in the divisor, where it cannot be
    if "div_fixup_f64" in op.name and row[0] >> 52 & 2047 == 2047:
        return
    if op.name == "v_div_scale_f32" and row[1] >> 23 & 255 >= 253:
        return  # the pseudocode asks whether 1/x is denormal as f64, which no f32 gives
    if "cvt_pk" in op.name and _same_halves(got, want):
        return
    if "div_scale" in op.name and machine.names["D0"].bits == 0:
        want = row[0]  # the pseudocode writes nothing where nothing is scaled
    assert _same(kind, got, want, _approximate(op.name)), (
        f"{op.name} of {[hex(x) for x in row]}: 0x{got:x}, not 0x{want:x}"
    )
    if len(op.results) > 1 and not op.name.startswith("v_mad"):
        carry = machine.names["VCC"].bits & 1
        assert probe.scalar64(14) >> lane & 1 == carry, f"{op.name} of {row}: carry"


def _scalar_case(probe: Probe, op: Operation, rng: random.Random) -> None:
    inputs = [_input(kind, rng) for kind in op.sources]
    scc = rng.randrange(2)
    for k, value in enumerate(inputs):
        probe.set_scalar64(20 + 2 * k, value)
    probe.scalars[140] = scc
    exec_ = rng.getrandbits(64)
    probe.set_exec(exec_ if "b64" in op.name else exec_ & 0xFFFFFFFF)
    result = "-" if op.results[0] == "-" else "s40"
    tokens = [result] + [f"s{20 + 2 * k}.{WIDTH.get(kind, 1)}" for k, kind in enumerate(op.sources)]
    start = probe.scalar64(126)
    probe.run(f"{op.name}\t{' '.join(tokens)}\t")
    machine = _expected(op, inputs, 0, scc, start)
    shown = f"{op.name} of {[hex(x) for x in inputs]}, scc {scc}"
    if result != "-":
        kind = op.results[0]
        mask = (1 << _width(kind)) - 1
        got, want = probe.scalar64(40) & mask, machine.names["D0"].bits & mask
        if "rndne" in op.name and want & mask >> 1 == 0:
            want |= got & ~(mask >> 1)  # the pseudocode loses the sign of zero
        if op.name.startswith("s_cmov") and not scc:
            want = got
        same = _same(kind, got, want, _approximate(op.name)) or (
            "cvt_pk" in op.name and _same_halves(got, want)
        )
        assert same, f"{shown}: 0x{got:x}, not 0x{want:x}"
    assert probe.scalars[140] == machine.names["SCC"].bits & 1, f"{shown}: scc"
    if "exec" in op.name:
        width = (1 << 64) - 1 if "b64" in op.name else 0xFFFFFFFF
        assert probe.scalar64(126) & width == machine.names["EXEC"].bits & width, f"{shown}: exec"
    probe.set_exec((1 << 64) - 1)


@pytest.mark.toolchain
@pytest.mark.parametrize("name", _compared())
def test_pseudocode(probe: Probe, name: str) -> None:
    op = operations()[name]
    rng = random.Random(zlib.crc32(name.encode()))
    try:
        if op.family == "scalar":
            for _ in range(48):
                _scalar_case(probe, op, rng)
        else:
            _lane_case(probe, op, rng)
    except pcode_parser.UnsupportedError as reason:
        pytest.skip(f"the interpreter of pseudocode lacks: {reason}")


@pytest.mark.toolchain
def test_every_operation_has_a_handler(probe: Probe) -> None:
    missing = {name for name in operations() if not probe.has_handler(name)}
    assert missing == set()
