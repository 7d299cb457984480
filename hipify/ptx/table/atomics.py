"""Atomic operations and reductions in memory."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction, Operand, Vector
from hipify.ptx.table.memory import SHARED, SPACES, pointer
from hipify.ptx.types import KINDS, Kind, cpp_type

FORMS = ""

_SCOPES = {
    "cta": "__HIP_MEMORY_SCOPE_WORKGROUP",
    "cluster": "__HIP_MEMORY_SCOPE_AGENT",
    "gpu": "__HIP_MEMORY_SCOPE_AGENT",
    "sys": "__HIP_MEMORY_SCOPE_SYSTEM",
}
_ORDERS = {
    "relaxed": "__ATOMIC_RELAXED",
    "acquire": "__ATOMIC_ACQUIRE",
    "release": "__ATOMIC_RELEASE",
    "acq_rel": "__ATOMIC_ACQ_REL",
}
# A failed exchange only reads, so it cannot release.
_FAILING = {"__ATOMIC_RELEASE": "__ATOMIC_RELAXED", "__ATOMIC_ACQ_REL": "__ATOMIC_ACQUIRE"}
_NAMED = {
    **{"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd"},
    **{"or": "atomicOr", "xor": "atomicXor", "exch": "atomicExch", "cas": "atomicCAS"},
    **{"inc": "atomicInc", "dec": "atomicDec"},
}
_HALVES = frozenset(("f16", "f16x2", "bf16", "bf16x2"))
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_IGNORED = frozenset(("noftz", "ftz"))


def _atomic(emitter: Emitter, instruction: Instruction) -> bool:
    """atom returns what was there before, red does not."""
    words = list(instruction.modifiers)
    type_ = words.pop() if words else ""
    if type_ not in KINDS:
        return False
    operation, order, scope, count, shared, hinted = "", "relaxed", "gpu", 1, False, False
    for word in words:
        if word in _NAMED:
            operation = word
        elif word in _ORDERS:
            order = word
        elif word in _SCOPES:
            scope = word
        elif word in _VECTORS:
            count = _VECTORS[word]
        elif word in SPACES:
            shared = word in SHARED
        elif word == "L2::cache_hint":
            hinted = True
        elif word not in _IGNORED:
            emitter.fail(f"{instruction.name}: .{word} has no counterpart")
    if not operation:
        return False
    operands = list(instruction.operands)
    result = operands.pop(0) if instruction.opcode == "atom" else None
    if hinted:
        operands.pop()
    kind = _kind(operation, type_)
    if count > 1:
        _vector(emitter, instruction, operands, count, operation, type_, order, scope)
        return True
    address = pointer(emitter, operands[0], cpp_type(kind), shared)
    values = [emitter.read(operand, kind) for operand in operands[1:]]
    text = _call(emitter, instruction, operation, type_, address, values, order, scope)
    if result is None:
        emitter.statement(text)
    else:
        emitter.write(result, text, kind)
    return True


def _kind(operation: str, type_: str) -> Kind:
    kind = KINDS[type_]
    if kind.group == "i" and (kind.signed is None or operation not in ("min", "max")):
        # Sums wrap the same for both signs; HIP's functions are not there for all signed types.
        return kind._replace(signed=False)
    return kind


def _vector(
    emitter: Emitter,
    instruction: Instruction,
    operands: list[Operand],
    count: int,
    operation: str,
    type_: str,
    order: str,
    scope: str,
) -> None:
    """A vector reduction is one for each element."""
    if not isinstance(operands[1], Vector) or instruction.opcode != "red":
        emitter.fail("vector atomics that return a value are not translated")
    if len(operands[1].parts) != count:
        emitter.fail(f"{count} registers are expected")
    kind = _kind(operation, type_)
    text = pointer(emitter, operands[0], cpp_type(kind), False)
    base = emitter.temporary("to", f"{cpp_type(kind)} *", text)
    for number, part in enumerate(operands[1].parts):
        address = f"{base} + {number}" if number else base
        values = [emitter.read(part, kind)]
        emitter.statement(
            _call(emitter, instruction, operation, type_, address, values, order, scope)
        )


def _call(
    emitter: Emitter,
    instruction: Instruction,
    operation: str,
    type_: str,
    address: str,
    values: list[str],
    order: str,
    scope: str,
) -> str:
    if type_ in _HALVES:
        if operation != "add" or order != "relaxed":
            emitter.fail(f"{instruction.name} has no counterpart")
        return f"{emitter.ours(f'fp16::atomic_add_{type_}')}({address}, {values[0]})"
    if order == "relaxed" and scope == "gpu" and KINDS[type_].bits in (32, 64):
        return f"{_NAMED[operation]}({', '.join((address, *values))})"
    if operation in ("inc", "dec"):
        emitter.fail(
            f"{instruction.name}: wrapping counters have device scope and relaxed order in HIP",
            "use atomicInc or atomicDec with the fence that the order asks for",
        )
    tail = f"{_ORDERS[order]}, {_SCOPES[scope]}"
    if operation == "cas":
        fails = _FAILING.get(_ORDERS[order], _ORDERS[order])
        expected = emitter.fresh("expected")
        kind = cpp_type(_kind(operation, type_))
        emitter.lines.append(f"{kind} {expected} = {values[0]};")
        emitter.statement(
            f"__hip_atomic_compare_exchange_strong({address}, &{expected}, {values[1]}, "
            f"{_ORDERS[order]}, {fails}, {_SCOPES[scope]})"
        )
        return expected
    if operation == "exch":
        return f"__hip_atomic_exchange({address}, {values[0]}, {tail})"
    return f"__hip_atomic_fetch_{operation}({address}, {values[0]}, {tail})"


EXPANSIONS = {"atom": _atomic, "red": _atomic}
