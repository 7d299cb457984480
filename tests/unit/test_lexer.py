"""The lexer finds what matters and passes over what does not, on any bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.lexer import Lexed, lex


class Everything:
    def __contains__(self, name: object) -> bool:
        return True


def _lex(data: bytes) -> Lexed:
    return lex(data, Everything())


def _names(data: bytes) -> list[bytes]:
    return [data[span.start : span.end] for span in _lex(data).identifiers]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"a /* b */ c // d\ne", [b"a", b"c", b"e"]),
        (b"a // b \\\n c\nd", [b"a", b"d"]),
        (b"a // b \\\r\n c\r\nd", [b"a", b"d"]),
        (b'a "b\\"c" d', [b"a", b"d"]),
        (b'a "b \\\n c" d', [b"a", b"d"]),
        (b"a '\"' b '\\'' c", [b"a", b"b", b"c"]),
        (b'a R"x(b " )" c)x" d', [b"a", b"d"]),
        (b'a u8R"(b)" LR"(c)" R"(d)" e', [b"a", b"e"]),
        (b'a L"c" e', [b"a", b"L", b"e"]),
        (b"1'000'000 a 2'0 'b' c", [b"a", b"c"]),
        (b"0xAB'CD a 'b'", [b"xAB", b"CD", b"a"]),
        (b"my_a a1 _b $c", [b"my_a", b"a1", b"_b", b"$c"]),
        (b'"unterminated\na', [b"a"]),
        (b"a /* unterminated b", [b"a"]),
        (b'R"(unterminated a', []),
    ],
)
def test_identifiers_outside_comments_and_literals(data: bytes, names: list[bytes]) -> None:
    assert _names(data) == names


def test_only_wanted_identifiers_are_kept() -> None:
    lexed = lex(b"cudaMalloc my_cudaMalloc cudaMallocs", {b"cudaMalloc"})
    assert lexed.identifiers == [(0, 10)]


def test_directives_know_their_logical_line_and_branch() -> None:
    data = b"#if A\n#define X \\\r\n  y\r\n# else /* c */\n  #include <z>\n#endif\nx # y\n"
    directives = _lex(data).directives
    assert [(d.name, data[d.start : d.end], d.around) for d in directives] == [
        (b"if", b"#if A", ()),
        (b"define", b"#define X \\\r\n  y", ((1, 0),)),
        (b"else", b"# else /* c */", ()),
        (b"include", b"#include <z>", ((1, 1),)),
        (b"endif", b"#endif", ()),
    ]


def test_masked_code_keeps_offsets_and_lines() -> None:
    data = b'\xef\xbb\xbfa /* b\n */ "c\\n" R"(d\n)" \\\n#define X (\ne'
    lexed = _lex(data)
    assert len(lexed.code) == len(lexed.macro_code) == len(data)
    assert lexed.code.count(b"\n") == data.count(b"\n")
    assert b"b" not in lexed.code and b"c" not in lexed.code and b"d" not in lexed.code
    assert b"(" not in lexed.code.split(b"\n")[-2]


@given(st.binary(max_size=200))
def test_random_bytes_never_crash(data: bytes) -> None:
    lexed = _lex(data)
    assert len(lexed.code) == len(data)
    for start, end in lexed.identifiers:
        assert 0 <= start < end <= len(data)


_FRAGMENTS = st.sampled_from(
    [
        "#if",
        "#define X ",
        "\\\n",
        "\n",
        '"',
        "'",
        'R"(',
        ')"',
        "/*",
        "*/",
        "//",
        "<<<",
        ">>>",
        "(",
        ")",
        "k",
        ",",
    ]
)


@given(st.lists(_FRAGMENTS, max_size=30))
def test_fragments_of_code_never_crash(parts: list[str]) -> None:
    data = "".join(parts).encode()
    lexed = _lex(data)
    assert len(lexed.code) == len(data)
    assert lexed.directives is not None
