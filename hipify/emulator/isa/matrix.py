"""Matrix instructions (MFMA of gfx9, WMMA of gfx11 and gfx12) and how their operands lie in registers.

A shape line gives rows M, columns N, depth K and blocks B; the handler computes B products of an
M by K and a K by N matrix plus an M by N matrix.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MatrixShape:
    """`kind` is the type of A and B, `result` that of C and D; sizes count elements."""

    name: str
    m: int
    n: int
    k: int
    blocks: int
    kind: str
    result: str


_MFMA = """
v_mfma_f32_32x32x1_2b_f32    32 32 1 2 f32 f32
v_mfma_f32_16x16x1_4b_f32    16 16 1 4 f32 f32
v_mfma_f32_4x4x1_16b_f32     4 4 1 16 f32 f32
v_mfma_f32_32x32x2_f32       32 32 2 1 f32 f32
v_mfma_f32_16x16x4_f32       16 16 4 1 f32 f32
v_mfma_f32_32x32x4_2b_f16    32 32 4 2 f16 f32
v_mfma_f32_16x16x4_4b_f16    16 16 4 4 f16 f32
v_mfma_f32_4x4x4_16b_f16     4 4 4 16 f16 f32
v_mfma_f32_32x32x8_f16       32 32 8 1 f16 f32
v_mfma_f32_16x16x16_f16      16 16 16 1 f16 f32
v_mfma_f32_16x16x32_f16      16 16 32 1 f16 f32
v_mfma_f32_32x32x16_f16      32 32 16 1 f16 f32
v_mfma_f32_32x32x2_2b_bf16   32 32 2 2 bf16 f32
v_mfma_f32_16x16x2_4b_bf16   16 16 2 4 bf16 f32
v_mfma_f32_4x4x2_16b_bf16    4 4 2 16 bf16 f32
v_mfma_f32_32x32x4_bf16      32 32 4 1 bf16 f32
v_mfma_f32_16x16x8_bf16      16 16 8 1 bf16 f32
v_mfma_f32_32x32x4_2b_bf16   32 32 4 2 bf16 f32
v_mfma_f32_16x16x4_4b_bf16   16 16 4 4 bf16 f32
v_mfma_f32_4x4x4_16b_bf16    4 4 4 16 bf16 f32
v_mfma_f32_32x32x8_bf16      32 32 8 1 bf16 f32
v_mfma_f32_16x16x16_bf16     16 16 16 1 bf16 f32
v_mfma_f32_16x16x32_bf16     16 16 32 1 bf16 f32
v_mfma_f32_32x32x16_bf16     32 32 16 1 bf16 f32
v_mfma_i32_32x32x4_2b_i8     32 32 4 2 i8 i32
v_mfma_i32_16x16x4_4b_i8     16 16 4 4 i8 i32
v_mfma_i32_4x4x4_16b_i8      4 4 4 16 i8 i32
v_mfma_i32_32x32x8_i8        32 32 8 1 i8 i32
v_mfma_i32_16x16x16_i8       16 16 16 1 i8 i32
v_mfma_i32_32x32x16_i8       32 32 16 1 i8 i32
v_mfma_i32_16x16x32_i8       16 16 32 1 i8 i32
v_mfma_i32_16x16x64_i8       16 16 64 1 i8 i32
v_mfma_i32_32x32x32_i8       32 32 32 1 i8 i32
v_mfma_f64_16x16x4_f64       16 16 4 1 f64 f64
v_mfma_f64_4x4x4_4b_f64      4 4 4 4 f64 f64
v_mfma_f32_16x16x32_fp8_fp8  16 16 32 1 fp8_fp8 f32
v_mfma_f32_16x16x32_fp8_bf8  16 16 32 1 fp8_bf8 f32
v_mfma_f32_16x16x32_bf8_fp8  16 16 32 1 bf8_fp8 f32
v_mfma_f32_16x16x32_bf8_bf8  16 16 32 1 bf8_bf8 f32
v_mfma_f32_32x32x16_fp8_fp8  32 32 16 1 fp8_fp8 f32
v_mfma_f32_32x32x16_fp8_bf8  32 32 16 1 fp8_bf8 f32
v_mfma_f32_32x32x16_bf8_fp8  32 32 16 1 bf8_fp8 f32
v_mfma_f32_32x32x16_bf8_bf8  32 32 16 1 bf8_bf8 f32
"""

_WMMA = """
v_wmma_f32_16x16x16_f16   16 16 16 1 f16 f32
v_wmma_f32_16x16x16_bf16  16 16 16 1 bf16 f32
v_wmma_f16_16x16x16_f16   16 16 16 1 f16 f16
v_wmma_bf16_16x16x16_bf16 16 16 16 1 bf16 bf16
v_wmma_i32_16x16x16_iu8   16 16 16 1 iu8 i32
v_wmma_i32_16x16x16_iu4   16 16 16 1 iu4 i32
"""


def _parse(text: str) -> dict[str, MatrixShape]:
    shapes = {}
    for line in text.split("\n"):
        if line:
            name, m, n, k, blocks, kind, result = line.split()
            shapes[name] = MatrixShape(name, int(m), int(n), int(k), int(blocks), kind, result)
    return shapes


MFMA = _parse(_MFMA)
WMMA = _parse(_WMMA)


def names() -> tuple[str, ...]:
    """Canonical names of all matrix instructions."""
    return (*MFMA, *WMMA)
