"""The part of the MessagePack format that code object metadata uses."""

from __future__ import annotations

import struct
from typing import Any

_SIZED = {0xC4: ("bin", 1), 0xC5: ("bin", 2), 0xC6: ("bin", 4), 0xD9: ("str", 1), 0xDA: ("str", 2),
          0xDB: ("str", 4), 0xDC: ("array", 2), 0xDD: ("array", 4), 0xDE: ("map", 2),
          0xDF: ("map", 4)}  # fmt: skip
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b",
            0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}  # fmt: skip
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: bytes) -> Any:
    """The value that `data` starts with. Raises ValueError for extension types."""
    return _value(data, 0)[0]


def _value(data: bytes, at: int) -> tuple[Any, int]:
    tag = data[at]
    at += 1
    if tag < 0x80:
        return tag, at
    if tag >= 0xE0:
        return tag - 256, at
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], at
    if tag in _NUMBERS:
        form = _NUMBERS[tag]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    if tag in _SIZED:
        kind, width = _SIZED[tag]
        count = int.from_bytes(data[at : at + width], "big")
        return _sized(data, at + width, kind, count)
    if tag < 0x90:
        return _sized(data, at, "map", tag & 15)
    if tag < 0xA0:
        return _sized(data, at, "array", tag & 15)
    if tag < 0xC0:
        return _sized(data, at, "str", tag & 31)
    raise ValueError(f"MessagePack: unexpected tag 0x{tag:02x} at byte {at - 1}")


def _sized(data: bytes, at: int, kind: str, count: int) -> tuple[Any, int]:
    if kind in ("str", "bin"):
        raw = data[at : at + count]
        return raw.decode() if kind == "str" else raw, at + count
    items = []
    for _ in range(count * (2 if kind == "map" else 1)):
        item, at = _value(data, at)
        items.append(item)
    if kind == "map":
        return dict(zip(items[::2], items[1::2], strict=True)), at
    return items, at
