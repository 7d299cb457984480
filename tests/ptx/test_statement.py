"""The C++ side of an asm statement: qualifiers, joined strings, operands, macros."""

from __future__ import annotations

import pytest

from hipify.lexer import lex
from hipify.ptx.recognise import Language, hopeless_instruction, language
from hipify.ptx.statement import AsmStatement, asm_statement, string_macros
from hipify.source import Span


def _statement(text: str, strings: bool = False) -> AsmStatement | None:
    data = text.encode()
    lexed = lex(data, {b"asm", b"__asm__", b"__asm"})
    span = lexed.identifiers[0]
    code, _, end = lexed.code_around(span.start)
    known = {}
    if strings:
        defines = [Span(d.start, d.end) for d in lexed.directives if d.name == b"define"]
        known = string_macros(data, lexed.macro_code, defines)
    return asm_statement(data, code, span, end, known)


def _parsed(text: str) -> AsmStatement:
    statement = _statement(text)
    assert statement is not None
    return statement


def test_all_parts() -> None:
    text = 'asm volatile ("add.u32 %0, %1, 1;\\n\\t" "x;" : "=r"(a[0]), [y] "+l" (*p) : "n"(f(1, 2)) : "memory", "cc");'
    found = _parsed(text)
    assert found.volatile
    assert found.text.value == "add.u32 %0, %1, 1;\n\tx;"
    assert [
        (o.constraint, text[o.expression.start : o.expression.end], o.name) for o in found.operands
    ] == [
        ("=r", "a[0]", ""),
        ("+l", "*p", "y"),
        ("n", "f(1, 2)", ""),
    ]
    assert found.clobbers == ("memory", "cc")
    assert text[found.span.end - 1] == ")"
    assert found.terminated == len(text)


@pytest.mark.parametrize(
    "keyword", ["asm", "__asm__", "__asm", "asm volatile", "__asm__ __volatile__"]
)
def test_every_spelling_of_the_keyword(keyword: str) -> None:
    assert _parsed(f'{keyword}("trap;");').text.value == "trap;"


def test_escapes_keep_their_places_in_the_file() -> None:
    text = 'asm("a\\n\\x41\\101\\"b" R"x(\\n)x");'
    found = _parsed(text)
    assert found.text.value == 'a\nAA"b\\n'
    assert text[found.text.offset(0)] == "a"
    assert text[found.text.offset(5)] == "b"
    assert text[found.text.offset(6) : found.text.offset(6) + 2] == "\\n"


def test_double_colons_are_two_empty_sections() -> None:
    found = _parsed('asm volatile("bar.sync 0;" ::: "memory");')
    assert (found.outputs, found.inputs, found.clobbers) == ((), (), ("memory",))
    found = _parsed('asm("st.u32 [%0], %1;" :: "l"(ns::p), "r"(a ? b : c));')
    assert [o.constraint for o in found.inputs] == ["l", "r"]


def test_missing_commas_between_operands_are_taken() -> None:
    assert len(_parsed('asm("x;" :: "r"(a) "l"(b));').inputs) == 2


def test_macros_in_the_text_are_named() -> None:
    assert _parsed('asm("ld." MOD ".u32 %0, [%1];" : "=r"(a) : "l"(p));').macros == ("MOD",)
    found = _parsed('#define LD(m) asm("ld." #m ".u32 %0, [%1];" : "=r"(a) : "l"(p))\n')
    assert "m" in found.macros


def test_macros_that_are_string_literals_are_put_in() -> None:
    found = _statement(
        '#define MOD "cg"\n#define PTR "l"\nvoid f() { asm("ld." MOD ".u32 %0, [%1];" : "=r"(a) : PTR(p)); }',
        True,
    )
    assert found is not None
    assert found.text.value == "ld.cg.u32 %0, [%1];"
    assert found.inputs[0].constraint == "l"
    assert not found.macros


def test_macros_that_change_are_not_put_in() -> None:
    found = _statement(
        '#define MOD "cg"\n#undef MOD\n#define MOD "ca"\nvoid f() { asm("ld." MOD " x;"); }', True
    )
    assert found is not None
    assert found.macros == ("MOD",)


def test_a_statement_in_a_macro_over_several_lines() -> None:
    text = '#define A(x) asm("add.u32 %0, %0, 1;" \\\r\n  : "+r"(x) \\\r\n  )\r\nint y;\r\n'
    found = _parsed(text)
    assert found.outputs[0].constraint == "+r"
    assert found.terminated == -1


@pytest.mark.parametrize("text", ["__asm { mov eax, 1 }", "asm", "asm(x", "asm()"])
def test_other_uses_of_the_word_are_no_statements(text: str) -> None:
    assert _statement(text + "\n") is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(a))', Language.PTX),
        ('asm("{.reg .pred p;}")', Language.PTX),
        ('asm("trap;")', Language.PTX),
        ('asm("bar.sync 0;")', Language.PTX),
        ('asm("ctv.rn.f64.f32 %0, %1;" : "=d"(a) : "f"(b))', Language.PTX),
        ('asm("@p bra L; add.s32 a, b, c;")', Language.PTX),
        ('asm("ld." MOD ".u32 %0, [%1];" : "=r"(a) : "l"(p))', Language.PTX),
        ('asm volatile("" ::: "memory")', Language.EMPTY),
        ('asm volatile("  // nothing\\n" : "+r"(x))', Language.EMPTY),
        ('asm volatile("rdtsc" : "=a"(a), "=d"(d))', Language.FOREIGN),
        ('asm("mov %0, %1" : "=r"(a) : "m"(b))', Language.FOREIGN),
        ('asm volatile("pause")', Language.FOREIGN),
        ('asm("v_add_f32 %0, %1, %2" : "=v"(a) : "v"(b), "v"(c))', Language.FOREIGN),
        ('asm volatile("s_waitcnt vmcnt(0)")', Language.FOREIGN),
        ('asm("cpuid; mov %0, eax")', Language.FOREIGN),
        ('asm("ldr %0, [%1]" : "=r"(a) : "r"(b))', Language.UNKNOWN),
        ('asm("mftb %0" : "=r"(a))', Language.UNKNOWN),
    ],
)
def test_whose_assembly_it_is(text: str, kind: Language) -> None:
    assert language(_parsed(text + ";")) is kind


def test_the_first_hopeless_instruction_is_found_outside_comments() -> None:
    found = hopeless_instruction("// cp.async.x\nadd.u32 a, b, c; mma.sync.aligned.m8n8k4 {a}, b;")
    assert found is not None
    offset, message, remedy = found
    assert offset == 31
    assert message.startswith("mma.sync.aligned.m8n8k4")
    assert "rocWMMA" in remedy
