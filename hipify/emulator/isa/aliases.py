"""Other generations' mnemonics for the operations of the tables.

An instruction is renamed only where the two do exactly the same; where operands change places or a
result is kept differently, the decoder handles it by name.
"""

from __future__ import annotations

import functools
import re

_EXACT = {
    "v_add_u32": "v_add_nc_u32", "v_sub_u32": "v_sub_nc_u32", "v_subrev_u32": "v_subrev_nc_u32",
    "v_add_i32": "v_add_nc_i32", "v_sub_i32": "v_sub_nc_i32",
    "v_add_u16": "v_add_nc_u16", "v_sub_u16": "v_sub_nc_u16", "v_subrev_u16": "v_subrev_nc_u16",
    "v_add_i16": "v_add_nc_i16", "v_sub_i16": "v_sub_nc_i16",
    "v_addc_co_u32": "v_add_co_ci_u32", "v_subb_co_u32": "v_sub_co_ci_u32",
    "v_subbrev_co_u32": "v_subrev_co_ci_u32",
    "v_ffbh_u32": "v_clz_i32_u32", "v_ffbl_b32": "v_ctz_i32_b32", "v_ffbh_i32": "v_cls_i32",
    "v_cvt_rpi_i32_f32": "v_cvt_nearest_i32_f32", "v_cvt_flr_i32_f32": "v_cvt_floor_i32_f32",
    "v_cvt_pkrtz_f16_f32": "v_cvt_pk_rtz_f16_f32", "v_cvt_pk_rtz_f16_f32": "v_cvt_pk_rtz_f16_f32",
    "v_cvt_pknorm_i16_f32": "v_cvt_pk_norm_i16_f32",
    "v_cvt_pknorm_u16_f32": "v_cvt_pk_norm_u16_f32",
    "v_cvt_pknorm_i16_f16": "v_cvt_pk_norm_i16_f16",
    "v_cvt_pknorm_u16_f16": "v_cvt_pk_norm_u16_f16",
    "v_mul_legacy_f32": "v_mul_dx9_zero_f32", "v_fma_legacy_f32": "v_fma_dx9_zero_f32",
    "v_fmac_legacy_f32": "v_fmac_dx9_zero_f32",
    "v_mad_legacy_u16": "v_mad_u16", "v_mad_legacy_i16": "v_mad_i16",
    "v_mad_legacy_f16": "v_mad_f16", "v_fma_legacy_f16": "v_fma_f16",
    "v_div_fixup_legacy_f16": "v_div_fixup_f16",
    "v_mul_lo_i32": "v_mul_lo_u32",
    "v_mad_u64_u32": "v_mad_u64_u32", "v_mad_co_u64_u32": "v_mad_u64_u32",
    "v_mad_co_i64_i32": "v_mad_i64_i32",
    "v_madak_f32": "v_mad_f32", "v_madmk_f32": "v_mad_f32",
    "v_accvgpr_read_b32": "v_mov_b32", "v_accvgpr_write_b32": "v_mov_b32",
    "v_accvgpr_mov_b32": "v_mov_b32", "v_accvgpr_read": "v_mov_b32", "v_accvgpr_write": "v_mov_b32",
    "v_accvgpr_mov": "v_mov_b32",
    "v_dot2acc_f32_f16": "v_dot2c_f32_f16", "v_dot2acc_f32_bf16": "v_dot2c_f32_bf16",
    "v_fma_mix_f32_f16": "v_fma_mix_f32",
    "v_cvt_f32_bf16": "v_cvt_f32_bf16",
    "s_andn2_b32": "s_and_not1_b32", "s_andn2_b64": "s_and_not1_b64",
    "s_orn2_b32": "s_or_not1_b32", "s_orn2_b64": "s_or_not1_b64",
    "s_ff1_i32_b32": "s_ctz_i32_b32", "s_ff1_i32_b64": "s_ctz_i32_b64",
    "s_flbit_i32_b32": "s_clz_i32_u32", "s_flbit_i32_b64": "s_clz_i32_u64",
    "s_flbit_i32": "s_cls_i32", "s_flbit_i32_i64": "s_cls_i32_i64",
    "s_add_co_u32": "s_add_u32", "s_sub_co_u32": "s_sub_u32",
    "s_add_co_i32": "s_add_i32", "s_sub_co_i32": "s_sub_i32",
    "s_add_co_ci_u32": "s_addc_u32", "s_sub_co_ci_u32": "s_subb_u32",
    "s_add_nc_u64": "s_add_u64", "s_sub_nc_u64": "s_sub_u64", "s_addk_co_i32": "s_addk_i32",
    "s_mul_hi_u32": "s_mul_hi_u32",
    "s_setreg_imm32_b32": "s_setreg_b32",
    "s_load_dword": "s_load_b32", "s_store_dword": "s_store_b32",
    "s_buffer_load_dword": "s_buffer_load_b32",
    "s_barrier_leave": "s_nop",
    "ds_write_b8_d16_hi": "ds_store_b8_d16_hi", "ds_write_b16_d16_hi": "ds_store_b16_d16_hi",
    "ds_wrxchg2_rtn_b32": "ds_storexchg_2addr_rtn_b32",
    "ds_wrxchg2_rtn_b64": "ds_storexchg_2addr_rtn_b64",
    "ds_wrxchg2st64_rtn_b32": "ds_storexchg_2addr_stride64_rtn_b32",
    "ds_wrxchg2st64_rtn_b64": "ds_storexchg_2addr_stride64_rtn_b64",
}  # fmt: skip

_SCALAR_EXEC = {"andn1": "and_not0", "andn2": "and_not1", "orn1": "or_not0", "orn2": "or_not1"}
_SIZE = {"": "b32", "x2": "b64", "x3": "b96", "x4": "b128", "x8": "b256", "x16": "b512"}
_MEMORY_KIND = {
    "ubyte": "u8", "sbyte": "i8", "ushort": "u16", "sshort": "i16", "byte": "b8", "short": "b16",
}  # fmt: skip
_ATOMIC = {
    "swap": "swap_b", "cmpswap": "cmpswap_b", "add": "add_u", "sub": "sub_u", "smin": "min_i",
    "umin": "min_u", "smax": "max_i", "umax": "max_u", "and": "and_b", "or": "or_b", "xor": "xor_b",
    "inc": "inc_u", "dec": "dec_u", "fmin": "min_f", "fmax": "max_f", "fcmpswap": "cmpswap_f",
    "csub": "sub_clamp_u",
}  # fmt: skip
_DS_ATOMIC = re.compile(
    r"ds_(add|sub|rsub|inc|dec|min|max|and|or|xor|min_num|max_num|storexchg|wrxchg|cmpstore|cmpst|"
    r"pk_add|sub_clamp|cond_sub)(_rtn)?_([uifb]\d+|bf16)"
)
_FLAT = re.compile(r"(global|flat|scratch|buffer)_(load|store)_(.*)")
_FLAT_ATOMIC = re.compile(r"(global|flat|buffer)_atomic_(.*)")


def _flat_kind(kind: str) -> str:
    if match := re.fullmatch(r"dword(x\d+)?", kind):
        return _SIZE[match[1] or ""]
    if match := re.fullmatch(r"(ubyte|sbyte|short|byte)_d16(_hi)?", kind):
        narrow = _MEMORY_KIND[match[1]]
        return f"d16{match[2] or ''}_{narrow}"
    return _MEMORY_KIND.get(kind, kind)


def _atomic_kind(kind: str) -> str:
    base, bits = (kind[:-3], "64") if kind.endswith("_x2") else (kind, "32")
    if base in _ATOMIC:
        return _ATOMIC[base] + bits
    return kind.replace("min_num", "min").replace("max_num", "max")


def _shared(name: str) -> str:
    name = name.replace("ds_read", "ds_load").replace("ds_write", "ds_store")
    name = re.sub(r"(load|store)2st64_", r"\1_2addr_stride64_", name)
    name = re.sub(r"(load|store)2_", r"\1_2addr_", name)
    if match := _DS_ATOMIC.fullmatch(name):
        op = {"storexchg": "swap", "wrxchg": "swap", "cmpst": "cmpswap", "cmpstore": "cmpswap",
              "min_num": "min", "max_num": "max"}.get(match[1], match[1])  # fmt: skip
        return f"ds_atomic_{op}_{match[3]}"
    return name


def _vector(name: str) -> str:
    name = re.sub(r"_(max|min|maxmin|minmax|max3|min3|med3)_num_f", r"_\1_f", name)
    return name


@functools.cache
def canonical(mnemonic: str) -> str:
    """The table's name of a mnemonic that has lost its encoding suffix (``_e32``, ``_dpp``, …)."""
    if mnemonic in _EXACT:
        return _EXACT[mnemonic]
    if match := re.fullmatch(r"s_(andn1|andn2|orn1|orn2)_(saveexec|wrexec)_(b\d+)", mnemonic):
        return f"s_{_SCALAR_EXEC[match[1]]}_{match[2]}_{match[3]}"
    if match := re.fullmatch(r"s_(buffer_load|load|store)_dword(x\d+)", mnemonic):
        return f"s_{match[1]}_{_SIZE[match[2]]}"
    if match := _FLAT.fullmatch(mnemonic):
        return f"{match[1]}_{match[2]}_{_flat_kind(match[3])}"
    if match := _FLAT_ATOMIC.fullmatch(mnemonic):
        return f"{match[1]}_atomic_{_atomic_kind(match[2])}"
    if mnemonic.startswith("ds_"):
        return _shared(mnemonic)
    return _vector(mnemonic) if mnemonic.startswith("v_") else mnemonic
