"""Runs single instructions on the native side."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

REGISTERS = 40
SCALARS = 180


@functools.cache
def _library(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))


class Probe:
    """Executes listing lines; vector register r, lane l is ``vectors[r * lanes + l]``."""

    def __init__(self, library: Path, target: str = "gfx90a", lanes: int = 64) -> None:
        self.library = _library(library)
        self.lanes = lanes
        self.target = target
        self.vectors = (ctypes.c_uint32 * (REGISTERS * lanes))()
        self.scalars = (ctypes.c_uint32 * SCALARS)()
        self.set_exec((1 << lanes) - 1)

    def set_exec(self, mask: int) -> None:
        self.set_scalar64(126, mask)

    def set_scalar64(self, register: int, value: int) -> None:
        self.scalars[register] = value & 0xFFFFFFFF
        self.scalars[register + 1] = value >> 32

    def scalar64(self, register: int) -> int:
        return int(self.scalars[register]) | int(self.scalars[register + 1]) << 32

    def set_lane(self, register: int, lane: int, value: int, width: int = 32) -> None:
        self.vectors[register * self.lanes + lane] = value & 0xFFFFFFFF
        if width > 32:
            self.vectors[(register + 1) * self.lanes + lane] = value >> 32

    def lane(self, register: int, lane: int, width: int = 32) -> int:
        value = int(self.vectors[register * self.lanes + lane])
        if width > 32:
            value |= int(self.vectors[(register + 1) * self.lanes + lane]) << 32
        return value & ((1 << width) - 1)

    def has_handler(self, name: str) -> bool:
        return bool(self.library.hipify_emulator_has_handler(name.encode()))

    def run(self, *lines: str) -> None:
        """Each line is ``handler<TAB>operands<TAB>attributes``."""
        fnuz = int(self.target == "gfx942")
        text = [
            f"target\t{self.target}\t9\t1\t0\t{fnuz}",
            f"lanes\t{self.lanes}",
            f"vgprs\t{REGISTERS}",
        ]
        for k, line in enumerate((*lines, "s_endpgm\t-\t")):
            handler, operands, attributes = (line + "\t\t").split("\t")[:3]
            text.append(f"i\t{4 * k:x}\t{handler}\t{operands}\t{attributes}\t\t{handler}")
        error = ctypes.create_string_buffer(2048)
        failed = self.library.hipify_emulator_probe(
            "\n".join(text).encode(), self.vectors, self.scalars, error, len(error)
        )
        if failed:
            raise RuntimeError(error.value.decode())
