"""What the text of a mask tells about its value and width."""

from __future__ import annotations

import pytest

from hipify.pipeline import translate_bytes
from hipify.waves.masks import mask_value

FULL32, FULL64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0xffffffff", (FULL32, False)),
        ("0xFFFFFFFFu", (FULL32, False)),
        ("(0xffff'ffff)", (FULL32, False)),
        ("-1", (FULL32, False)),
        ("~0", (FULL32, False)),
        ("~0u", (FULL32, False)),
        ("4294967295", (FULL32, False)),
        ("0x0000FFFF", (0xFFFF, False)),
        ("(unsigned)-1", (FULL32, False)),
        ("uint32_t(-1)", (FULL32, False)),
        ("static_cast<unsigned>(~0)", (FULL32, False)),
        ("0xffffffffffffffff", (FULL64, True)),
        ("0xFFFFFFFFFFFFFFFFULL", (FULL64, True)),
        ("~0ull", (FULL64, True)),
        ("-1LL", (FULL64, True)),
        ("(unsigned long long)-1", (FULL64, True)),
        ("uint64_t(~0)", (FULL64, True)),
        ("mask", None),
        ("1u << lane", None),
        ("f(3)", None),
    ],
)
def test_constants(text: str, expected: tuple[int, bool] | None) -> None:
    assert mask_value(text.encode()) == expected


@pytest.mark.parametrize(
    ("declaration", "mask", "is_cudas"),
    [
        ("", "0xffffffff", True),
        ("", "1u << 3", True),
        ("", "(1 << v) - 1", True),
        ("", "1ull << v", False),
        ("#define FULL 0xffffffff\n", "FULL", True),
        ("#define FULL 0xffffffffffffffffull\n", "FULL", False),
        ("const unsigned int m = f();\n", "m", True),
        ("uint32_t m = f();\n", "m", True),
        ("unsigned long long m = f();\n", "m", False),
        ("uint64_t m = f();\n", "m", False),
        ("long int m = f();\n", "m", False),
        ("auto m = f();\n", "m", False),
    ],
)
def test_in_a_hip_file_only_what_cannot_be_hip_is_cudas(
    declaration: str, mask: str, is_cudas: bool
) -> None:
    code = (
        f"#include <hip/hip_runtime.h>\n{declaration}"
        f"__device__ int f(int v) {{ return __shfl_sync({mask}, v, 0); }}\n"
    ).encode()
    assert (b"hipify::shfl_sync" in translate_bytes(code, path="a.hip").data) == is_cudas
