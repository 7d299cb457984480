"""Vector instructions that compute every lane by itself.

One line an instruction: ``name  result = sources : expression`` in C++ over the sources ``a b c``.
``+d`` among the sources is the old value of the destination, named as the next letter. A result
``X,mask`` also writes a lane mask: the expression sets its bit ``q``. A source ``mask`` is the lane's
bit of a mask operand, ``bit`` in the expression; it comes last. Names are those of gfx11 where that
has the instruction; `aliases.py` maps the others to them.
"""

# ruff: noqa: E501 -- a table with one instruction a line

FLOAT = """
v_add_f32            f32 = f32 f32      : a + b
v_sub_f32            f32 = f32 f32      : a - b
v_subrev_f32         f32 = f32 f32      : b - a
v_mul_f32            f32 = f32 f32      : a * b
v_mul_dx9_zero_f32   f32 = f32 f32      : a == 0 || b == 0 ? 0.0f : a * b
v_fma_f32            f32 = f32 f32 f32  : fma(a, b, c)
v_fmac_f32           f32 = f32 f32 +d   : fma(a, b, c)
v_fma_dx9_zero_f32   f32 = f32 f32 f32  : a == 0 || b == 0 ? c : fma(a, b, c)
v_fmac_dx9_zero_f32  f32 = f32 f32 +d   : a == 0 || b == 0 ? c : fma(a, b, c)
v_fmaak_f32          f32 = f32 f32 f32  : fma(a, b, c)
v_fmamk_f32          f32 = f32 f32 f32  : fma(a, b, c)
v_mad_f32            f32 = f32 f32 f32  : a * b + c
v_mac_f32            f32 = f32 f32 +d   : a * b + c
v_max_f32            f32 = f32 f32      : maximum_number(a, b)
v_min_f32            f32 = f32 f32      : minimum_number(a, b)
v_maximum_f32        f32 = f32 f32      : maximum_nan(a, b)
v_minimum_f32        f32 = f32 f32      : minimum_nan(a, b)
v_max3_f32           f32 = f32 f32 f32  : maximum_number(maximum_number(a, b), c)
v_min3_f32           f32 = f32 f32 f32  : minimum_number(minimum_number(a, b), c)
v_med3_f32           f32 = f32 f32 f32  : median(a, b, c)
v_minmax_f32         f32 = f32 f32 f32  : maximum_number(minimum_number(a, b), c)
v_maxmin_f32         f32 = f32 f32 f32  : minimum_number(maximum_number(a, b), c)
v_maximum3_f32       f32 = f32 f32 f32  : maximum_nan(maximum_nan(a, b), c)
v_minimum3_f32       f32 = f32 f32 f32  : minimum_nan(minimum_nan(a, b), c)
v_maximumminimum_f32 f32 = f32 f32 f32  : minimum_nan(maximum_nan(a, b), c)
v_minimummaximum_f32 f32 = f32 f32 f32  : maximum_nan(minimum_nan(a, b), c)
v_ldexp_f32          f32 = f32 i32      : ldexp_of(a, b)
v_exp_f32            f32 = f32          : exp2_of(a)
v_log_f32            f32 = f32          : log2_of(a)
v_rcp_f32            f32 = f32          : 1.0f / a
v_rcp_iflag_f32      f32 = f32          : 1.0f / a
v_rsq_f32            f32 = f32          : f32(1.0 / __builtin_sqrt(f64(a)))
v_sqrt_f32           f32 = f32          : __builtin_sqrtf(a)
v_sin_f32            f32 = f32          : sin_turns(a)
v_cos_f32            f32 = f32          : cos_turns(a)
v_fract_f32          f32 = f32          : fraction(a)
v_trunc_f32          f32 = f32          : __builtin_truncf(a)
v_ceil_f32           f32 = f32          : __builtin_ceilf(a)
v_rndne_f32          f32 = f32          : __builtin_roundevenf(a)
v_floor_f32          f32 = f32          : __builtin_floorf(a)
v_frexp_exp_i32_f32  i32 = f32          : frexp_exponent(a)
v_frexp_mant_f32     f32 = f32          : frexp_mantissa(a)
v_div_fixup_f32      f32 = f32 f32 f32  : div_fixup(a, b, c)
v_div_fmas_f32       f32 = f32 f32 f32 mask : div_fmas(a, b, c, bit)
v_div_scale_f32      f32,mask = f32 f32 f32 : div_scale(a, b, c, q)
v_cubeid_f32         f32 = f32 f32 f32  : const f32 x = absolute(a), y = absolute(b), z = absolute(c); return z >= x && z >= y ? (c < 0 ? 5.0f : 4.0f) : y >= x ? (b < 0 ? 3.0f : 2.0f) : a < 0 ? 1.0f : 0.0f
v_cubema_f32         f32 = f32 f32 f32  : const f32 x = absolute(a), y = absolute(b), z = absolute(c); return 2.0f * (z >= x && z >= y ? c : y >= x ? b : a)
v_cubesc_f32         f32 = f32 f32 f32  : const f32 x = absolute(a), y = absolute(b), z = absolute(c); return z >= x && z >= y ? (c < 0 ? -a : a) : y >= x ? a : a < 0 ? c : -c
v_cubetc_f32         f32 = f32 f32 f32  : const f32 x = absolute(a), y = absolute(b), z = absolute(c); return z >= x && z >= y ? -b : y >= x ? (b < 0 ? -c : c) : -b
v_add_f64            f64 = f64 f64      : a + b
v_mul_f64            f64 = f64 f64      : a * b
v_fma_f64            f64 = f64 f64 f64  : fma(a, b, c)
v_fmac_f64           f64 = f64 f64 +d   : fma(a, b, c)
v_max_f64            f64 = f64 f64      : maximum_number(a, b)
v_min_f64            f64 = f64 f64      : minimum_number(a, b)
v_maximum_f64        f64 = f64 f64      : maximum_nan(a, b)
v_minimum_f64        f64 = f64 f64      : minimum_nan(a, b)
v_ldexp_f64          f64 = f64 i32      : ldexp_of(a, b)
v_rcp_f64            f64 = f64          : 1.0 / a
v_rsq_f64            f64 = f64          : 1.0 / __builtin_sqrt(a)
v_sqrt_f64           f64 = f64          : __builtin_sqrt(a)
v_trunc_f64          f64 = f64          : __builtin_trunc(a)
v_ceil_f64           f64 = f64          : __builtin_ceil(a)
v_rndne_f64          f64 = f64          : __builtin_roundeven(a)
v_floor_f64          f64 = f64          : __builtin_floor(a)
v_fract_f64          f64 = f64          : fraction(a)
v_frexp_exp_i32_f64  i32 = f64          : frexp_exponent(a)
v_frexp_mant_f64     f64 = f64          : frexp_mantissa(a)
v_div_fixup_f64      f64 = f64 f64 f64  : div_fixup(a, b, c)
v_div_fmas_f64       f64 = f64 f64 f64 mask : div_fmas(a, b, c, bit)
v_div_scale_f64      f64,mask = f64 f64 f64 : div_scale(a, b, c, q)
v_trig_preop_f64     f64 = f64 u32      : trig_preop(a, b)
v_add_f16            f16 = f16 f16      : f16(a + b)
v_sub_f16            f16 = f16 f16      : f16(a - b)
v_subrev_f16         f16 = f16 f16      : f16(b - a)
v_mul_f16            f16 = f16 f16      : f16(a * b)
v_fma_f16            f16 = f16 f16 f16  : fma(a, b, c)
v_fmac_f16           f16 = f16 f16 +d   : fma(a, b, c)
v_fmaak_f16          f16 = f16 f16 f16  : fma(a, b, c)
v_fmamk_f16          f16 = f16 f16 f16  : fma(a, b, c)
v_mad_f16            f16 = f16 f16 f16  : f16(f16(a * b) + c)
v_mac_f16            f16 = f16 f16 +d   : f16(f16(a * b) + c)
v_madak_f16          f16 = f16 f16 f16  : f16(f16(a * b) + c)
v_madmk_f16          f16 = f16 f16 f16  : f16(f16(a * b) + c)
v_max_f16            f16 = f16 f16      : maximum_number(a, b)
v_min_f16            f16 = f16 f16      : minimum_number(a, b)
v_maximum_f16        f16 = f16 f16      : maximum_nan(a, b)
v_minimum_f16        f16 = f16 f16      : minimum_nan(a, b)
v_max3_f16           f16 = f16 f16 f16  : maximum_number(maximum_number(a, b), c)
v_min3_f16           f16 = f16 f16 f16  : minimum_number(minimum_number(a, b), c)
v_med3_f16           f16 = f16 f16 f16  : median(a, b, c)
v_minmax_f16         f16 = f16 f16 f16  : maximum_number(minimum_number(a, b), c)
v_maxmin_f16         f16 = f16 f16 f16  : minimum_number(maximum_number(a, b), c)
v_ldexp_f16          f16 = f16 i16      : ldexp_of(a, b)
v_exp_f16            f16 = f16          : f16(exp2_of(f32(a)))
v_log_f16            f16 = f16          : f16(log2_of(f32(a)))
v_rcp_f16            f16 = f16          : f16(1.0f / f32(a))
v_rsq_f16            f16 = f16          : f16(1.0f / __builtin_sqrtf(f32(a)))
v_sqrt_f16           f16 = f16          : f16(__builtin_sqrtf(f32(a)))
v_sin_f16            f16 = f16          : f16(sin_turns(f32(a)))
v_cos_f16            f16 = f16          : f16(cos_turns(f32(a)))
v_fract_f16          f16 = f16          : fraction(a)
v_trunc_f16          f16 = f16          : f16(__builtin_truncf(f32(a)))
v_ceil_f16           f16 = f16          : f16(__builtin_ceilf(f32(a)))
v_rndne_f16          f16 = f16          : f16(__builtin_roundevenf(f32(a)))
v_floor_f16          f16 = f16          : f16(__builtin_floorf(f32(a)))
v_frexp_exp_i16_f16  i16 = f16          : i16(frexp_exponent(f32(a)))
v_frexp_mant_f16     f16 = f16          : frexp_mantissa(a)
v_div_fixup_f16      f16 = f16 f16 f16  : div_fixup(a, b, c)
v_dot2_f32_f16       f32 = u32 u32 f32  : fma(f32(bits<f16>(u16(a >> 16))), f32(bits<f16>(u16(b >> 16))), fma(f32(bits<f16>(u16(a))), f32(bits<f16>(u16(b))), c))
v_dot2c_f32_f16      f32 = u32 u32 +d   : fma(f32(bits<f16>(u16(a >> 16))), f32(bits<f16>(u16(b >> 16))), fma(f32(bits<f16>(u16(a))), f32(bits<f16>(u16(b))), c))
v_dot2_f32_bf16      f32 = u32 u32 f32  : fma(bits<f32>(a & 0xffff0000u), bits<f32>(b & 0xffff0000u), fma(bits<f32>(a << 16), bits<f32>(b << 16), c))
v_dot2c_f32_bf16     f32 = u32 u32 +d   : fma(bits<f32>(a & 0xffff0000u), bits<f32>(b & 0xffff0000u), fma(bits<f32>(a << 16), bits<f32>(b << 16), c))
"""

CONVERSION = """
v_cvt_f32_i32        f32 = i32          : f32(a)
v_cvt_f32_u32        f32 = u32          : f32(a)
v_cvt_i32_f32        i32 = f32          : to_i32(a)
v_cvt_u32_f32        u32 = f32          : to_u32(a)
v_cvt_nearest_i32_f32 i32 = f32         : to_i32(__builtin_floorf(a + 0.5f))
v_cvt_floor_i32_f32  i32 = f32          : to_i32(__builtin_floorf(a))
v_cvt_off_f32_i4     f32 = u32          : f32(i32(a << 28) >> 28) * 0.0625f
v_cvt_f32_ubyte0     f32 = u32          : f32(i32(a & 255))
v_cvt_f32_ubyte1     f32 = u32          : f32(i32(a >> 8 & 255))
v_cvt_f32_ubyte2     f32 = u32          : f32(i32(a >> 16 & 255))
v_cvt_f32_ubyte3     f32 = u32          : f32(i32(a >> 24))
v_cvt_f64_i32        f64 = i32          : f64(a)
v_cvt_f64_u32        f64 = u32          : f64(a)
v_cvt_i32_f64        i32 = f64          : to_i32(a)
v_cvt_u32_f64        u32 = f64          : to_u32(a)
v_cvt_f32_f64        f32 = f64          : f32(a)
v_cvt_f64_f32        f64 = f32          : f64(a)
v_cvt_f16_f32        f16 = f32          : f16(a)
v_cvt_f32_f16        f32 = f16          : f32(a)
v_cvt_f16_u16        f16 = u16          : f16(f32(a))
v_cvt_f16_i16        f16 = i16          : f16(f32(a))
v_cvt_u16_f16        u16 = f16          : to_u16(a)
v_cvt_i16_f16        i16 = f16          : to_i16(a)
v_cvt_i32_i16        i32 = i16          : i32(a)
v_cvt_u32_u16        u32 = u16          : u32(a)
v_cvt_f32_bf16       f32 = bf16         : to_f32(a)
v_cvt_pk_rtz_f16_f32 u32 = f32 f32      : u32(f16_toward_zero(a)) | u32(f16_toward_zero(b)) << 16
v_cvt_pk_f16_f32     u32 = f32 f32      : u32(bits<u16>(f16(a))) | u32(bits<u16>(f16(b))) << 16
v_cvt_pk_bf16_f32    u32 = f32 f32      : u32(to_bf16(a).bits) | u32(to_bf16(b).bits) << 16
v_cvt_pk_norm_i16_f32 u32 = f32 f32     : u32(u16(to_snorm16(a))) | u32(u16(to_snorm16(b))) << 16
v_cvt_pk_norm_u16_f32 u32 = f32 f32     : u32(to_unorm16(a)) | u32(to_unorm16(b)) << 16
v_cvt_pk_norm_i16_f16 u32 = f16 f16     : u32(u16(to_snorm16(f32(a)))) | u32(u16(to_snorm16(f32(b)))) << 16
v_cvt_pk_norm_u16_f16 u32 = f16 f16     : u32(to_unorm16(f32(a))) | u32(to_unorm16(f32(b))) << 16
v_cvt_norm_i16_f16   i16 = f16          : to_snorm16(f32(a))
v_cvt_norm_u16_f16   u16 = f16          : to_unorm16(f32(a))
v_cvt_pk_i16_f32     u32 = f32 f32      : u32(u16(clamp_to<i16>(to_i32(a)))) | u32(u16(clamp_to<i16>(to_i32(b)))) << 16
v_cvt_pk_u16_f32     u32 = f32 f32      : u32(clamp_to<u16>(to_u32(a))) | u32(clamp_to<u16>(to_u32(b))) << 16
v_cvt_pk_u16_u32     u32 = u32 u32      : u32(clamp_to<u16>(a)) | u32(clamp_to<u16>(b)) << 16
v_cvt_pk_i16_i32     u32 = i32 i32      : u32(u16(clamp_to<i16>(a))) | u32(u16(clamp_to<i16>(b))) << 16
v_cvt_pk_u8_f32      u32 = f32 u32 u32  : (c & ~(255u << (b & 3) * 8)) | (a > 0 ? a >= 255.0f ? 255u : u32(__builtin_rintf(a)) : 0u) << (b & 3) * 8
v_sat_pk_u8_i16      u16 = u32          : u16(clamp_to<u8>(i16(a)) | clamp_to<u8>(i16(a >> 16)) << 8)
"""

INTEGER = """
v_mov_b32            u32 = u32          : a
v_mov_b16            u16 = u16          : a
v_mov_b64            u64 = u64          : a
v_not_b32            u32 = u32          : ~a
v_not_b16            u16 = u16          : u16(~a)
v_bfrev_b32          u32 = u32          : reverse_bits(a)
v_clz_i32_u32        u32 = u32          : leading_zeros(a)
v_ctz_i32_b32        u32 = u32          : trailing_zeros(a)
v_cls_i32            u32 = i32          : leading_signs(a)
v_and_b32            u32 = u32 u32      : a & b
v_or_b32             u32 = u32 u32      : a | b
v_xor_b32            u32 = u32 u32      : a ^ b
v_xnor_b32           u32 = u32 u32      : ~(a ^ b)
v_and_b16            u16 = u16 u16      : u16(a & b)
v_or_b16             u16 = u16 u16      : u16(a | b)
v_xor_b16            u16 = u16 u16      : u16(a ^ b)
v_lshlrev_b32        u32 = u32 u32      : b << (a & 31)
v_lshrrev_b32        u32 = u32 u32      : b >> (a & 31)
v_ashrrev_i32        i32 = u32 i32      : b >> (a & 31)
v_lshl_b32           u32 = u32 u32      : a << (b & 31)
v_lshrrev_b16        u16 = u16 u16      : u16(b >> (a & 15))
v_lshlrev_b16        u16 = u16 u16      : u16(b << (a & 15))
v_ashrrev_i16        i16 = u16 i16      : i16(b >> (a & 15))
v_lshlrev_b64        u64 = u32 u64      : b << (a & 63)
v_lshrrev_b64        u64 = u32 u64      : b >> (a & 63)
v_ashrrev_i64        i64 = u32 i64      : b >> (a & 63)
v_add_nc_u32         u32 = u32 u32      : a + b
v_sub_nc_u32         u32 = u32 u32      : a - b
v_subrev_nc_u32      u32 = u32 u32      : b - a
v_add_nc_i32         u32 = u32 u32      : a + b
v_sub_nc_i32         u32 = u32 u32      : a - b
v_add_nc_u64         u64 = u64 u64      : a + b
v_sub_nc_u64         u64 = u64 u64      : a - b
v_add_nc_u16         u16 = u16 u16      : u16(a + b)
v_sub_nc_u16         u16 = u16 u16      : u16(a - b)
v_subrev_nc_u16      u16 = u16 u16      : u16(b - a)
v_add_nc_i16         u16 = u16 u16      : u16(a + b)
v_sub_nc_i16         u16 = u16 u16      : u16(a - b)
v_add_nc_u32_clamp   u32 = u32 u32      : clamp_to<u32>(i64(a) + i64(b))
v_sub_nc_u32_clamp   u32 = u32 u32      : clamp_to<u32>(i64(a) - i64(b))
v_subrev_nc_u32_clamp u32 = u32 u32     : clamp_to<u32>(i64(b) - i64(a))
v_add_nc_i32_clamp   i32 = i32 i32      : clamp_to<i32>(i64(a) + i64(b))
v_sub_nc_i32_clamp   i32 = i32 i32      : clamp_to<i32>(i64(a) - i64(b))
v_add_nc_u16_clamp   u16 = u16 u16      : clamp_to<u16>(i32(a) + i32(b))
v_sub_nc_u16_clamp   u16 = u16 u16      : clamp_to<u16>(i32(a) - i32(b))
v_subrev_nc_u16_clamp u16 = u16 u16     : clamp_to<u16>(i32(b) - i32(a))
v_add_nc_i16_clamp   i16 = i16 i16      : clamp_to<i16>(i32(a) + i32(b))
v_sub_nc_i16_clamp   i16 = i16 i16      : clamp_to<i16>(i32(a) - i32(b))
v_add_co_u32         u32,mask = u32 u32 : u32 r = a + b; q = r < a; return r
v_sub_co_u32         u32,mask = u32 u32 : q = a < b; return a - b
v_subrev_co_u32      u32,mask = u32 u32 : q = b < a; return b - a
v_add_co_ci_u32      u32,mask = u32 u32 mask : u64 t = u64(a) + b + bit; q = u32(t >> 32); return u32(t)
v_sub_co_ci_u32      u32,mask = u32 u32 mask : u64 t = u64(a) - b - bit; q = u32(t >> 32) & 1; return u32(t)
v_subrev_co_ci_u32   u32,mask = u32 u32 mask : u64 t = u64(b) - a - bit; q = u32(t >> 32) & 1; return u32(t)
v_mad_u64_u32        u64,mask = u32 u32 u64 : u128 t = u128(u64(a) * b) + c; q = u32(t >> 64) & 1; return u64(t)
v_mad_i64_i32        i64,mask = i32 i32 i64 : i128 t = i128(i64(a) * b) + c; q = u32(t >> 64) & 1; return i64(t)
v_mul_lo_u32         u32 = u32 u32      : a * b
v_mul_hi_u32         u32 = u32 u32      : u32(u64(a) * b >> 32)
v_mul_hi_i32         i32 = i32 i32      : i32(i64(a) * b >> 32)
v_mul_u64            u64 = u64 u64      : a * b
v_mul_lo_u16         u16 = u16 u16      : u16(u32(a) * b)
v_mul_i32_i24        i32 = u32 u32      : i32(u32(sign24(a)) * u32(sign24(b)))
v_mul_hi_i32_i24     i32 = u32 u32      : i32(i64(sign24(a)) * sign24(b) >> 32)
v_mul_u32_u24        u32 = u32 u32      : (a & 0xffffff) * (b & 0xffffff)
v_mul_hi_u32_u24     u32 = u32 u32      : u32(u64(a & 0xffffff) * (b & 0xffffff) >> 32)
v_mad_i32_i24        u32 = u32 u32 u32  : u32(sign24(a)) * u32(sign24(b)) + c
v_mad_u32_u24        u32 = u32 u32 u32  : (a & 0xffffff) * (b & 0xffffff) + c
v_mad_u16            u16 = u16 u16 u16  : u16(u32(a) * b + c)
v_mad_i16            u16 = u16 u16 u16  : u16(u32(a) * b + c)
v_mad_u32_u16        u32 = u16 u16 u32  : u32(a) * b + c
v_mad_i32_i16        u32 = i16 i16 u32  : u32(i32(a) * b) + c
v_min_i32            i32 = i32 i32      : a < b ? a : b
v_max_i32            i32 = i32 i32      : a > b ? a : b
v_min_u32            u32 = u32 u32      : a < b ? a : b
v_max_u32            u32 = u32 u32      : a > b ? a : b
v_min_i16            i16 = i16 i16      : a < b ? a : b
v_max_i16            i16 = i16 i16      : a > b ? a : b
v_min_u16            u16 = u16 u16      : a < b ? a : b
v_max_u16            u16 = u16 u16      : a > b ? a : b
v_min3_i32           i32 = i32 i32 i32  : a < b ? (a < c ? a : c) : (b < c ? b : c)
v_max3_i32           i32 = i32 i32 i32  : a > b ? (a > c ? a : c) : (b > c ? b : c)
v_med3_i32           i32 = i32 i32 i32  : const i32 lo = a < b ? a : b, hi = a < b ? b : a; return c < lo ? lo : c > hi ? hi : c
v_min3_u32           u32 = u32 u32 u32  : a < b ? (a < c ? a : c) : (b < c ? b : c)
v_max3_u32           u32 = u32 u32 u32  : a > b ? (a > c ? a : c) : (b > c ? b : c)
v_med3_u32           u32 = u32 u32 u32  : const u32 lo = a < b ? a : b, hi = a < b ? b : a; return c < lo ? lo : c > hi ? hi : c
v_min3_i16           i16 = i16 i16 i16  : a < b ? (a < c ? a : c) : (b < c ? b : c)
v_max3_i16           i16 = i16 i16 i16  : a > b ? (a > c ? a : c) : (b > c ? b : c)
v_med3_i16           i16 = i16 i16 i16  : const i16 lo = a < b ? a : b, hi = a < b ? b : a; return c < lo ? lo : c > hi ? hi : c
v_min3_u16           u16 = u16 u16 u16  : a < b ? (a < c ? a : c) : (b < c ? b : c)
v_max3_u16           u16 = u16 u16 u16  : a > b ? (a > c ? a : c) : (b > c ? b : c)
v_med3_u16           u16 = u16 u16 u16  : const u16 lo = a < b ? a : b, hi = a < b ? b : a; return c < lo ? lo : c > hi ? hi : c
v_maxmin_i32         i32 = i32 i32 i32  : const i32 m = a > b ? a : b; return m < c ? m : c
v_minmax_i32         i32 = i32 i32 i32  : const i32 m = a < b ? a : b; return m > c ? m : c
v_maxmin_u32         u32 = u32 u32 u32  : const u32 m = a > b ? a : b; return m < c ? m : c
v_minmax_u32         u32 = u32 u32 u32  : const u32 m = a < b ? a : b; return m > c ? m : c
v_add3_u32           u32 = u32 u32 u32  : a + b + c
v_add_lshl_u32       u32 = u32 u32 u32  : (a + b) << (c & 31)
v_lshl_add_u32       u32 = u32 u32 u32  : (a << (b & 31)) + c
v_lshl_add_u64       u64 = u64 u32 u64  : (a << (b & 7)) + c
v_lshl_or_b32        u32 = u32 u32 u32  : (a << (b & 31)) | c
v_and_or_b32         u32 = u32 u32 u32  : (a & b) | c
v_or3_b32            u32 = u32 u32 u32  : a | b | c
v_xor3_b32           u32 = u32 u32 u32  : a ^ b ^ c
v_xad_u32            u32 = u32 u32 u32  : (a ^ b) + c
v_bfe_u32            u32 = u32 u32 u32  : (a >> (b & 31)) & ((1u << (c & 31)) - 1)
v_bfe_i32            i32 = i32 u32 u32  : const u32 n = c & 31; return n ? i32(u32(a >> (b & 31)) << (32 - n)) >> (32 - n) : 0
v_bfi_b32            u32 = u32 u32 u32  : (a & b) | (~a & c)
v_bfm_b32            u32 = u32 u32      : ((1u << (a & 31)) - 1) << (b & 31)
v_bcnt_u32_b32       u32 = u32 u32      : u32(__builtin_popcount(a)) + b
v_alignbit_b32       u32 = u32 u32 u32  : u32((u64(a) << 32 | b) >> (c & 31))
v_alignbyte_b32      u32 = u32 u32 u32  : u32((u64(a) << 32 | b) >> (c & 3) * 8)
v_perm_b32           u32 = u32 u32 u32  : permute_bytes(a, b, c)
v_sad_u8             u32 = u32 u32 u32  : sad_bytes(a, b, c, false)
v_sad_hi_u8          u32 = u32 u32 u32  : (sad_bytes(a, b, 0, false) << 16) + c
v_msad_u8            u32 = u32 u32 u32  : sad_bytes(a, b, c, true)
v_sad_u16            u32 = u32 u32 u32  : difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16) + c
v_sad_u32            u32 = u32 u32 u32  : difference(a, b) + c
v_lerp_u8            u32 = u32 u32 u32  : u32 r = 0; for (u32 k = 0; k < 4; k++) r |= (byte_of(a, k) + byte_of(b, k) + (c >> 8 * k & 1)) >> 1 << 8 * k; return r
v_pack_b32_f16       u32 = u16 u16      : u32(a) | u32(b) << 16
v_cndmask_b32        u32 = u32 u32 mask : bit ? b : a
v_cndmask_b16        u16 = u16 u16 mask : bit ? b : a
v_dot4_i32_i8        u32 = u32 u32 u32  : for (u32 k = 0; k < 4; k++) c += u32(i32(i8(a >> 8 * k)) * i8(b >> 8 * k)); return c
v_dot4c_i32_i8       u32 = u32 u32 +d   : for (u32 k = 0; k < 4; k++) c += u32(i32(i8(a >> 8 * k)) * i8(b >> 8 * k)); return c
v_dot4_u32_u8        u32 = u32 u32 u32  : for (u32 k = 0; k < 4; k++) c += byte_of(a, k) * byte_of(b, k); return c
v_dot8_i32_i4        u32 = u32 u32 u32  : for (u32 k = 0; k < 8; k++) c += u32((i32(a << (28 - 4 * k)) >> 28) * (i32(b << (28 - 4 * k)) >> 28)); return c
v_dot8c_i32_i4       u32 = u32 u32 +d   : for (u32 k = 0; k < 8; k++) c += u32((i32(a << (28 - 4 * k)) >> 28) * (i32(b << (28 - 4 * k)) >> 28)); return c
v_dot8_u32_u4        u32 = u32 u32 u32  : for (u32 k = 0; k < 8; k++) c += (a >> 4 * k & 15) * (b >> 4 * k & 15); return c
v_dot2_i32_i16       u32 = u32 u32 u32  : c + u32(i32(i16(a)) * i16(b)) + u32(i32(i16(a >> 16)) * i16(b >> 16))
v_dot2c_i32_i16      u32 = u32 u32 +d   : c + u32(i32(i16(a)) * i16(b)) + u32(i32(i16(a >> 16)) * i16(b >> 16))
v_dot2_u32_u16       u32 = u32 u32 u32  : c + (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16)
"""

PACKED = """
v_pk_add_f16         f16 2 : f16(a + b)
v_pk_mul_f16         f16 2 : f16(a * b)
v_pk_fma_f16         f16 3 : fma(a, b, c)
v_pk_max_f16         f16 2 : maximum_number(a, b)
v_pk_min_f16         f16 2 : minimum_number(a, b)
v_pk_maximum_f16     f16 2 : maximum_nan(a, b)
v_pk_minimum_f16     f16 2 : minimum_nan(a, b)
v_pk_add_u16         u16 2 : u16(a + b)
v_pk_sub_u16         u16 2 : u16(a - b)
v_pk_add_i16         u16 2 : u16(a + b)
v_pk_sub_i16         u16 2 : u16(a - b)
v_pk_add_u16_clamp   u16 2 : clamp_to<u16>(i32(a) + i32(b))
v_pk_sub_u16_clamp   u16 2 : clamp_to<u16>(i32(a) - i32(b))
v_pk_add_i16_clamp   i16 2 : clamp_to<i16>(i32(a) + i32(b))
v_pk_sub_i16_clamp   i16 2 : clamp_to<i16>(i32(a) - i32(b))
v_pk_mul_lo_u16      u16 2 : u16(u32(a) * b)
v_pk_mad_u16         u16 3 : u16(u32(a) * b + c)
v_pk_mad_i16         u16 3 : u16(u32(a) * b + c)
v_pk_max_u16         u16 2 : a > b ? a : b
v_pk_min_u16         u16 2 : a < b ? a : b
v_pk_max_i16         i16 2 : a > b ? a : b
v_pk_min_i16         i16 2 : a < b ? a : b
v_pk_lshlrev_b16     u16 2 : u16(b << (a & 15))
v_pk_lshrrev_b16     u16 2 : u16(b >> (a & 15))
v_pk_ashrrev_i16     i16 2 : i16(b >> (a & 15))
"""

PACKED32 = """
v_pk_add_f32         2 : a + b
v_pk_mul_f32         2 : a * b
v_pk_fma_f32         3 : fma(a, b, c)
"""
