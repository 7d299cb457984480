"""Loads, stores, atomics, prefetches and address spaces."""

from __future__ import annotations

from typing import NamedTuple

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Address, Instruction, Operand, Placeholder, Register, Special, Vector
from hipify.ptx.types import KINDS, Kind, cpp_type, grouped

FORMS = """
cvta.to.global.{u64}                d, a                      => $a
cvta.to.local.{u64}                 d, a                      => $a
cvta.to.const.{u64}                 d, a                      => $a
cvta.global.{u64}                   d, a                      => $a
cvta.local.{u64}                    d, a                      => $a
cvta.const.{u64}                    d, a                      => $a
cvta.to.shared.{u64}                d, a                      => hipify::ptx::shared_address((const void *)$a)
cvta.to.shared::cta.{u64}           d, a                      => hipify::ptx::shared_address((const void *)$a)
cvta.shared.{u64}                   d, a                      => (unsigned long long)hipify::ptx::shared<char>($a)
cvta.shared::cta.{u64}              d, a                      => (unsigned long long)hipify::ptx::shared<char>($a)
isspacep.shared                     d:pred, a:u64             => hipify::ptx::is_shared((const void *)$a)
isspacep.shared::cta                d:pred, a:u64             => hipify::ptx::is_shared((const void *)$a)
isspacep.local                      d:pred, a:u64             => hipify::ptx::is_local((const void *)$a)
isspacep.global                     d:pred, a:u64             => hipify::ptx::is_global((const void *)$a)
"""

SHARED = frozenset(("shared", "shared::cta"))
SPACES = frozenset((*SHARED, "global", "local", "const", "param"))
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
_CACHED = frozenset(("ca", "wb", "nc"))
_STREAMING = frozenset(("cs", "lu"))
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_VECTOR_NAMES = {
    **{"unsigned char": "uchar", "signed char": "char", "unsigned short": "ushort"},
    **{"short": "short", "unsigned": "uint", "int": "int", "unsigned long long": "ulonglong"},
    **{"long long": "longlong", "float": "float", "double": "double"},
}
_PARTS = "xyzw"


class Access(NamedTuple):
    """How a load or a store goes to memory.

    `way` is plain, volatile, atomic or streaming; `order` and `scope` are those of an atomic one.
    """

    kind: Kind
    elements: int
    shared: bool
    way: str
    order: str = ""
    scope: str = ""
    hinted: bool = False


def access(emitter: Emitter, instruction: Instruction) -> Access:
    """What an ld's or st's modifiers ask for."""
    words = list(instruction.modifiers)
    kind = KINDS.get(words.pop()) if words else None
    if kind is None or kind.group == "p":
        emitter.fail(f"{instruction.name} has no type that is understood")
    count, shared, way, order, scope, hinted = 1, False, "", "", "", False
    for word in words:
        if word in _VECTORS:
            count = _VECTORS[word]
        elif word in SPACES:
            shared = word in SHARED
        elif word in _ORDERS:
            way, order = "atomic", _ORDERS[word]
        elif word in _SCOPES:
            scope = _SCOPES[word]
        elif word in ("volatile", "mmio", "cv", "wt"):
            way = way or "volatile"
        elif word == "cg":
            way, order, scope = "atomic", _ORDERS["relaxed"], _SCOPES["gpu"]
        elif word in _STREAMING:
            way = way or "streaming"
        elif word == "nc":
            way = way or "plain"
        elif word.startswith(("L1::", "L2::")):
            hinted = hinted or word == "L2::cache_hint"
        elif word not in _CACHED and word != "weak":
            emitter.fail(f"{instruction.name}: .{word} has no counterpart")
    if way == "atomic" and count > 1 and "cg" in words:
        way = ""
    if not way:
        way = _unmarked(emitter, count)
    if way == "streaming" and count > 1:
        emitter.caveat("the streaming hint of a vector access is dropped", "nothing to do")
        way = "plain"
    return Access(kind, count, shared, way, order, scope, hinted)


def _unmarked(emitter: Emitter, count: int) -> str:
    """A volatile asm runs each time that it is reached, so its access must not be moved or merged.

    Vectors are loaded for speed; they lose their width if volatile, so only a memory clobber, which
    says that others change the memory, makes them so.
    """
    request = emitter.request
    if request.volatile and (count == 1 or request.clobbers_memory):
        return "volatile"
    return "plain"


def pointer(emitter: Emitter, operand: Operand, pointee: str, shared: bool) -> str:
    """The address operand as a C++ pointer expression to the given type."""
    if not isinstance(operand, Address):
        emitter.fail("an address is expected here")
    base = operand.base
    if isinstance(base, Register | Special | Placeholder):
        text, kind = _base(emitter, base)
    else:
        emitter.fail("an absolute address has no counterpart")
    if shared:
        if operand.offset:
            text = f"{grouped(text)} + {operand.offset}"
        return f"{emitter.ours('ptx::shared')}<{pointee}>({text})"
    if isinstance(base, Placeholder) and not operand.offset and not emitter.is_fixed(base):
        known = emitter.request.around.points_to(emitter.request.operands[base.number].source)
        if known and known in (pointee, pointee.removeprefix("const ")):
            return text
    if kind.bits != 64:
        emitter.fail("an address of 32 bits outside shared memory has no counterpart")
    if operand.offset:
        const = "const " if pointee.startswith("const ") else ""
        sign = "-" if operand.offset < 0 else "+"
        text = f"(({const}char *){grouped(text)} {sign} {abs(operand.offset)})"
    return f"({pointee} *){grouped(text)}"


def _base(emitter: Emitter, base: Register | Special | Placeholder) -> tuple[str, Kind]:
    """The base of an address, without the cast to an integer that the pointer cast undoes."""
    text, kind = emitter.value(base)
    if isinstance(base, Placeholder) and kind.bits == 64 and not emitter.is_fixed(base):
        return emitter.request.operands[base.number].text, kind
    return text, kind


def _element(emitter: Emitter, access: Access, operand: Operand) -> Kind:
    """The type in which an untyped access is made: floating point where the register is."""
    if access.kind.group == "i" and access.kind.signed is None:
        first = operand.parts[0] if isinstance(operand, Vector) else operand
        held = emitter.kind_of(first)
        if held is not None and held.group == "f" and held.bits == access.kind.bits:
            return held
        return access.kind._replace(signed=False)
    return access.kind


def _parts(emitter: Emitter, operand: Operand, access: Access) -> tuple[Operand, ...]:
    parts = operand.parts if isinstance(operand, Vector) else (operand,)
    if len(parts) != access.elements:
        emitter.fail(f"{access.elements} registers are expected, not {len(parts)}")
    return parts


def _operands(
    emitter: Emitter, instruction: Instruction, access: Access, count: int
) -> tuple[Operand, ...]:
    """The instruction's operands less a cache policy."""
    operands = instruction.operands
    if access.hinted and len(operands) == count + 1:
        emitter.caveat("a cache hint is dropped", "nothing to do: it only changes speed")
        operands = operands[:-1]
    if len(operands) != count:
        emitter.fail(f"{instruction.name} with {len(operands)} operands is not understood")
    return operands


def _load(emitter: Emitter, instruction: Instruction) -> bool:
    """ld and ldu of scalars and vectors."""
    how = access(emitter, instruction)
    result, source = _operands(emitter, instruction, how, 2)
    parts = _parts(emitter, result, how)
    kind = _element(emitter, how, result)
    type_ = cpp_type(kind)
    if how.way == "plain" and how.elements in (2, 4):
        name = _vector_name(type_, how.elements)
        text = f"*{pointer(emitter, source, f'const {name}', how.shared)}"
        value = emitter.temporary("loaded", name, text)
        for part, letter in zip(parts, _PARTS, strict=False):
            emitter.write(part, f"{value}.{letter}", kind)
        return True
    if how.elements == 1:
        emitter.write(parts[0], _scalar_load(emitter, source, type_, how), kind)
        return True
    base = _fixed_pointer(emitter, source, f"const {_qualified(type_, how)}", how)
    for number, part in enumerate(parts):
        emitter.write(part, _loaded(f"{base} + {number}", f"{base}[{number}]", how), kind)
    return True


def _qualified(type_: str, how: Access) -> str:
    return f"volatile {type_}" if how.way == "volatile" else type_


def _scalar_load(emitter: Emitter, source: Operand, type_: str, how: Access) -> str:
    # Atomic loads take no pointer to const in some compilers.
    const = "" if how.way == "atomic" else "const "
    text = pointer(emitter, source, f"{const}{_qualified(type_, how)}", how.shared)
    return _loaded(text, f"*{text}", how)


def _loaded(address: str, value: str, how: Access) -> str:
    if how.way == "atomic":
        return f"__hip_atomic_load({address}, {how.order}, {how.scope})"
    if how.way == "streaming":
        return f"__builtin_nontemporal_load({address})"
    return value


def _fixed_pointer(emitter: Emitter, operand: Operand, pointee: str, how: Access) -> str:
    if how.way == "atomic":
        pointee = pointee.removeprefix("const ")
    return emitter.temporary("from", f"{pointee} *", pointer(emitter, operand, pointee, how.shared))


def _vector_name(type_: str, count: int) -> str:
    return f"{_VECTOR_NAMES[type_]}{count}"


def _store(emitter: Emitter, instruction: Instruction) -> bool:
    """st of scalars and vectors."""
    how = access(emitter, instruction)
    target, source = _operands(emitter, instruction, how, 2)
    parts = _parts(emitter, source, how)
    kind = _element(emitter, how, source)
    type_ = cpp_type(kind)
    values = [emitter.read(part, kind) for part in parts]
    if how.way == "plain" and how.elements in (2, 4):
        name = _vector_name(type_, how.elements)
        text = pointer(emitter, target, name, how.shared)
        emitter.statement(f"*{text} = make_{name}({', '.join(values)})")
        return True
    if how.elements == 1:
        text = pointer(emitter, target, _qualified(type_, how), how.shared)
        emitter.statement(_stored(text, f"*{text}", values[0], how))
        return True
    pointee = _qualified(type_, how)
    base = emitter.temporary("to", f"{pointee} *", pointer(emitter, target, pointee, how.shared))
    for number, value in enumerate(values):
        emitter.statement(_stored(f"{base} + {number}", f"{base}[{number}]", value, how))
    return True


def _stored(address: str, place: str, value: str, how: Access) -> str:
    if how.way == "atomic":
        return f"__hip_atomic_store({address}, {value}, {how.order}, {how.scope})"
    if how.way == "streaming":
        return f"__builtin_nontemporal_store({value}, {address})"
    return f"{place} = {value}"


def _prefetch(emitter: Emitter, instruction: Instruction) -> bool:
    """prefetch is a hint; the address must not even be valid."""
    if "tensormap" in instruction.modifiers:
        return False
    text = pointer(emitter, instruction.operands[0], "const void", False)
    emitter.statement(f"__builtin_prefetch({text})")
    return True


def _policy(emitter: Emitter, instruction: Instruction) -> bool:
    """A cache policy is dropped with the hints that use it."""
    emitter.caveat("a cache policy is dropped", "nothing to do: it only changes speed")
    emitter.write(instruction.operands[0], "0", KINDS["u64"])
    return True


EXPANSIONS = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "prefetch": _prefetch,
    "prefetchu": _prefetch,
    "createpolicy": _policy,
}
