"""Inline PTX: asm statements in NVIDIA's assembly become HIP C++, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hipify.context import Context
from hipify.edits import Edit, copy_to, replace_all
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site
from hipify.source import Span

if TYPE_CHECKING:
    from hipify.ptx.request import Nested, Request
    from hipify.ptx.statement import AsmStatement, Text
    from hipify.ptx.translate import Cpp

_REGISTERS = frozenset("rlfdh")
"""PTX's constraints, all of which are vector registers on AMD GPUs."""
_SPLICE = re.compile(r"\s*\\\r?\n\s*|\s+")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Translates one asm statement if it is PTX; assembly of hosts and of AMD GPUs stays."""
    from hipify.ptx.recognise import Language, language
    from hipify.ptx.statement import asm_statement

    code, _, end = context.lexed.code_around(site.span.start)
    statement = asm_statement(context.data, code, site.span, end, _strings(context))
    if statement is None:
        yield from _unreadable(site, context)
        return
    kind = language(statement)
    if kind is Language.PTX:
        yield from _translated(site, context, statement)
    elif kind is Language.EMPTY:
        yield from _barrier(site, context, statement)
    elif kind is Language.UNKNOWN and context.device_function_at(site.span.start) is not None:
        yield _untranslated(
            statement,
            statement.span.start,
            "device code holds assembly that is no known PTX",
            "rewrite the asm statement in HIP C++ by hand",
        )


def _unreadable(site: Site, context: Context) -> Iterator[Finding]:
    """A statement whose parts the preprocessor chooses, an #if among its operands say."""
    from hipify.ptx.recognise import hopeless_instruction, is_ptx
    from hipify.ptx.statement import opens_statement, text_inside

    code, _, end = context.lexed.code_around(site.span.start)
    if not opens_statement(code, site.span, end):
        return
    text = text_inside(context.data, code, site.span, end)
    on_device = context.device_function_at(site.span.start) is not None
    if not on_device and not (text.value and is_ptx(text.value, pieces_missing=True)):
        return
    hopeless = hopeless_instruction(text.value)
    message, remedy = (
        "the statement cannot be read as it stands",
        "write a whole statement for each branch of the preprocessor",
    )
    if hopeless is not None:
        message, remedy = hopeless[1:]
    yield Finding(RULE.id, Severity.ERROR, site.span, f"inline PTX: {message}", remedy)


def _barrier(site: Site, context: Context, statement: AsmStatement) -> Iterator[Finding]:
    """An empty statement keeps the compiler from moving things; AMD's registers are called "v"."""
    letters = {operand.constraint.strip("=+&% ") for operand in statement.operands}
    if not letters & _REGISTERS:
        return
    if context.device_function_at(site.span.start) is None:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            "an asm statement without instructions names registers in PTX's or x86's way",
            'where this is device code, write "v" for the constraints "r", "l", "h", "f" and "d"',
        )
        return
    edits = []
    for operand in statement.operands:
        letter = operand.constraint.strip("=+&% ")
        if letter in _REGISTERS:
            constraint = operand.constraint.replace(letter, "v").encode()
            edits.append(Edit(operand.quoted.start, operand.quoted.end, b'"' + constraint + b'"'))
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", tuple(edits))


def _translated(site: Site, context: Context, statement: AsmStatement) -> Iterator[Finding]:
    from hipify.ptx.recognise import hopeless_instruction
    from hipify.ptx.translate import UntranslatableError, to_cpp

    hopeless = hopeless_instruction(statement.text.value)
    try:
        if hopeless is not None:
            raise UntranslatableError(hopeless[1], hopeless[2], hopeless[0])
        _refuse_preprocessor(site, context, statement)
        cpp = to_cpp(_request(site, context, statement))
    except UntranslatableError as error:
        at = statement.text.offset(error.offset)
        yield _untranslated(statement, at, error.message, error.remedy)
        return
    context.support_headers |= cpp.headers
    for caveat in cpp.caveats:
        at = statement.text.offset(caveat.offset)
        severity = Severity.WARNING if caveat.warning else Severity.NOTE
        yield Finding(RULE.id, severity, Span(at, at), caveat.message, caveat.remedy)
    edits = tuple(_edits(site, context, statement, cpp))
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", edits)


def _refuse_preprocessor(site: Site, context: Context, statement: AsmStatement) -> None:
    """Raises UntranslatableError for a statement that only the preprocessor completes."""
    from hipify.ptx.translate import UntranslatableError

    inside = context.lexed.directive_at(site.span.start)
    start, end = statement.span
    if any(start < d.start < end for d in context.lexed.directives if d is not inside):
        raise UntranslatableError(
            "the statement holds preprocessor directives",
            "write a whole statement for each branch",
        )
    if statement.macros:
        raise UntranslatableError(
            f"the PTX text is put together by the preprocessor ({', '.join(statement.macros)})",
            "write each variant out, or rewrite the statement in HIP C++ by hand",
        )


def _untranslated(statement: AsmStatement, at: int, message: str, remedy: str) -> Finding:
    end = max(at, statement.span.start)
    return Finding(RULE.id, Severity.ERROR, Span(end, end), f"inline PTX: {message}", remedy)


def _strings(context: Context) -> dict[str, Text]:
    """Macros of the file that are string literals, found once a file."""
    from hipify.ptx.statement import string_macros

    state: dict[str, Any] = context.state.setdefault(RULE.id, {})
    if "strings" not in state:
        defines = [Span(d.start, d.end) for d in context.lexed.directives if d.name == b"define"]
        state["strings"] = string_macros(context.data, context.lexed.macro_code, defines)
    found: dict[str, Text] = state["strings"]
    return found


def _carry_escapes(context: Context) -> bool:
    """Whether an asm statement of the file reads a carry flag that another one has left."""
    from hipify.ptx.carry import takes_foreign_carry
    from hipify.ptx.statement import asm_statement

    state: dict[str, Any] = context.state.setdefault(RULE.id, {})
    if "carry" not in state:
        state["carry"] = False
        for span in context.lexed.identifiers:
            if context.text(span).decode() in RULE.names:
                code, _, end = context.lexed.code_around(span.start)
                found = asm_statement(context.data, code, span, end, {})
                if found is not None and takes_foreign_carry(found.text.value):
                    state["carry"] = True
                    break
    return bool(state["carry"])


def _request(site: Site, context: Context, statement: AsmStatement) -> Request:
    from hipify.ptx.names import Surroundings
    from hipify.ptx.parser import parse
    from hipify.ptx.request import AsmOperandText, Request

    in_macro = context.lexed.directive_at(site.span.start) is not None
    operands = tuple(
        AsmOperandText(
            operand.constraint,
            _expression(
                context, operand.expression, number, in_macro, number < len(statement.outputs)
            ),
            number < len(statement.outputs),
            _source(context, operand.expression),
        )
        for number, operand in enumerate(statement.operands)
    )
    function = None if in_macro else context.device_function_at(site.span.start)
    begin = function.head.start if function else max(0, site.span.start - 4000)
    head = "" if in_macro else context.lexed.code[begin : site.span.start].decode("latin-1")
    names = {o.name: number for number, o in enumerate(statement.operands) if o.name}
    return Request(
        lines=parse(statement.text.value, names),
        operands=operands,
        around=Surroundings(head, in_macro),
        volatile=statement.volatile,
        clobbers_memory="memory" in statement.clobbers,
        in_kernel=function is not None and function.kernel,
        wave_policy=context.options.wave_policy,
        line=context.source.position(site.span.start)[0],
        suffix="_ptx" if in_macro else "",
        carry_escapes=".cc" in statement.text.value and _carry_escapes(context),
    )


def _holds_sites(context: Context, span: Span) -> bool:
    """Whether other rules may have edits inside the span."""
    from bisect import bisect_left

    identifiers = context.lexed.identifiers
    at = bisect_left(identifiers, (span.start,))
    return at < len(identifiers) and identifiers[at].start < span.end


def _source(context: Context, span: Span) -> str:
    """An operand's text as it stands, on one line and without comments."""
    text = context.text(span)
    if b"//" in text or b"/*" in text:
        text = context.lexed.macro_code[span.start : span.end]
    return _SPLICE.sub(" ", text.decode("latin-1")).strip()


def _expression(context: Context, span: Span, number: int, in_macro: bool, is_output: bool) -> str:
    """An operand's text for the C++; a mark for one that other rules may change.

    A macro's argument may be any expression, so it goes in parentheses.
    """
    text = f"\0{number}\0" if _holds_sites(context, span) else _source(context, span)
    if in_macro and not is_output and any(map(str.isalpha, text)) and not _is_enclosed(text):
        return f"({text})"
    return text


def _is_enclosed(text: str) -> bool:
    """Whether one pair of parentheses is around the whole text."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return char == ")" and at == len(text) - 1
    return False


def _edits(site: Site, context: Context, statement: AsmStatement, cpp: Cpp) -> Iterator[Edit]:
    """Replaces the statement; operands that hold sites of other rules move with their edits."""
    start, end = statement.span
    text, block = _text(site, context, statement, cpp)
    if block and statement.terminated >= 0:
        end = statement.terminated
    parts = text.split("\0")
    for before, number in zip(parts[::2], parts[1::2], strict=False):
        expression = statement.operands[int(number)].expression
        yield copy_to(start, expression, before.encode("latin-1"))
    yield replace_all(start, end, parts[-1].encode("latin-1"))


def _text(site: Site, context: Context, statement: AsmStatement, cpp: Cpp) -> tuple[str, bool]:
    """The C++ as it stands in the file, and whether it is a block, which needs no semicolon."""
    lines = cpp.lines
    if not lines:
        return "(void)0", False
    if len(lines) == 1 and isinstance(lines[0], str) and not lines[0].startswith("if ("):
        return lines[0].removesuffix(";"), False
    in_macro = context.lexed.directive_at(site.span.start) is not None
    newline = context.source.newline.decode()
    if in_macro:
        newline = " \\" + newline
    line = context.data[context.source.line_span(site.span.start).start : site.span.start]
    indent = line[: len(line) - len(line.lstrip())].decode("latin-1")
    step = "\t" if "\t" in indent else "    "
    body = newline.join(_indented(lines, indent + step, step))
    if statement.terminated >= 0:
        return f"{{{newline}{body}{newline}{indent}}}", True
    return f"do {{{newline}{body}{newline}{indent}}} while (0)", True


def _indented(lines: Nested, indent: str, step: str) -> Iterator[str]:
    for line in lines:
        if isinstance(line, str):
            yield indent + line
        else:
            yield indent + "{"
            yield from _indented(line, indent + step, step)
            yield indent + "}"


RULE = Rule(
    id="inline-ptx",
    summary="Inline PTX becomes HIP C++, statement by statement; what has no counterpart is an error with its line.",
    visit=visit,
    names=frozenset(("asm", "__asm__", "__asm")),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ unsigned lane() {\n"
            "  unsigned r;\n"
            '  asm("mov.u32 %0, %%laneid;" : "=r"(r));\n'
            "  return r;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            "__device__ unsigned lane() {\n"
            "  unsigned r;\n"
            "  r = __lane_id() & 31;\n"
            "  return r;\n"
            "}\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ void add(unsigned *r, const unsigned *a, const unsigned *b) {\n"
            '  asm("add.cc.u32 %0, %2, %4;\\n\\t"\n'
            '      "addc.u32 %1, %3, %5;"\n'
            '      : "=r"(r[0]), "=r"(r[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));\n'
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            "__device__ void add(unsigned *r, const unsigned *a, const unsigned *b) {\n"
            "  {\n"
            "      const unsigned in3 = a[1];\n"
            "      const unsigned in5 = b[1];\n"
            "      unsigned carry;\n"
            "      r[0] = __builtin_addc(a[0], b[0], 0, &carry);\n"
            "      r[1] = in3 + in5 + carry;\n"
            "  }\n"
            "}\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ int load(const int *p, unsigned bits, unsigned at) {\n"
            "  int v, field;\n"
            '  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");\n'
            '  asm("bfe.u32 %0, %1, %2, 5;" : "=r"(field) : "r"(bits), "r"(at));\n'
            "  return v + field;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/ptx.hpp"\n'
            "__device__ int load(const int *p, unsigned bits, unsigned at) {\n"
            "  int v, field;\n"
            "  v = __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);\n"
            "  field = hipify::ptx::bfe(bits, at, 5u);\n"
            "  return v + field;\n"
            "}\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "#define SHUFFLE(d, v, lane) \\\n"
            '  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(d) : "r"(v), "r"(lane))\n',
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "#define SHUFFLE(d, v, lane) \\\n"
            "  d = hipify::shfl_sync(0xffffffffu, (unsigned)(v), (lane))\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "__global__ void k(float *d, unsigned a) {\n"
            '  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%3};" : "=f"(d[0]) : "r"(a), "r"(a), "f"(1.f));\n'
            "}\n",
            "mma.sync",
        ),
        Diagnosis(
            '__device__ void wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }\n',
            "no asynchronous copy",
        ),
        Diagnosis(
            '__device__ void half_block() { asm volatile("bar.sync 1, 64;"); }\n',
            "part of the block",
        ),
    ),
    keeps=(
        'void f() { asm volatile("" ::: "memory"); }\n',
        'void f() { unsigned a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); }\n',
        '#include <hip/hip_runtime.h>\n__device__ void f() { asm volatile("s_sleep 1"); }\n',
    ),
)
