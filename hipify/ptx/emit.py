"""From the lines of a PTX text to C++ statements: operands, temporaries, carry flag, scopes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from hipify.ptx.headers import WARP_HEADER, headers_of
from hipify.ptx.model import (
    Address,
    Declaration,
    Integer,
    Label,
    Negated,
    Operand,
    Pair,
    Placeholder,
    Real,
    Register,
    Selected,
    Sink,
    Special,
    Vector,
)
from hipify.ptx.names import has_effect, words_of
from hipify.ptx.numbers import integer_text, real_text
from hipify.ptx.registers import SPECIAL_REGISTERS
from hipify.ptx.request import CONSTRAINTS, AsmOperandText, Caveat, Nested, Request
from hipify.ptx.tokens import UntranslatableError
from hipify.ptx.types import KINDS, Kind, cast, convert, cpp_type, grouped
from hipify.ptx.uses import CARRY_TAKERS, all_lines, instructions_of, uses

# Instructions whose result may be an address.
_MOVERS = frozenset(("mov", "cvta", "ld", "selp", "atom", "cvt", "add", "sub"))
_CPP_WORDS = frozenset(
    (
        *("and", "or", "xor", "not", "new", "delete", "this", "if", "else", "for", "do", "while"),
        *("int", "char", "bool", "float", "double", "void", "auto", "short", "long", "signed"),
        *("unsigned", "const", "static", "inline", "register", "class", "union", "enum", "struct"),
        *("try", "catch", "case", "default", "switch", "return", "goto", "asm", "using"),
        *("template", "typename", "operator", "private", "public"),
    )
)


@dataclass
class Scope:
    """A C++ block under construction."""

    lines: Nested = field(default_factory=list)
    registers: dict[str, tuple[str, Kind]] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)


class Emitter:
    """Collects the C++ of one asm statement. Handlers of instructions write through it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.headers: set[str] = set()
        self.caveats: list[Caveat] = []
        self.at = 0
        self._taken = set(_CPP_WORDS).union(*(words_of(o.source) for o in request.operands))
        self._scopes = [Scope()]
        self._guard = ""
        self._snapshots: dict[int, str] = {}
        self._carry: str | None = None
        self.flat = list(instructions_of(request.lines))
        self._label_names: dict[str, str] = {}
        self.has_labels = any(isinstance(line, Label) for line in all_lines(request.lines))
        self._snap_shared_inputs()

    # --- what handlers call ---

    def read(self, operand: Operand, want: Kind) -> str:
        """The operand as a C++ expression of the wanted kind."""
        if isinstance(operand, Integer):
            return integer_text(operand.value, want)
        if isinstance(operand, Real):
            text = real_text(operand, want)
            if text is None:
                self.fail("a floating-point constant stands where an integer is wanted")
            return text
        if isinstance(operand, Negated):
            return "!" + grouped(self.read(operand.of, KINDS["pred"]))
        if isinstance(operand, Placeholder) and want.group == "i" and want.bits == 64:
            raw = self._unknown_64(operand)
            if raw:
                return cast(raw, cpp_type(want))
        text, have = self.value(operand)
        if isinstance(operand, Placeholder) and self._letter(operand) == "n" and want.group == "i":
            return (
                text if want.bits <= 32 and want.signed is not False else cast(text, cpp_type(want))
            )
        result = convert(text, have, want)
        if result is None:
            self.fail(f"an operand of {have.bits} bits stands where {want.bits} are wanted")
        return result

    def value(self, operand: Operand) -> tuple[str, Kind]:
        """The operand as it is held, for operands that are neither constants nor composed."""
        if isinstance(operand, Placeholder):
            return self._placeholder(operand)
        if isinstance(operand, Special):
            found = self._find(operand.name)
            if found is not None:
                return self._register(operand.name, found)
            return self._special(operand)
        if isinstance(operand, Register):
            found = self._find(operand.name)
            if found is None:
                if operand.name == "WARP_SZ":
                    return "32", KINDS["u32"]
                self.fail(
                    f"{operand.name} is not declared in this asm statement",
                    "asm statements that share registers or symbols must be put together by hand",
                )
            return self._register(operand.name, found)
        self.fail("this kind of operand is not understood here")

    def kind_of(self, operand: Operand) -> Kind | None:
        """The kind of the register or asm operand itself, without reading it."""
        if isinstance(operand, Placeholder):
            return CONSTRAINTS[self._letter(operand)]
        if not isinstance(operand, Register | Special):
            return None
        scope = self._find(operand.name)
        return scope.registers[operand.name][1] if scope else None

    def constant(self, operand: Operand) -> int | None:
        """The operand's value where it is a number in the source."""
        if isinstance(operand, Integer):
            return operand.value
        if isinstance(operand, Placeholder) and operand.number < len(self.request.operands):
            text = self.request.operands[operand.number].source.strip("() ")
            if re.fullmatch(r"-?(?:0[xX][0-9a-fA-F]+|[1-9]\d*|0)[uUlL]*", text):
                return int(text.rstrip("uUlL"), 0)
        return None

    def write(self, operand: Operand, text: str, kind: Kind) -> None:
        """Assigns an expression of a kind to a result operand."""
        if isinstance(operand, Sink):
            self.statement(f"(void){grouped(text)}")
            return
        if isinstance(operand, Pair | Vector | Address | Integer | Real | Negated | Selected):
            self.fail("this kind of operand cannot take the result")
        name = operand.name if isinstance(operand, Register | Special) else ""
        found = self._find(name) if name else None
        if found is not None:
            self._write_register(name, found, text, kind)
            return
        if not isinstance(operand, Placeholder):
            self.fail(f"{name} is not declared in this asm statement")
        target = self._operand(operand)
        have = CONSTRAINTS[self._letter(operand)]
        result = self._fitted(text, kind, have)
        pointer = self.request.around.pointer_type(target.source) if have.bits == 64 else None
        if pointer:
            result = f"({pointer}){grouped(result)}"
        elif self._may_be_pointer(target, have) and self._opcode in _MOVERS:
            self.statement(f"{self.ours('ptx::assign')}({target.text}, {result})")
            return
        self.statement(f"{target.text} = {result}")

    @property
    def _opcode(self) -> str:
        return next((line.opcode for line in self.flat if line.offset == self.at), "")

    def _may_be_pointer(self, target: AsmOperandText, kind: Kind) -> bool:
        """Whether a result of 64 bits goes to something whose type the code does not show."""
        if kind != CONSTRAINTS["l"]:
            return False
        return not self.request.around.is_integer(target.source)

    def statement(self, text: str) -> None:
        """Adds a C++ statement (without semicolon), under the instruction's guard if it has one."""
        scope = self._scopes[-1]
        scope.lines.append(f"if ({self._guard}) {text};" if self._guard else f"{text};")

    def temporary(self, name: str, type_: str, text: str) -> str:
        """A new constant of the given type, visible to the end of the block; returns its name."""
        name = self.fresh(name)
        declared = f"{type_}const {name}" if type_.endswith("*") else f"const {type_} {name}"
        self._scopes[-1].lines.append(f"{declared} = {text};")
        return name

    def variable(self, name: str, type_: str) -> str:
        """A new variable without a value; returns its name."""
        name = self.fresh(name)
        self._scopes[-1].lines.append(f"{type_} {name};")
        return name

    def label(self, name: str) -> str:
        """The C++ label for one of the text; C++ labels are those of the whole function."""
        if self.request.around.in_macro:
            self.fail("a macro with labels can be used once in a function only")
        if name not in self._label_names:
            self._label_names[name] = self.fresh(f"{name}_{self.request.line}")
        return self._label_names[name]

    def fresh(self, name: str) -> str:
        """A name like the given one that nothing here uses yet."""
        name = re.sub(r"\W", "_", name) + self.request.suffix
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def ours(self, name: str) -> str:
        """The qualified name of a function of ours: `ptx::bfe` is `hipify::ptx::bfe`."""
        text = f"hipify::{name}"
        self.uses(f"{text}(")
        return text

    def uses(self, text: str) -> None:
        """Takes note of the headers that an expression's functions come from."""
        found = headers_of(text)
        if WARP_HEADER in found:
            self._speak_of_warps(text)
        self.headers |= found

    def _speak_of_warps(self, text: str) -> None:
        """What the wave policy says to a function for warps of 32 lanes."""
        policy = self.request.wave_policy
        if policy == "report":
            name = text[text.index("hipify::") :].split("(", maxsplit=1)[0]
            self.fail(
                "it speaks of a warp's 32 lanes, which are half a wave on CDNA GPUs",
                f"--wave-policy logical32 makes it {name} of {WARP_HEADER}",
            )
        if policy == "native":
            self.caveat(
                "inline PTX keeps warps of 32 lanes, whatever the width of the wave",
                "write the function in HIP C++ where it is to use whole waves",
                warning=True,
            )

    def caveat(self, message: str, remedy: str, warning: bool = False) -> None:
        """Tells something of the instruction at hand, once a statement."""
        if all(known.message != message for known in self.caveats):
            self.caveats.append(Caveat(message, remedy, self.at, warning))

    def fail(
        self, message: str, remedy: str = "rewrite the asm statement in HIP C++ by hand"
    ) -> NoReturn:
        """Gives the whole statement up."""
        raise UntranslatableError(message, remedy, self.at)

    # --- carry flag ---

    def carry_in(self) -> str:
        """The carry flag that an instruction before has set."""
        if self._carry is None:
            self.fail(
                "it reads a carry flag that an earlier asm statement must have left",
                "put the whole carry chain into one asm statement, or use 64-bit arithmetic",
            )
        return self._carry

    def carry_is_read(self) -> bool:
        """Whether an instruction behind the one at hand takes the carry flag."""
        behind = [line for line in self.flat if line.offset > self.at]
        for line in behind:
            if line.opcode in CARRY_TAKERS:
                return True
            if "cc" in line.modifiers:
                return False
        return False

    def carry_out(self, bits: int) -> str:
        """The variable that takes the carry flag."""
        if self._carry is None:
            self._carry = self.fresh("carry")
            outermost = self._scopes[0].lines
            at = len(outermost) if len(self._scopes) == 1 else 0
            outermost.insert(at, f"{cpp_type(Kind('i', bits, False))} {self._carry};")
            self._carry_bits = bits
        if self._carry_bits != bits:
            self.fail("it mixes carries of 32-bit and of 64-bit arithmetic")
        return self._carry

    # --- scopes and registers ---

    def open(self, guard: str = "") -> None:
        """Starts an inner block."""
        self._scopes.append(Scope())
        self._guard = guard

    def close(self) -> Nested:
        """Ends the inner block and returns its lines."""
        self._guard = ""
        return self._scopes.pop().lines

    def declare(self, line: Declaration) -> None:
        """Takes note of registers; each is declared in C++ where it gets its first value."""
        if line.type not in KINDS:
            self.fail(f"registers of type .{line.type} have no counterpart")
        scope = self._scopes[-1]
        for name in line.names:
            scope.registers[name] = (self.fresh(name), KINDS[line.type])
            scope.pending.add(name)

    @property
    def lines(self) -> Nested:
        """The statements of the innermost block so far."""
        return self._scopes[-1].lines

    def set_guard(self, text: str) -> None:
        """Puts the statements that follow under a condition; an empty one ends that."""
        self._guard = text

    def _find(self, name: str) -> Scope | None:
        return next((s for s in reversed(self._scopes) if name in s.registers), None)

    def _register(self, name: str, scope: Scope) -> tuple[str, Kind]:
        text, kind = scope.registers[name]
        self._declare_ahead(name, scope)
        return text, kind

    def _declare_ahead(self, name: str, scope: Scope) -> None:
        if name in scope.pending:
            scope.pending.discard(name)
            text, kind = scope.registers[name]
            scope.lines.insert(0, f"{cpp_type(kind)} {text};")

    def _write_register(self, name: str, scope: Scope, text: str, kind: Kind) -> None:
        target, have = scope.registers[name]
        result = self._fitted(text, kind, have)
        first = name in scope.pending and scope is self._scopes[-1]
        if first and not self._guard and not self.has_labels:
            scope.pending.discard(name)
            self.statement(f"{cpp_type(have)} {target} = {result}")
            return
        self._declare_ahead(name, scope)
        self.statement(f"{target} = {result}")

    def _fitted(self, text: str, kind: Kind, have: Kind) -> str:
        """`text` of one kind for assignment to a variable of another, where C++ does not do it."""
        if kind.group == have.group and (kind.group != "f" or kind.bits == have.bits):
            return text
        if kind.group == "f" and have.group == "i" and have.bits > kind.bits:
            text, kind = f"__float_as_uint({text})", KINDS["u32"]
            return text
        result = convert(text, kind, have)
        if result is None:
            self.fail(f"a result of {kind.bits} bits does not fit an operand of {have.bits}")
        return result

    # --- asm operands ---

    def _operand(self, operand: Placeholder) -> AsmOperandText:
        return self.request.operand(operand, self.at)

    def _letter(self, operand: Placeholder) -> str:
        return self._operand(operand).letter

    def _placeholder(self, operand: Placeholder) -> tuple[str, Kind]:
        kind = CONSTRAINTS[self._letter(operand)]
        known = self._snapshots.get(operand.number)
        if known is not None:
            return known, kind._replace(signed=False) if kind.group == "i" else kind
        text = self._operand(operand).text
        kind = self.request.around.kind(self._operand(operand).source, kind)
        if kind.bits == 64 and kind.group == "i" and kind.signed is None:
            return cast(text, "unsigned long long"), KINDS["u64"]
        return text, kind

    def _unknown_64(self, operand: Placeholder) -> str:
        """The text of a 64-bit operand whose type, a pointer maybe, is not known; else empty."""
        if self._letter(operand) != "l" or self.is_fixed(operand):
            return ""
        text = self._operand(operand).text
        known = self.request.around.kind(self._operand(operand).source, CONSTRAINTS["l"])
        return text if known.signed is None else ""

    def is_fixed(self, operand: Placeholder) -> bool:
        """Whether the operand's value has been put aside in a variable of ours."""
        return operand.number in self._snapshots

    def _special(self, operand: Special) -> tuple[str, Kind]:
        register = SPECIAL_REGISTERS.get(operand.name)
        if register is None:
            self.fail(f"the register %{operand.name} is not known")
        if register.cpp is None:
            self.fail(register.caveat, register.remedy)
        if register.caveat:
            self.caveat(register.caveat, register.remedy, warning=True)
        return self._of_warp(operand.name, register.cpp), KINDS[register.type]

    def _of_warp(self, name: str, cpp: str) -> str:
        """The expression for a register that depends on the warp's width, by the wave policy."""
        policy = self.request.wave_policy
        if name in ("laneid", "WARP_SZ") and policy == "native":
            return "__lane_id()" if name == "laneid" else "warpSize"
        if name.startswith("lanemask") and policy == "native":
            self.caveat(
                f"%{name} keeps 32 bits, those of the lane's half of a wave",
                "use 64-bit masks in HIP C++ for whole waves",
                warning=True,
            )
        return cpp

    def _snap_shared_inputs(self) -> None:
        """Puts inputs aside whose value an output, or an evaluation before, could change.

        PTX has its inputs in registers of their own before the first instruction runs.
        """
        counts: dict[int, int] = {}
        late: set[int] = set()
        written: list[int] = []
        for line in self.flat:
            reads, writes = uses(line)
            for index in reads:
                counts[index] = counts.get(index, 0) + 1
                if written or self.has_labels:
                    late.add(index)
            written.extend(writes)
        operands, around = self.request.operands, self.request.around
        for index, operand in enumerate(operands):
            if operand.output or operand.letter == "n":
                continue
            shares = index in late and any(
                around.may_share(operands[out].source, operand.source)
                for out in written
                if out < len(operands)
            )
            effect = has_effect(operand.source) or (
                around.in_macro and bool(words_of(operand.source))
            )
            if shares or (effect and counts.get(index, 0) != 1):
                self._snap(index, operand)

    def _snap(self, index: int, operand: AsmOperandText) -> None:
        kind = CONSTRAINTS.get(operand.letter)
        if kind is None:
            return
        text = operand.text
        if kind.bits == 64 and kind.group == "i":
            text = cast(text, "unsigned long long")
        self._snapshots[index] = self.temporary(f"in{index}", cpp_type(kind), text)
