"""Scalar instructions: one line each, ``name  result = sources : expression`` in C++.

``nz`` before the result sets SCC when the result is not zero; an expression may set ``scc`` itself.
`+d` among the sources is the destination's old value. Result ``-``
writes no register: the expression is the new SCC.
"""

# ruff: noqa: E501 -- a table with one instruction a line

ARITHMETIC = """
s_add_u32      u32 = u32 u32   : const u32 r = a + b; scc = r < a; return r
s_sub_u32      u32 = u32 u32   : scc = a < b; return a - b
s_add_i32      u32 = u32 u32   : const u32 r = a + b; scc = (~(a ^ b) & (a ^ r)) >> 31; return r
s_sub_i32      u32 = u32 u32   : const u32 r = a - b; scc = ((a ^ b) & (a ^ r)) >> 31; return r
s_addc_u32     u32 = u32 u32   : const u64 t = u64(a) + b + scc; scc = u32(t >> 32); return u32(t)
s_subb_u32     u32 = u32 u32   : const u64 t = u64(a) - b - scc; scc = u32(t >> 32) & 1; return u32(t)
s_add_u64      u64 = u64 u64   : a + b
s_sub_u64      u64 = u64 u64   : a - b
s_mul_u64      u64 = u64 u64   : a * b
s_addk_i32     u32 = +d i16    : const u32 k = u32(i32(b)), r = a + k; scc = (~(a ^ k) & (a ^ r)) >> 31; return r
s_mulk_i32     u32 = +d i16    : a * u32(i32(b))
s_mul_i32      u32 = u32 u32   : a * b
s_mul_hi_u32   u32 = u32 u32   : u32(u64(a) * b >> 32)
s_mul_hi_i32   i32 = i32 i32   : i32(i64(a) * b >> 32)
s_min_i32      i32 = i32 i32   : scc = a < b; return a < b ? a : b
s_max_i32      i32 = i32 i32   : scc = a >= b; return a > b ? a : b
s_min_u32      u32 = u32 u32   : scc = a < b; return a < b ? a : b
s_max_u32      u32 = u32 u32   : scc = a >= b; return a > b ? a : b
s_absdiff_i32  nz u32 = u32 u32 : const i32 d = i32(a - b); return u32(d < 0 ? -u32(d) : u32(d))
s_abs_i32      nz u32 = i32     : a < 0 ? -u32(a) : u32(a)
s_lshl1_add_u32 u32 = u32 u32  : const u64 t = (u64(a) << 1) + b; scc = t >> 32 != 0; return u32(t)
s_lshl2_add_u32 u32 = u32 u32  : const u64 t = (u64(a) << 2) + b; scc = t >> 32 != 0; return u32(t)
s_lshl3_add_u32 u32 = u32 u32  : const u64 t = (u64(a) << 3) + b; scc = t >> 32 != 0; return u32(t)
s_lshl4_add_u32 u32 = u32 u32  : const u64 t = (u64(a) << 4) + b; scc = t >> 32 != 0; return u32(t)
"""

LOGIC = """
s_mov_b32      u32 = u32       : a
s_mov_b64      u64 = u64       : a
s_movk_i32     u32 = i16       : u32(i32(a))
s_cmov_b32     u32 = u32 +d    : scc ? a : b
s_cmov_b64     u64 = u64 +d    : scc ? a : b
s_cmovk_i32    u32 = +d i16    : scc ? u32(i32(b)) : a
s_cselect_b32  u32 = u32 u32   : scc ? a : b
s_cselect_b64  u64 = u64 u64   : scc ? a : b
s_not_b32      nz u32 = u32    : ~a
s_not_b64      nz u64 = u64    : ~a
s_and_b32      nz u32 = u32 u32 : a & b
s_and_b64      nz u64 = u64 u64 : a & b
s_or_b32       nz u32 = u32 u32 : a | b
s_or_b64       nz u64 = u64 u64 : a | b
s_xor_b32      nz u32 = u32 u32 : a ^ b
s_xor_b64      nz u64 = u64 u64 : a ^ b
s_and_not1_b32 nz u32 = u32 u32 : a & ~b
s_and_not1_b64 nz u64 = u64 u64 : a & ~b
s_or_not1_b32  nz u32 = u32 u32 : a | ~b
s_or_not1_b64  nz u64 = u64 u64 : a | ~b
s_nand_b32     nz u32 = u32 u32 : ~(a & b)
s_nand_b64     nz u64 = u64 u64 : ~(a & b)
s_nor_b32      nz u32 = u32 u32 : ~(a | b)
s_nor_b64      nz u64 = u64 u64 : ~(a | b)
s_xnor_b32     nz u32 = u32 u32 : ~(a ^ b)
s_xnor_b64     nz u64 = u64 u64 : ~(a ^ b)
s_lshl_b32     nz u32 = u32 u32 : a << (b & 31)
s_lshl_b64     nz u64 = u64 u32 : a << (b & 63)
s_lshr_b32     nz u32 = u32 u32 : a >> (b & 31)
s_lshr_b64     nz u64 = u64 u32 : a >> (b & 63)
s_ashr_i32     nz i32 = i32 u32 : a >> (b & 31)
s_ashr_i64     nz i64 = i64 u32 : a >> (b & 63)
s_bfm_b32      u32 = u32 u32   : ((1u << (a & 31)) - 1) << (b & 31)
s_bfm_b64      u64 = u32 u32   : ((u64(1) << (a & 63)) - 1) << (b & 63)
s_bfe_u32      nz u32 = u32 u32 : const u32 n = b >> 16 & 127, x = a >> (b & 31); return n >= 32 ? x : x & ((1u << n) - 1)
s_bfe_i32      nz i32 = i32 u32 : const u32 n = b >> 16 & 127; const i32 x = a >> (b & 31); return n == 0 ? 0 : n >= 32 ? x : i32(u32(x) << (32 - n)) >> (32 - n)
s_bfe_u64      nz u64 = u64 u32 : const u32 n = b >> 16 & 127; const u64 x = a >> (b & 63); return n >= 64 ? x : x & ((u64(1) << n) - 1)
s_bfe_i64      nz i64 = i64 u32 : const u32 n = b >> 16 & 127; const i64 x = a >> (b & 63); return n == 0 ? i64(0) : n >= 64 ? x : i64(u64(x) << (64 - n)) >> (64 - n)
s_brev_b32     u32 = u32       : reverse_bits(a)
s_brev_b64     u64 = u64       : reverse_bits(a)
s_bcnt0_i32_b32 nz u32 = u32   : u32(__builtin_popcount(~a))
s_bcnt0_i32_b64 nz u32 = u64   : u32(__builtin_popcountll(~a))
s_bcnt1_i32_b32 nz u32 = u32   : u32(__builtin_popcount(a))
s_bcnt1_i32_b64 nz u32 = u64   : u32(__builtin_popcountll(a))
s_ff0_i32_b32  u32 = u32       : trailing_zeros(~a)
s_ff0_i32_b64  u32 = u64       : trailing_zeros(~a)
s_ctz_i32_b32  u32 = u32       : trailing_zeros(a)
s_ctz_i32_b64  u32 = u64       : trailing_zeros(a)
s_clz_i32_u32  u32 = u32       : leading_zeros(a)
s_clz_i32_u64  u32 = u64       : leading_zeros(a)
s_cls_i32      u32 = i32       : leading_signs(a)
s_cls_i32_i64  u32 = i64       : leading_signs(a)
s_sext_i32_i8  i32 = i32       : i32(i8(a))
s_sext_i32_i16 i32 = i32       : i32(i16(a))
s_bitset0_b32  u32 = u32 +d    : b & ~(1u << (a & 31))
s_bitset1_b32  u32 = u32 +d    : b | 1u << (a & 31)
s_bitset0_b64  u64 = u32 +d    : b & ~(u64(1) << (a & 63))
s_bitset1_b64  u64 = u32 +d    : b | u64(1) << (a & 63)
s_bitreplicate_b64_b32 u64 = u32 : u64 r = 0; for (u32 k = 0; k < 32; k++) r |= u64(a >> k & 1) * 3 << 2 * k; return r
s_wqm_b32      nz u32 = u32    : u32 r = 0; for (u32 k = 0; k < 32; k += 4) r |= (a >> k & 15) ? 15u << k : 0; return r
s_wqm_b64      nz u64 = u64    : u64 r = 0; for (u32 k = 0; k < 64; k += 4) r |= (a >> k & 15) ? u64(15) << k : 0; return r
s_quadmask_b32 nz u32 = u32    : u32 r = 0; for (u32 k = 0; k < 8; k++) r |= u32((a >> 4 * k & 15) != 0) << k; return r
s_quadmask_b64 nz u64 = u64    : u64 r = 0; for (u32 k = 0; k < 16; k++) r |= u64((a >> 4 * k & 15) != 0) << k; return r
s_pack_ll_b32_b16 u32 = u32 u32 : (a & 0xffff) | b << 16
s_pack_lh_b32_b16 u32 = u32 u32 : (a & 0xffff) | (b & 0xffff0000u)
s_pack_hh_b32_b16 u32 = u32 u32 : a >> 16 | (b & 0xffff0000u)
s_pack_hl_b32_b16 u32 = u32 u32 : a >> 16 | b << 16
s_and_saveexec_b32      u32 = u32 : const u32 e = s[kExec]; s[kExec] = a & e; scc = s[kExec] != 0; return e
s_or_saveexec_b32       u32 = u32 : const u32 e = s[kExec]; s[kExec] = a | e; scc = s[kExec] != 0; return e
s_xor_saveexec_b32      u32 = u32 : const u32 e = s[kExec]; s[kExec] = a ^ e; scc = s[kExec] != 0; return e
s_nand_saveexec_b32     u32 = u32 : const u32 e = s[kExec]; s[kExec] = ~(a & e); scc = s[kExec] != 0; return e
s_nor_saveexec_b32      u32 = u32 : const u32 e = s[kExec]; s[kExec] = ~(a | e); scc = s[kExec] != 0; return e
s_xnor_saveexec_b32     u32 = u32 : const u32 e = s[kExec]; s[kExec] = ~(a ^ e); scc = s[kExec] != 0; return e
s_and_not0_saveexec_b32 u32 = u32 : const u32 e = s[kExec]; s[kExec] = ~a & e; scc = s[kExec] != 0; return e
s_and_not1_saveexec_b32 u32 = u32 : const u32 e = s[kExec]; s[kExec] = a & ~e; scc = s[kExec] != 0; return e
s_or_not0_saveexec_b32  u32 = u32 : const u32 e = s[kExec]; s[kExec] = ~a | e; scc = s[kExec] != 0; return e
s_or_not1_saveexec_b32  u32 = u32 : const u32 e = s[kExec]; s[kExec] = a | ~e; scc = s[kExec] != 0; return e
s_and_saveexec_b64      u64 = u64 : const u64 e = w.exec(); w.set64(kExec, a & e); scc = w.exec() != 0; return e
s_or_saveexec_b64       u64 = u64 : const u64 e = w.exec(); w.set64(kExec, a | e); scc = w.exec() != 0; return e
s_xor_saveexec_b64      u64 = u64 : const u64 e = w.exec(); w.set64(kExec, a ^ e); scc = w.exec() != 0; return e
s_nand_saveexec_b64     u64 = u64 : const u64 e = w.exec(); w.set64(kExec, ~(a & e)); scc = w.exec() != 0; return e
s_nor_saveexec_b64      u64 = u64 : const u64 e = w.exec(); w.set64(kExec, ~(a | e)); scc = w.exec() != 0; return e
s_xnor_saveexec_b64     u64 = u64 : const u64 e = w.exec(); w.set64(kExec, ~(a ^ e)); scc = w.exec() != 0; return e
s_and_not0_saveexec_b64 u64 = u64 : const u64 e = w.exec(); w.set64(kExec, ~a & e); scc = w.exec() != 0; return e
s_and_not1_saveexec_b64 u64 = u64 : const u64 e = w.exec(); w.set64(kExec, a & ~e); scc = w.exec() != 0; return e
s_or_not0_saveexec_b64  u64 = u64 : const u64 e = w.exec(); w.set64(kExec, ~a | e); scc = w.exec() != 0; return e
s_or_not1_saveexec_b64  u64 = u64 : const u64 e = w.exec(); w.set64(kExec, a | ~e); scc = w.exec() != 0; return e
s_and_not0_wrexec_b32   u32 = u32 : s[kExec] = ~a & s[kExec]; scc = s[kExec] != 0; return s[kExec]
s_and_not1_wrexec_b32   u32 = u32 : s[kExec] = a & ~s[kExec]; scc = s[kExec] != 0; return s[kExec]
s_and_not0_wrexec_b64   u64 = u64 : w.set64(kExec, ~a & w.exec()); scc = w.exec() != 0; return w.exec()
s_and_not1_wrexec_b64   u64 = u64 : w.set64(kExec, a & ~w.exec()); scc = w.exec() != 0; return w.exec()
"""

FLOAT = """
s_add_f32      f32 = f32 f32   : a + b
s_sub_f32      f32 = f32 f32   : a - b
s_mul_f32      f32 = f32 f32   : a * b
s_fmac_f32     f32 = f32 f32 +d : fma(a, b, c)
s_fmaak_f32    f32 = f32 f32 f32 : fma(a, b, c)
s_fmamk_f32    f32 = f32 f32 f32 : fma(a, b, c)
s_max_f32      f32 = f32 f32   : maximum_number(a, b)
s_min_f32      f32 = f32 f32   : minimum_number(a, b)
s_max_num_f32  f32 = f32 f32   : maximum_number(a, b)
s_min_num_f32  f32 = f32 f32   : minimum_number(a, b)
s_ceil_f32     f32 = f32       : __builtin_ceilf(a)
s_floor_f32    f32 = f32       : __builtin_floorf(a)
s_trunc_f32    f32 = f32       : __builtin_truncf(a)
s_rndne_f32    f32 = f32       : __builtin_roundevenf(a)
s_cvt_f32_i32  f32 = i32       : f32(a)
s_cvt_f32_u32  f32 = u32       : f32(a)
s_cvt_i32_f32  i32 = f32       : to_i32(a)
s_cvt_u32_f32  u32 = f32       : to_u32(a)
s_cvt_f16_f32  f16 = f32       : f16(a)
s_cvt_f32_f16  f32 = f16       : f32(a)
s_cvt_hi_f32_f16 f32 = u32     : f32(bits<f16>(u16(a >> 16)))
s_cvt_pk_rtz_f16_f32 u32 = f32 f32 : u32(f16_toward_zero(a)) | u32(f16_toward_zero(b)) << 16
s_add_f16      f16 = f16 f16   : f16(a + b)
s_sub_f16      f16 = f16 f16   : f16(a - b)
s_mul_f16      f16 = f16 f16   : f16(a * b)
s_fmac_f16     f16 = f16 f16 +d : fma(a, b, c)
s_max_f16      f16 = f16 f16   : maximum_number(a, b)
s_min_f16      f16 = f16 f16   : minimum_number(a, b)
"""


def _compares() -> str:
    """Compares: integer ones, bit tests, and the scalar float ones of gfx11.5 and gfx12."""
    lines = []
    for name, op in {"eq": "==", "lg": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}.items():
        for kind in ("i32", "u32"):
            lines.append(f"s_cmp_{name}_{kind} - = {kind} {kind} : a {op} b")
            wide = "u16" if kind == "u32" else "i16"
            lines.append(f"s_cmpk_{name}_{kind} - = {kind} {wide} : a {op} {kind}(b)")
        if name in ("eq", "lg"):
            lines.append(f"s_cmp_{name}_u64 - = u64 u64 : a {op} b")
        for kind in ("f32", "f16"):
            test = "a < b || a > b" if name == "lg" else f"a {op} b"
            lines.append(f"s_cmp_{name}_{kind} - = {kind} {kind} : {test}")
    for name, test in {
        "neq": "a != b", "nlg": "!(a < b || a > b)", "ngt": "!(a > b)", "nge": "!(a >= b)",
        "nlt": "!(a < b)", "nle": "!(a <= b)", "o": "a == a && b == b", "u": "a != a || b != b",
    }.items():  # fmt: skip
        for kind in ("f32", "f16"):
            lines.append(f"s_cmp_{name}_{kind} - = {kind} {kind} : {test}")
    for bit in (0, 1):
        lines.append(f"s_bitcmp{bit}_b32 - = u32 u32 : (a >> (b & 31) & 1) == {bit}")
        lines.append(f"s_bitcmp{bit}_b64 - = u64 u32 : (a >> (b & 63) & 1) == {bit}")
    return "\n".join(lines)


COMPARE = _compares()
