"""From instructions to the listing that the native side loads: one line an instruction.

The work is split by what an instruction needs: ordinary operands here, lane access (data parallel
primitives, sub-dword access) in `lane_access.py`, memory operands in `memory_operands.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hipify.emulator import lane_access, memory_operands
from hipify.emulator.code_object import Target
from hipify.emulator.disassembly import Instruction
from hipify.emulator.errors import EmulatorError
from hipify.emulator.isa import special
from hipify.emulator.isa.aliases import canonical
from hipify.emulator.isa.table import FLOATS, Operation, operations
from hipify.emulator.operands import OperandEncoder, register

_HALVES = ("f16", "bf16", "u16", "i16")
#: 16-bit instructions of gfx9 that leave the upper half of their destination alone.
_GFX9_KEEPS = frozenset(
    [
        "v_fma_f16",
        "v_mad_f16",
        "v_mad_u16",
        "v_mad_i16",
        "v_div_fixup_f16",
        "v_min3_f16",
        "v_max3_f16",
        "v_med3_f16",
        "v_min3_i16",
        "v_max3_i16",
        "v_med3_i16",
        "v_min3_u16",
        "v_max3_u16",
        "v_med3_u16",
    ]
)
_OUTPUT = {"mul:2": 1, "mul:4": 2, "div:2": 3}
_IMMEDIATE_FORMS = frozenset(
    [
        "s_sleep",
        "s_trap",
        "s_sendmsg",
        "s_round_mode",
        "s_denorm_mode",
        "s_getreg_b32",
        "s_setreg_b32",
        "s_sendmsg_rtn_b32",
        "s_sendmsg_rtn_b64",
        "s_barrier_signal",
        "s_barrier_wait",
    ]
)


@dataclass
class Line:
    """A listing line being made: handler, operand tokens and attributes."""

    handler: str
    operands: list[str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)


def numbers(text: str | None, count: int, default: int) -> list[int]:
    """The digits of a modifier such as ``op_sel:[0,1]``, filled up to `count`."""
    found = [int(x) for x in re.findall(r"-?\d+", text)] if text else []
    return found + [default] * (count - len(found))


class Decoder:
    """Decodes one code object's instructions."""

    def __init__(self, target: Target, lanes: int, accumulators: int, spare: int) -> None:
        self.target = target
        self.lanes = lanes
        self.operands = OperandEncoder(accumulators)
        self.spare = spare

    def decode(self, i: Instruction) -> list[Line]:
        """Listing lines of an instruction. Raises `EmulatorError` when it is not understood."""
        mnemonic = i.mnemonic.replace("v_dual_", "v_")
        name = canonical(mnemonic)
        if name in special.NO_OPERATION:
            return [Line("s_nop")]
        if name == "s_code_end":
            return []
        if name.startswith("ds_gws_"):
            return [Line(name, ["-"])]
        if name in special.memory_names() or name.startswith("ds_"):
            return [self._memory(i, name, mnemonic)]
        if name in special.BRANCHES:
            return [self._branch(i, name)]
        if name.startswith("v_cmpx_"):
            return [self._compare_exec(i, name)]
        operation = operations().get(name)
        if operation is None:
            raise EmulatorError(f"unknown instruction {i.mnemonic}")
        return [self._ordinary(i, operation)]

    def decode_dual(self, first: Instruction, second: Instruction) -> list[Line]:
        """Both halves of a dual instruction, which read their sources before either writes."""
        (x,), (y,) = self.decode(first), self.decode(second)
        if not _reads(y, x.operands[0]):
            return [x, y]
        if not _reads(x, y.operands[0]):
            return [y, x]
        result, x.operands[0] = x.operands[0], f"v{self.spare}"
        if _reads(x, result) and x.operands[-1] == f"{result}.1":
            move_in = [Line("v_mov_b32", [f"v{self.spare}", f"{result}.1"])]
            x.operands[-1] = f"v{self.spare}.1"
        else:
            move_in = []
        return [*move_in, x, y, Line("v_mov_b32", [result, f"v{self.spare}.1"])]

    # ------------------------------------------------------------ kinds of instructions

    def _memory(self, i: Instruction, name: str, mnemonic: str) -> Line:
        handler, tokens, attributes = memory_operands.decode(i, name, mnemonic, self.operands)
        if handler not in special.memory_names():
            raise EmulatorError(f"unknown instruction {i.mnemonic}")
        return Line(handler, tokens, attributes)

    def _branch(self, i: Instruction, name: str) -> Line:
        delta = i.words[0] & 0xFFFF
        target = i.address + 4 + 4 * (delta - ((delta & 0x8000) << 1))
        operands = [self.operands.result(i.operands[0])] if name == "s_call_b64" else []
        return Line(name, operands, {"to": f"{target:x}", "imm2": str(i.size)})

    def _compare_exec(self, i: Instruction, name: str) -> Line:
        operation = operations().get(name.replace("v_cmpx_", "v_cmp_"))
        if operation is None:
            raise EmulatorError(f"unknown instruction {i.mnemonic}")
        operands = list(i.operands)
        result = self.operands.result(operands.pop(0)) if self.target.major == 9 else "-"
        line = Line(operation.name, [result], {"imm": "1"})
        self._sources(i, operation, operands, line)
        return line

    def _ordinary(self, i: Instruction, operation: Operation) -> Line:
        if "clamp" in i.modifiers and operation.name + "_clamp" in operations():
            operation = operations()[operation.name + "_clamp"]
        operands = list(i.operands)
        line = Line(operation.name)
        for kind in operation.results or ("-",):
            line.operands.append("-" if kind == "-" else self.operands.result(operands.pop(0)))
        self._sources(i, operation, operands, line)
        self._results(i, operation, line)
        if operation.name in _IMMEDIATE_FORMS:
            line.attributes["imm"] = str(i.words[0] & 0xFFFF)
        if operation.name == "s_setreg_b32" and i.mnemonic == "s_setreg_imm32_b32":
            line.operands = ["-", f"#{i.words[1]:x}.1"]
        if operation.name in ("s_getpc_b64", "s_swappc_b64"):
            line.attributes["imm2"] = str(i.size)
        return line

    # ------------------------------------------------------------ operands

    def _sources(self, i: Instruction, operation: Operation, texts: list[str], line: Line) -> None:
        if operation.name in _IMMEDIATE_FORMS:  # the operand is the immediate, or comes before it
            texts = texts[:0] if operation.name != "s_setreg_b32" else texts[-1:]
        kinds = list(operation.sources)
        if operation.reads_result is not None:
            place = operation.reads_result
            # A destination without signs or selection: the register is read as a whole.
            texts.insert(place, i.operands[0])
        if kinds and kinds[-1] == "mask" and len(texts) == len(kinds) - 1:
            texts.append("vcc")
        if len(texts) != len(kinds):
            raise EmulatorError(f"{i.mnemonic} has {len(texts)} sources, not {len(kinds)}")
        first_source = len(line.operands)
        packed = operation.family.startswith("packed") or operation.name.startswith("v_pk_")
        mixed = "_mix" in operation.name
        select = [] if packed or mixed else numbers(i.modifiers.get("op_sel"), 0, 0)
        for k, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
            high = k < len(select) and select[k] == 1 and k != operation.reads_result
            line.operands.append(self._source(text, self._kind(operation, kind, i, k), high, mixed))
        if packed:
            line.attributes["sel"] = f"{_packed_selection(i, len(kinds)):x}"
        elif mixed:
            line.attributes["sel"] = f"{_mixed_selection(i, texts):x}"
        elif operation.family == "native":
            _native_selection(i, operation.name, line)
        lane_access.decode(i, operation, first_source, self.lanes, line)

    def _kind(self, operation: Operation, kind: str, i: Instruction, k: int) -> str:
        """The type that decides how a constant is read."""
        if operation.family in ("packed:f16", "packed:bf16"):
            return "f16" if re.fullmatch(r"-?\d*\.\d+", i.operands[k + 1]) else "u32"
        return kind

    def _source(self, text: str, kind: str, high: bool, mixed: bool) -> str:
        if kind == "mask":
            width = 2 if self.lanes == 64 else 1
            token = self.operands.source(text, "u64" if width == 2 else "u32")
            return token
        if mixed:  # signs are part of the selection
            text = text.removeprefix("-").strip("|")
        if match := re.fullmatch(r"(-?)(?:sext|abs)\((.*)\)", text):
            text = match[1] + match[2]
        return self.operands.source(text, kind, high=high)

    def _results(self, i: Instruction, operation: Operation, line: Line) -> None:
        kind = operation.results[0] if operation.results else "-"
        if kind in _HALVES and line.operands[0].startswith("v"):
            self._half_result(i, operation, line)
        output = next((code for text, code in _OUTPUT.items() if _has(i, text)), 0)
        clamp = "clamp" in i.modifiers and not operation.name.endswith("_clamp")
        if not output and not clamp:
            return
        if operation.family == "native":
            if operation.name.startswith("v_dot"):
                line.attributes["clamp"] = "1"
                return
            if "_mix" in operation.name and not output:
                line.attributes["imm"] = "1"
                return
            raise EmulatorError(f"output modifiers of {i.mnemonic} are not supported")
        code = {"packed:f16": 33, "packed32": 34}.get(operation.family, FLOATS.get(kind))
        if code is None or kind == "bf16":
            raise EmulatorError(f"clamp of {i.mnemonic} is not supported")
        line.attributes["result"] = str(code)
        if output:
            line.attributes["omod"] = str(output)
        if clamp:
            line.attributes["clamp"] = "1"

    def _half_result(self, i: Instruction, operation: Operation, line: Line) -> None:
        r = register(i.operands[0])
        count = len(operation.sources) - (operation.reads_result is not None)
        select = numbers(i.modifiers.get("op_sel"), 0, 0)
        high = (r is not None and r.high) or (len(select) > count and select[count] == 1)
        if high:
            line.attributes |= {"shift": "16", "keep": "ffff"}
            if operation.reads_result is not None:
                k = operation.reads_result + len(operation.results)
                line.operands[k] += ">16"
        elif self.target.keeps_high_half or (
            operation.name in _GFX9_KEEPS and "_legacy_" not in i.mnemonic
        ):
            line.attributes["keep"] = "ffff0000"


def _has(i: Instruction, text: str) -> bool:
    name, _, value = text.partition(":")
    return i.modifiers.get(name) == value


def _reads(line: Line, token: str) -> bool:
    return any(operand.split(".")[0] == token for operand in line.operands[1:])


def _packed_selection(i: Instruction, count: int) -> int:
    low = numbers(i.modifiers.get("op_sel"), count, 0)
    high = numbers(i.modifiers.get("op_sel_hi"), count, 1)
    neg_low = numbers(i.modifiers.get("neg_lo"), count, 0)
    neg_high = numbers(i.modifiers.get("neg_hi"), count, 0)
    if i.mnemonic == "v_pk_mov_b32":
        return low[0] | low[1] << 5
    return sum(
        (low[k] | high[k] << 1 | neg_low[k] << 2 | neg_high[k] << 3) << 4 * k for k in range(count)
    )


def _mixed_selection(i: Instruction, texts: list[str]) -> int:
    low = numbers(i.modifiers.get("op_sel"), 3, 0)
    half = numbers(i.modifiers.get("op_sel_hi"), 3, 0)
    return sum(
        (low[k] | half[k] << 1 | text.startswith("-") << 2 | ("|" in text) << 3) << 4 * k
        for k, text in enumerate(texts)
    )


def _native_selection(i: Instruction, name: str, line: Line) -> None:
    select = numbers(i.modifiers.get("op_sel"), 4, 0)
    if name.startswith("v_permlane") and "swap" not in name:
        bound = i.modifiers.get("bound_ctrl") == "1"
        line.attributes["sel"] = f"{select[0] | (select[1] | bound) << 1:x}"
    elif name.startswith("v_dot"):
        negative = numbers(i.modifiers.get("neg_lo"), 2, 0)
        line.attributes["sel"] = f"{negative[0] | negative[1] << 1:x}"
    elif name.startswith("v_bitop3"):
        line.attributes["imm"] = str(int(i.modifiers.get("bitop3", "0"), 0))
    elif name in ("v_cvt_f32_fp8", "v_cvt_f32_bf8"):
        part = i.modifiers.get("src0_sel", "")
        byte = int(part[-1]) if part.startswith("BYTE") else 0
        byte = int(i.modifiers.get("byte_sel", byte)) or (select[0] << 1 | select[1])
        line.attributes["sel"] = str(byte)
    elif name in ("v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8"):
        line.attributes["sel"] = str(int(i.modifiers.get("src0_sel") == "WORD_1") | select[0])
    elif name in ("v_cvt_pk_fp8_f32", "v_cvt_pk_bf8_f32"):
        line.attributes["sel"] = str(select[2])
    elif name in ("v_cvt_sr_fp8_f32", "v_cvt_sr_bf8_f32"):
        byte = select[2] | select[3] << 1
        line.attributes["sel"] = str(int(i.modifiers.get("byte_sel", byte)))
