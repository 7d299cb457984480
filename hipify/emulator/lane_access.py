"""Data parallel primitives and sub-dword access: the lanes and parts that are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify.emulator.disassembly import Instruction
from hipify.emulator.errors import EmulatorError
from hipify.emulator.isa.table import Operation

if TYPE_CHECKING:
    from hipify.emulator.decode import Line

_PARTS = {"BYTE_0": 0, "BYTE_1": 1, "BYTE_2": 2, "BYTE_3": 3, "WORD_0": 4, "WORD_1": 5, "DWORD": 6}
_UNUSED = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}
_NONE = 255


def _shift(control: str, amount: int, lanes: int) -> list[int]:
    """Source lanes of row and wave movements."""
    result = []
    for lane in range(lanes):
        row, within = lane & ~15, lane & 15
        if control == "row_shl":
            source = row + within + amount if within + amount < 16 else _NONE
        elif control == "row_shr":
            source = row + within - amount if within >= amount else _NONE
        elif control == "row_ror":
            source = row + (within - amount) % 16
        elif control in ("row_share", "row_newbcast"):
            source = row + amount
        elif control == "row_xmask":
            source = row + (within ^ amount)
        elif control == "wave_shl":
            source = lane + 1 if lane + 1 < lanes else _NONE
        elif control == "wave_shr":
            source = lane - 1 if lane else _NONE
        elif control == "wave_rol":
            source = (lane + 1) % lanes
        elif control == "wave_ror":
            source = (lane - 1) % lanes
        elif control == "row_bcast":
            source = (lane & ~(amount)) - 1 if lane > amount else _NONE
        else:
            raise EmulatorError(f"unknown lane movement {control}:{amount}")
        result.append(source)
    return result


def _broadcast(amount: int, lanes: int) -> list[int]:
    """row_bcast:15 gives a row the last lane of the one before, row_bcast:31 so for halves."""
    size = amount + 1
    return [lane // size * size - 1 if lane >= size else _NONE for lane in range(lanes)]


def _source_lanes(modifiers: dict[str, str], lanes: int) -> list[int] | None:
    if "quad_perm" in modifiers:
        quad = [int(x) for x in re.findall(r"\d", modifiers["quad_perm"])]
        return [(lane & ~3) + quad[lane & 3] for lane in range(lanes)]
    if "dpp8" in modifiers:
        eight = [int(x) for x in re.findall(r"\d", modifiers["dpp8"])]
        return [(lane & ~7) + eight[lane & 7] for lane in range(lanes)]
    if "row_mirror" in modifiers:
        return [lane ^ 15 for lane in range(lanes)]
    if "row_half_mirror" in modifiers:
        return [lane ^ 7 for lane in range(lanes)]
    if "row_bcast" in modifiers:
        return _broadcast(int(modifiers["row_bcast"]), lanes)
    for name, value in modifiers.items():
        if re.fullmatch(r"(row|wave)_(shl|shr|ror|rol|share|xmask|newbcast)", name):
            return _shift(name, int(value), lanes)
    return None


def _write_mask(modifiers: dict[str, str]) -> int:
    rows = int(modifiers.get("row_mask", "0xf"), 0)
    banks = int(modifiers.get("bank_mask", "0xf"), 0)
    return sum(
        1 << lane for lane in range(64) if rows >> (lane >> 4) & 1 and banks >> (lane >> 2 & 3) & 1
    )


def decode(i: Instruction, operation: Operation, first: int, lanes: int, line: Line) -> None:
    """Add the ``dpp`` or ``sdwa`` attribute; ``first`` is the place of the first source."""
    sources = _source_lanes(i.modifiers, lanes)
    if sources is not None:
        if operation.family == "native" and operation.name != "v_mov_b32":
            raise EmulatorError(f"lane movement with {i.mnemonic} is not supported")
        padded = sources + [_NONE] * (64 - lanes)
        table = "".join(f"{lane:02x}" for lane in padded)
        bound = int("bound_ctrl" in i.modifiers or "dpp8" in i.modifiers)
        inactive = int(i.modifiers.get("fi") == "1")
        line.attributes["dpp"] = f"{table}:{_write_mask(i.modifiers):x}:{bound}:{inactive}"
        line.attributes["imm2"] = str(first)
        return
    if not any(name in i.modifiers for name in ("src0_sel", "src1_sel", "dst_sel")):
        return
    if operation.family == "native":
        if operation.name.startswith("v_cvt_"):
            return
        raise EmulatorError(f"sub-dword access of {i.mnemonic} is not supported")
    texts = [*i.operands[len(operation.results) :], "", ""]
    parts = [_PARTS[i.modifiers.get(f"src{k}_sel", "DWORD")] for k in (0, 1)]
    result = _PARTS[i.modifiers.get("dst_sel", "DWORD")]
    unused = _UNUSED[i.modifiers.get("dst_unused", "UNUSED_PRESERVE")]
    shown = (*parts, *(int("sext(" in text) for text in texts[:2]), result, unused)
    line.attributes["sdwa"] = ":".join(map(str, shown))
    line.attributes["imm2"] = str(first)
