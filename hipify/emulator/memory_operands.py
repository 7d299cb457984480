"""Operands of memory instructions, brought to one layout a family.

Flat-like: result, address, data, scalar base. Buffer: result, address, data, descriptor, scalar
offset. LDS: result, address, data, second data. Scalar: data, base, offset.
"""

from __future__ import annotations

import re

from hipify.emulator.disassembly import Instruction
from hipify.emulator.errors import EmulatorError
from hipify.emulator.operands import OperandEncoder

Decoded = tuple[str, list[str], dict[str, str]]


def _number(text: str) -> int:
    return int(text, 0)


def _is_constant(text: str) -> bool:
    return bool(re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text))


def _returns(i: Instruction) -> bool:
    """Whether an atomic gives back the old value."""
    if any(flag in i.modifiers for flag in ("glc", "sc0")):
        return True
    return "RETURN" in i.modifiers.get("th", "")


def decode(i: Instruction, name: str, mnemonic: str, encoder: OperandEncoder) -> Decoded:
    """Handler name, operand tokens and attributes of a memory instruction."""
    if "lds" in i.modifiers or "gds" in i.modifiers or "tfe" in i.modifiers:
        raise EmulatorError(f"{i.mnemonic} with lds, gds or tfe is not supported")
    family = name.partition("_")[0]
    if family == "s":
        return _scalar(i, name, encoder)
    if family == "ds":
        return _shared(i, name, mnemonic, encoder)
    return (_buffer if family == "buffer" else _flat)(i, name, encoder)


def _vector(encoder: OperandEncoder, text: str, width: int = 1) -> str:
    if text == "off":
        return "-"
    return encoder.source(text, "u64" if width == 2 else "u32")


def _flat(i: Instruction, name: str, encoder: OperandEncoder) -> Decoded:
    operands = list(i.operands)
    attributes = {"imm": str(_number(i.modifiers.get("offset", "0")))}
    result = "-"
    is_atomic = "_atomic_" in name
    if "_load_" in name or (is_atomic and _returns(i)):
        result = encoder.result(operands.pop(0))
        if is_atomic:
            attributes["returns"] = "1"
    address = operands.pop(0)
    data = "-" if "_load_" in name else encoder.source(operands.pop(0), "u32")
    base = operands.pop(0) if operands else "off"
    scalar = "-" if base in ("off", "null") else encoder.source(base, "u64")
    if name.startswith("scratch"):
        scalar = "-" if base in ("off", "null") else encoder.source(base, "u32")
    return (
        name,
        [result, _vector(encoder, address, 2 if scalar == "-" else 1), data, scalar],
        attributes,
    )


def _buffer(i: Instruction, name: str, encoder: OperandEncoder) -> Decoded:
    operands = list(i.operands)
    attributes = {"imm": str(_number(i.modifiers.get("offset", "0")))}
    data, address, descriptor, offset = operands
    attributes["sel"] = str(("offen" in i.modifiers) | ("idxen" in i.modifiers) << 1)
    loads = "_load_" in name
    result = encoder.result(data) if loads or ("_atomic_" in name and _returns(i)) else "-"
    if result != "-" and not loads:
        attributes["returns"] = "1"
    tokens = [
        result,
        _vector(encoder, address),
        "-" if loads else encoder.source(data, "u32"),
        encoder.source(descriptor, "u32"),
        encoder.source(offset, "u32"),
    ]
    return name, tokens, attributes


_TWO_DATA = re.compile(r"ds_(store_2addr|storexchg_2addr|mskor|atomic_cmpswap)")


def _shared(i: Instruction, name: str, mnemonic: str, encoder: OperandEncoder) -> Decoded:
    attributes = {"imm": str(_offset(i))}
    if "offset1" in i.modifiers:
        attributes["imm2"] = str(_number(i.modifiers["offset1"]))
    operands = list(i.operands)
    result, address = "-", "-"
    gives = ("_load_" in name or "_rtn" in mnemonic or "permute" in name or "swizzle" in name
             or name in ("ds_append", "ds_consume"))  # fmt: skip
    if gives:
        result = encoder.result(operands.pop(0))
        attributes["returns"] = "1"
    if operands:
        address = encoder.source(operands.pop(0), "u32")
    data = [encoder.source(text, "u32") for text in operands]
    if name.startswith("ds_atomic_cmpswap") and "cmpst_" in mnemonic:
        data.reverse()  # older targets name the expected value first
    if len(data) > 1 and not _TWO_DATA.match(name):
        raise EmulatorError(f"{i.mnemonic} has more data operands than known")
    return name, [result, address, *(data or ["-"])], attributes


def _offset(i: Instruction) -> int:
    text = i.modifiers.get("offset", i.modifiers.get("offset0", "0"))
    if text.startswith("swizzle("):
        return i.words[0] & 0xFFFF  # the assembler's name for a pattern in the offset field
    return _number(text)


def _scalar(i: Instruction, name: str, encoder: OperandEncoder) -> Decoded:
    data, base, *rest = i.operands
    offset, scalar = _number(i.modifiers.get("offset", "0")), "-"
    for text in rest:
        if _is_constant(text):
            offset += _number(text)
        elif text != "null":
            scalar = encoder.source(text, "u32")
    kind = "u32" if "buffer" in name else "u64"
    return name, [encoder.result(data), encoder.source(base, kind), scalar], {"imm": str(offset)}
