"""Conditions about NVIDIA's macros, as AMD's preprocessor sees them."""

from __future__ import annotations

import pytest

from hipify.conditions import dead_branches, on_amd
from hipify.lexer import lex


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("__CUDA_ARCH__ >= 700", False),
        ("__CUDA_ARCH__ < 600", True),
        ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600", True),
        ("defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)", False),
        ("defined __CUDA_ARCH__", False),
        ("CUDART_VERSION >= 11000 && MINE", False),
        ("MINE && CUDART_VERSION < 11000", None),
        ("MINE || CUDART_VERSION < 11000", True),
        ("(__CUDACC_VER_MAJOR__ * 10000 + __CUDACC_VER_MINOR__ * 100 < 120200)", True),
        ("CUDA_VERSION / 1000 == 0x0B", False),
        ("CUDA_VERSION == 010 - 8", True),
        ("MINE > 3", None),
        ("defined(MINE)", None),
        ("1 ? 0 : MINE", False),
        ("~0U == -1 && !0", True),
        ("__has_include(<x.h>)", None),
        ("VERSION(1, 2) > CUDA_VERSION", None),
        ("1 / CUDA_VERSION", None),
        ("(1", None),
        ("", None),
    ],
)
def test_what_amd_makes_of_it(condition: str, holds: bool | None) -> None:
    assert on_amd(condition.encode()) is holds


def test_branches_that_amd_never_compiles() -> None:
    text = (
        b"#if __CUDA_ARCH__ >= 700\n#elif MINE\n#else\n#endif\n"
        b"#if CUDA_VERSION < 12000\n#else\n#endif\n"
        b"#ifdef __CUDA_ARCH__\n#endif\n#ifndef CUDART_VERSION\n#else\n#endif\n"
        b"#if !defined(__CUDA_ARCH__) && 1\n#else\n#endif\n"
        b"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n#endif\n"
    )
    assert dead_branches(lex(text, frozenset())) == {(1, 0), (2, 1), (4, 1), (6, 0)}
