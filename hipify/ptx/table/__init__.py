"""The instruction table: forms in one line each, and expansions for what one line cannot say.

Each module here holds `FORMS`, a text in the notation of `hipify.ptx.forms`, `EXPANSIONS`, which
maps opcodes to functions that write the C++ of an instruction, `ANNOUNCEMENTS`, functions that only
tell what a form leaves out, and `DIAGNOSES` for opcodes that have no C++. A new instruction is a new line in one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from hipify.ptx.emit import Emitter
from hipify.ptx.forms import Form, forms
from hipify.ptx.model import Instruction

Expansion = Callable[[Emitter, Instruction], bool]
"""Writes an instruction's C++; False where it leaves the instruction to the forms."""

_MODULES = (
    *("integer", "bits", "video", "floating", "half", "compare", "move", "convert"),
    *("memory", "atomics", "warp", "control", "unsupported"),
)


class Table(NamedTuple):
    """All that is known of PTX's instructions, by opcode."""

    forms: dict[str, list[Form]]
    expansions: dict[str, Expansion]
    announcements: dict[str, Expansion]
    diagnoses: dict[str, tuple[str, str]]

    def opcodes(self) -> frozenset[str]:
        """Every opcode that is known to be PTX's."""
        return frozenset((*self.forms, *self.expansions, *self.diagnoses))


@cache
def table() -> Table:
    """The table, put together once a process."""
    found = Table({}, {}, {}, {})
    for name in _MODULES:
        module = import_module(f"{__name__}.{name}")
        for form in forms(module.FORMS):
            found.forms.setdefault(form.opcode, []).append(form)
        found.expansions.update(getattr(module, "EXPANSIONS", {}))
        found.announcements.update(getattr(module, "ANNOUNCEMENTS", {}))
        found.diagnoses.update(getattr(module, "DIAGNOSES", {}))
    return found
