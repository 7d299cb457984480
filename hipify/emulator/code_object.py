"""AMD code objects: target, kernels and their arguments, from the ELF file alone."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from hipify.emulator.errors import EmulatorError
from hipify.emulator.messagepack import unpack

_METADATA_NOTE = 32
_PT_NOTE = 4
_MACHINE_AMDGPU = 224


@dataclass(frozen=True)
class Target:
    """An architecture and what differs in how its code runs."""

    name: str

    @property
    def major(self) -> int:
        """9 for gfx90a, 10 for gfx1030, 12 for gfx1201."""
        return int(self.name[3:-2])

    @property
    def packed_ids(self) -> bool:
        """Whether the three work-item ids share one vector register."""
        return self.major >= 11 or self.name in ("gfx90a", "gfx942", "gfx950")

    @property
    def flat_scratch(self) -> bool:
        """Whether private memory is addressed without a buffer descriptor."""
        return self.major >= 11 or self.name in ("gfx942", "gfx950")

    @property
    def fnuz(self) -> bool:
        """Whether 8-bit floats are of the kind without infinities and negative zero."""
        return self.name == "gfx942"

    @property
    def keeps_high_half(self) -> bool:
        """Whether 16-bit results leave the other half of their register alone."""
        return self.major >= 10


@dataclass(frozen=True)
class CodeObject:
    """What a code object says of itself."""

    target: Target
    kernels: tuple[dict[str, Any], ...]

    @property
    def lanes(self) -> int:
        """Wave size; all kernels of a code object share it."""
        if self.kernels:
            return int(self.kernels[0][".wavefront_size"])
        return 64 if self.target.major == 9 else 32


def _notes(data: bytes) -> bytes:
    offset, entry_size, count = (
        struct.unpack_from("<Q", data, 32)[0],
        *struct.unpack_from("<HH", data, 54),
    )
    for k in range(count):
        kind, _, start, _, _, size, _, _ = struct.unpack_from(
            "<IIQQQQQQ", data, offset + k * entry_size
        )
        if kind == _PT_NOTE:
            return data[start : start + size]
    raise EmulatorError(
        "the code object has no metadata note: compile for code object version 3 or later"
    )


def read_code_object(data: bytes) -> CodeObject:
    """Parse the metadata of an ELF code object. Raises `EmulatorError` when it is not one."""
    if data[:4] != b"\x7fELF" or struct.unpack_from("<H", data, 18)[0] != _MACHINE_AMDGPU:
        raise EmulatorError("not an AMD code object: expected an ELF file for machine 224")
    notes = _notes(data)
    name_size, size, kind = struct.unpack_from("<III", notes)
    if kind != _METADATA_NOTE:
        raise EmulatorError(f"the code object's note has type {kind}, not {_METADATA_NOTE}")
    start = 12 + (name_size + 3 & ~3)
    metadata = unpack(notes[start : start + size])
    name = metadata["amdhsa.target"].split("--")[-1].split(":")[0]
    return CodeObject(Target(name), tuple(metadata.get("amdhsa.kernels", ())))
