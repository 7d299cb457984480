"""Decoding of assembly text, where a slip would give a wrong answer rather than an error."""

from __future__ import annotations

import pytest

from hipify.emulator.code_object import Target
from hipify.emulator.decode import Decoder
from hipify.emulator.disassembly import instructions
from hipify.emulator.errors import EmulatorError


def decode(text: str, target: str = "gfx90a", words: str = "00000000") -> list[str]:
    """Listing lines of one instruction."""
    (first, *second) = instructions(f"\t{text}// 000000001000: {words}\n")
    lanes = 64 if target.startswith("gfx9") else 32
    decoder = Decoder(Target(target), lanes, accumulators=100, spare=200)
    lines = decoder.decode_dual(first, second[0]) if second else decoder.decode(first)
    return [
        " ".join((line.handler, *line.operands, *(f"{k}={v}" for k, v in line.attributes.items())))
        for line in lines
    ]


@pytest.mark.parametrize(
    ("target", "text", "line"),
    [
        ("gfx90a", "v_add_u32_e32 v1, s2, v3", "v_add_nc_u32 v1 s2.1 v3.1"),
        ("gfx90a", "v_add_f32_e64 v1, -v2, |v3|", "v_add_f32 v1 v2.1^80000000 v3.1&7fffffff"),
        ("gfx90a", "v_add_f32_e64 v1, -|v2|, 1.0", "v_add_f32 v1 v2.1&7fffffff^80000000 #3f800000.1"),
        ("gfx90a", "v_mul_f64 v[0:1], v[2:3], 0.5", "v_mul_f64 v0 v2.2 #3fe0000000000000.2"),
        ("gfx90a", "v_mul_f64 v[0:1], v[2:3], 0x40590000",
         "v_mul_f64 v0 v2.2 #4059000000000000.2"),
        ("gfx90a", "v_add_f16_e32 v1, 1.0, v2", "v_add_f16 v1 #3c00.1 v2.1"),
        ("gfx1030", "v_add_f16_e32 v1, 1.0, v2", "v_add_f16 v1 #3c00.1 v2.1 keep=ffff0000"),
        ("gfx90a", "v_mad_u16 v1, v2, v3, v4", "v_mad_u16 v1 v2.1 v3.1 v4.1 keep=ffff0000"),
        ("gfx90a", "v_mad_legacy_u16 v1, v2, v3, v4", "v_mad_u16 v1 v2.1 v3.1 v4.1"),
        ("gfx1030", "v_add_nc_u16 v1, v2, v3 op_sel:[1,0,1]",
         "v_add_nc_u16 v1 v2.1>16 v3.1 shift=16 keep=ffff"),
        ("gfx90a", "v_fmac_f32_e32 v1, v2, v3", "v_fmac_f32 v1 v2.1 v3.1 v1.1"),
        ("gfx90a", "v_accvgpr_read_b32 v1, a2", "v_mov_b32 v1 v102.1"),
        ("gfx90a", "v_cndmask_b32_e32 v1, v2, v3, vcc", "v_cndmask_b32 v1 v2.1 v3.1 s106.2"),
        ("gfx1100", "v_cmpx_gt_u32_e64 s3, v0", "v_cmp_gt_u32 - s3.1 v0.1 imm=1"),
        ("gfx90a", "v_cmpx_gt_u32_e64 s[4:5], s3, v0", "v_cmp_gt_u32 s4 s3.1 v0.1 imm=1"),
        ("gfx90a", "v_add_f32_e64 v1, v2, v3 clamp mul:2",
         "v_add_f32 v1 v2.1 v3.1 result=32 omod=1 clamp=1"),
        ("gfx90a", "v_add_u32_e64 v1, v2, v3 clamp", "v_add_nc_u32_clamp v1 v2.1 v3.1"),
        ("gfx90a", "v_pk_add_f16 v1, v2, v3 op_sel_hi:[0,1] neg_lo:[1,0]",
         "v_pk_add_f16 v1 v2.1 v3.1 sel=24"),
        ("gfx90a", "global_load_dword v1, v2, s[4:5] offset:-8", "global_load_b32 v1 v2.1 - s4.2 imm=-8"),
        ("gfx90a", "global_atomic_add v1, v[2:3], v4, off glc",
         "global_atomic_add_u32 v1 v2.2 v4.1 - imm=0 returns=1"),
        ("gfx90a", "global_atomic_add v[2:3], v4, off", "global_atomic_add_u32 - v2.2 v4.1 - imm=0"),
        ("gfx90a", "ds_cmpst_rtn_b32 v0, v1, v2, v3",
         "ds_atomic_cmpswap_b32 v0 v1.1 v3.1 v2.1 imm=0 returns=1"),
        ("gfx1100", "ds_cmpstore_rtn_b32 v0, v1, v2, v3",
         "ds_atomic_cmpswap_b32 v0 v1.1 v2.1 v3.1 imm=0 returns=1"),
        ("gfx90a", "ds_read2st64_b32 v[0:1], v2 offset0:1 offset1:3",
         "ds_load_2addr_stride64_b32 v0 v2.1 - imm=1 imm2=3 returns=1"),
        ("gfx90a", "s_load_dwordx2 s[0:1], s[4:5], 0x10", "s_load_b64 s0 s4.2 - imm=16"),
        ("gfx1100", "s_load_b64 s[0:1], s[4:5], s6 offset:0x8", "s_load_b64 s0 s4.2 s6.1 imm=8"),
        ("gfx90a", "s_addk_i32 s0, 0xff80", "s_addk_i32 s0 s0.1 #ff80.1"),
        ("gfx90a", "s_waitcnt vmcnt(0) lgkmcnt(0)", "s_nop"),
    ],
)  # fmt: skip
def test_line(target: str, text: str, line: str) -> None:
    assert decode(text, target) == [line]


def test_branch_target_comes_from_the_encoding() -> None:
    assert decode("s_cbranch_scc1 65534", words="BF85FFFE") == ["s_cbranch_scc1 to=ffc imm2=4"]


def test_dual_halves_read_before_they_write() -> None:
    swapped = decode("v_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v3, v1", "gfx1100")
    assert swapped == ["v_mov_b32 v3 v1.1", "v_mov_b32 v1 v2.1"]
    exchanged = decode("v_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1", "gfx1100")
    assert exchanged == ["v_mov_b32 v200 v2.1", "v_mov_b32 v2 v1.1", "v_mov_b32 v1 v200.1"]


@pytest.mark.parametrize(
    "text",
    ["v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", "image_load v0, v1, s[0:7]",
     "buffer_load_dword v1, s[0:3], 0 offen lds", "v_cvt_pk_u16_u32 v0, v1, v2 clamp"],
)  # fmt: skip
def test_what_is_not_known_is_an_error(text: str) -> None:
    with pytest.raises(EmulatorError):
        decode(text)
