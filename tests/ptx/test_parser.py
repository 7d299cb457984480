"""PTX text to lines: what is understood, and where errors are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.ptx.model import (
    Address,
    Block,
    Declaration,
    Instruction,
    Integer,
    Label,
    Negated,
    Pair,
    Placeholder,
    Real,
    Register,
    Selected,
    Sink,
    Special,
    Vector,
)
from hipify.ptx.parser import parse
from hipify.ptx.tokens import PtxError, tokens


def _one(text: str) -> Instruction:
    (line,) = parse(text)
    assert isinstance(line, Instruction)
    return line


def test_an_instruction_has_opcode_modifiers_and_operands() -> None:
    line = _one("mad.lo.u32 %0, %1, t, 0x10;")
    assert line.name == "mad.lo.u32"
    assert line.operands == (Placeholder(0), Placeholder(1), Register("t"), Integer(16))
    assert line.guard is None
    assert line.offset == 0


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ("%%laneid", Special("laneid")),
        ("%laneid", Special("laneid")),
        ("%%tid.x", Special("tid.x")),
        ("%%r1", Special("r1")),
        ("WARP_SZ", Register("WARP_SZ")),
        ("-1", Integer(-1)),
        ("~0", Integer(-1)),
        ("(7)", Integer(7)),
        ("0777", Integer(511)),
        ("0b101", Integer(5)),
        ("0xFFU", Integer(255)),
        ("0f3F800000", Real(0x3F800000, 32)),
        ("0d3FF0000000000000", Real(0x3FF0000000000000, 64)),
        ("1.5", Real(0x3FF8000000000000, 64)),
        ("-0f3F800000", Real(0xBF800000, 32)),
        ("[%1]", Address(Placeholder(1), 0)),
        ("[%1+16]", Address(Placeholder(1), 16)),
        ("[%1 + -4]", Address(Placeholder(1), -4)),
        ("[%1-8]", Address(Placeholder(1), -8)),
        ("{%1, %2}", Vector((Placeholder(1), Placeholder(2)))),
        ("{_, a}", Vector((Sink(), Register("a")))),
        ("!p", Negated(Register("p"))),
        ("d|p", Pair(Register("d"), Register("p"))),
        ("%1.b3", Selected(Placeholder(1), "b3")),
        ("a.h1", Selected(Register("a"), "h1")),
    ],
)
def test_operands(text: str, operand: object) -> None:
    assert _one(f"x.u32 {text};").operands == (operand,)


def test_named_operands_get_their_numbers() -> None:
    (line,) = parse("add.u32 %[out], %[in], 1;", {"out": 0, "in": 1})
    assert isinstance(line, Instruction)
    assert line.operands[:2] == (Placeholder(0), Placeholder(1))


def test_guards() -> None:
    assert _one("@p mov.u32 a, b;").guard == Register("p")
    line = _one("@!p mov.u32 a, b;")
    assert line.guard == Negated(Register("p"))
    assert line.opcode == "mov"


def test_blocks_declarations_labels_and_comments() -> None:
    text = "{ // first\n .reg .u32 t<2>, u; /* second */\nAGAIN%=: add.u32 t0, t1, u; }"
    (block,) = parse(text)
    assert isinstance(block, Block)
    assert block.body[0] == Declaration("u32", ("t0", "t1", "u"), text.index(".reg"))
    assert block.body[1] == Label("AGAIN", text.index("AGAIN"))
    assert isinstance(block.body[2], Instruction)


def test_a_last_semicolon_and_white_space_before_modifiers_are_optional() -> None:
    assert _one("add.u32 a, b, c").name == "add.u32"
    assert _one("xor .b32 a, b, c;").name == "xor.b32"
    (block,) = parse("{ add.u32 a, b, c }")
    assert isinstance(block, Block)


def test_modifiers_with_colons() -> None:
    assert _one("ld.shared::cta.L2::128B.u32 a, [b];").modifiers == (
        "shared::cta",
        "L2::128B",
        "u32",
    )


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("add.u32 a, b c;", "';' is expected", "c;"),
        ("add.u32 a, ;", "operand is expected", ";"),
        ("{ add.u32 a, b;", "not closed", ""),
        ("add.u32 a, b; }", "closes nothing", "}"),
        ("add.u32 a, ?;", "no part of PTX", "?"),
        ("add.u32 %[x], 1;", "no operand has the name x", "%[x]"),
        (".shared .u32 s;", "directive .shared", ".shared"),
        ("@ add.u32 a, b;", "instruction is expected", ".u32"),
        ("@7 add.u32 a, b;", "predicate is expected", "7"),
        ("ld.u32 a, [b, {c}];", "coordinates", ", {"),
        (".reg .u32 t<0>;", "number of registers", "0>"),
        ("mov.u32 a, 09;", "no part of PTX", "09"),
    ],
)
def test_errors_say_what_and_where(text: str, words: str, place: str) -> None:
    with pytest.raises(PtxError, match=words) as caught:
        parse(text)
    assert caught.value.offset == (text.index(place) if place else len(text))


@given(st.text(alphabet='abd.%0123x,;{}[]()@!|+-~_: \n/*<>fF"', max_size=60))
def test_no_text_crashes_the_parser(text: str) -> None:
    try:
        parse(text)
    except PtxError as error:
        assert 0 <= error.offset <= len(text)


def test_tokens_keep_their_places() -> None:
    found = tokens("add.u32 %0, 0x1;")
    assert [(token.text, token.offset) for token in found[:3]] == [
        ("add", 0),
        (".u32", 3),
        ("%0", 8),
    ]
