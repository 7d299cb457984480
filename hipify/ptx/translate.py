"""A parsed asm statement to HIP C++, whole or not at all."""

from __future__ import annotations

from typing import NamedTuple

from hipify.ptx.emit import Emitter
from hipify.ptx.forms import Form, filled
from hipify.ptx.model import Block, Declaration, Instruction, Label, Line, Operand, Placeholder
from hipify.ptx.names import has_effect, words_of
from hipify.ptx.request import Caveat, Nested, Request
from hipify.ptx.table import Expansion, table
from hipify.ptx.tokens import UntranslatableError
from hipify.ptx.types import KINDS, cpp_type, named_kind


class Cpp(NamedTuple):
    """The C++ for a statement: lines, with inner blocks as lists, and what comes with them."""

    lines: Nested
    headers: frozenset[str]
    caveats: tuple[Caveat, ...]


def to_cpp(request: Request) -> Cpp:
    """The HIP C++ for an asm statement.

    Raises UntranslatableError, with the offset of the instruction in the PTX text, where any part
    of the statement has no counterpart.
    """
    emitter = Emitter(request)
    lines = request.lines
    while len(lines) == 1 and isinstance(lines[0], Block):
        lines = lines[0].body
    _write_lines(emitter, lines)
    return Cpp(emitter.lines, frozenset(emitter.headers), tuple(emitter.caveats))


def _write_lines(emitter: Emitter, lines: tuple[Line, ...]) -> None:
    for line in lines:
        emitter.at = line.offset
        if isinstance(line, Declaration):
            emitter.declare(line)
        elif isinstance(line, Block):
            emitter.open()
            _write_lines(emitter, line.body)
            inner = emitter.close()
            emitter.lines.append(inner)
        elif isinstance(line, Label):
            emitter.lines.append(f"{emitter.label(line.name)}:;")
        elif emitter.has_labels:
            # A jump must not pass over the values of temporaries, so each instruction is a block.
            emitter.open()
            _write_guarded(emitter, line)
            inner = emitter.close()
            emitter.lines.extend(inner if len(inner) == 1 else (inner,))
        else:
            _write_guarded(emitter, line)


def _write_guarded(emitter: Emitter, instruction: Instruction) -> None:
    if instruction.guard is None:
        write_instruction(emitter, instruction)
        return
    condition = emitter.read(instruction.guard, KINDS["pred"])
    emitter.open()
    write_instruction(emitter, instruction)
    inner = emitter.close()
    if len(inner) == 1 and isinstance(inner[0], str):
        emitter.lines.append(f"if ({condition}) {inner[0]}")
    else:
        emitter.lines.extend((f"if ({condition})", inner))


def write_instruction(emitter: Emitter, instruction: Instruction) -> None:
    """Writes one instruction, its guard apart."""
    known = table()
    announcement = known.announcements.get(instruction.opcode)
    if announcement is not None:
        announcement(emitter, instruction)
    expansion = known.expansions.get(instruction.opcode)
    if expansion is not None and _expanded(emitter, instruction, expansion):
        return
    for form in known.forms.get(instruction.opcode, ()):
        types = form.types_of(instruction)
        if types is not None:
            _write_form(emitter, instruction, form, types)
            return
    message, remedy = known.diagnoses.get(instruction.opcode, ("", ""))
    if message:
        emitter.fail(f"{instruction.name}: {message}", remedy)
    emitter.fail(f"{instruction.name} is not translated")


def _expanded(emitter: Emitter, instruction: Instruction, expansion: Expansion) -> bool:
    """Whether an expansion has written the instruction."""
    try:
        return expansion(emitter, instruction)
    except (IndexError, ValueError):
        # It took the operands apart and found fewer, or more, than the instruction has.
        emitter.fail(f"{instruction.name} with these operands is not understood")


def _write_form(
    emitter: Emitter, instruction: Instruction, form: Form, types: tuple[str, ...]
) -> None:
    values: dict[str, str] = {}
    result: tuple[Operand, str] | None = None
    for parameter, operand in zip(form.parameters, instruction.operands, strict=True):
        if parameter.name == "d":
            result = operand, parameter.code
            continue
        kind = named_kind(parameter.code, types)
        text = emitter.read(operand, kind)
        if form.cpp.count(f"${parameter.name}") > 1 and _must_be_fixed(emitter, operand):
            text = emitter.temporary(parameter.name, cpp_type(kind), text)
        values[parameter.name] = text
    text = filled(form.cpp, values, types)
    emitter.uses(text)
    if result is None:
        emitter.statement(text)
    else:
        emitter.write(result[0], text, named_kind(result[1], types))


def _must_be_fixed(emitter: Emitter, operand: Operand) -> bool:
    """Whether an operand that the template needs twice must be evaluated once, beforehand."""
    if not isinstance(operand, Placeholder) or emitter.is_fixed(operand):
        return False
    text = emitter.request.operands[operand.number].source
    return has_effect(text) or (emitter.request.around.in_macro and bool(words_of(text)))


__all__ = ["Cpp", "Request", "UntranslatableError", "to_cpp", "write_instruction"]
