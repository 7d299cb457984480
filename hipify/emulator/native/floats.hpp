// Floating-point helpers that the instruction tables use. Everything here is exact where AMD's manuals
// define an exact result; approximations (reciprocal, exponential, ...) are correctly rounded or nearly so.
#pragma once

#include "core.hpp"

namespace emu {

inline f32 fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }

/// f16 fused multiply-add with one rounding: the product is exact in f64, the sum is rounded to odd
/// there, and rounding that to f16 is then correct.
inline f16 fma(f16 a, f16 b, f16 c) {
  const f64 p = f64(a) * f64(b), x = f64(c);
  const f64 sum = p + x;
  const f64 back = sum - p;
  const f64 error = (p - (sum - back)) + (x - back);
  u64 raw = bits<u64>(sum);
  const bool adjust = error != 0 && (raw & 1) == 0 && std::isfinite(sum);
  const bool toward_zero = (error < 0) == (sum > 0);
  raw += adjust ? (toward_zero ? ~u64(0) : 1) : 0;
  return f16(bits<f64>(raw));
}

inline f32 to_f32(bf16 x) { return bits<f32>(u32(x.bits) << 16); }
/// Round to nearest even; NaNs stay quiet NaNs.
inline bf16 to_bf16(f32 x) {
  u32 r = bits<u32>(x);
  const u32 rounded = (r + 0x7fff + (r >> 16 & 1)) >> 16;
  return {u16(x != x ? (r >> 16 | 0x40) : rounded)};
}

inline f32 absolute(f32 x) { return bits<f32>(bits<u32>(x) & 0x7fffffffu); }
inline f64 absolute(f64 x) { return bits<f64>(bits<u64>(x) & ~(u64(1) << 63)); }

inline u32 sign_of(f32 x) { return bits<u32>(x) >> 31; }
inline u32 sign_of(f64 x) { return u32(bits<u64>(x) >> 63); }
inline u32 sign_of(f16 x) { return bits<u16>(x) >> 15; }

template <class T>
inline T quiet(T x) {
  return x + T(0);
}

/// Maximum and minimum as IEEE mode has them: a number wins over a NaN, +0 is above -0.
template <class T>
inline T maximum_number(T a, T b) {
  const bool first = a > b || (a == b && sign_of(b)) || b != b;
  return first ? a : b;
}
template <class T>
inline T minimum_number(T a, T b) {
  const bool first = a < b || (a == b && sign_of(a)) || b != b;
  return first ? a : b;
}
template <class T>
inline T median(T a, T b, T c) {
  if (a != a || b != b || c != c) return minimum_number(minimum_number(a, b), c);
  return maximum_number(minimum_number(a, b), minimum_number(maximum_number(a, b), c));
}
/// IEEE 754-2019 maximum and minimum: a NaN wins.
template <class T>
inline T maximum_nan(T a, T b) {
  return a != a ? quiet(a) : b != b ? quiet(b) : maximum_number(a, b);
}
template <class T>
inline T minimum_nan(T a, T b) {
  return a != a ? quiet(a) : b != b ? quiet(b) : minimum_number(a, b);
}

inline f32 floor_of(f32 x) { return __builtin_floorf(x); }
inline f64 floor_of(f64 x) { return __builtin_floor(x); }
inline f16 floor_of(f16 x) { return f16(__builtin_floorf(f32(x))); }

// The largest value below one bounds a fraction.
inline f32 fraction(f32 x) {
  const f32 r = x - floor_of(x);
  return r > 0x1.fffffep-1f ? 0x1.fffffep-1f : r;
}
inline f64 fraction(f64 x) {
  const f64 r = x - floor_of(x);
  return r > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : r;
}
inline f16 fraction(f16 x) {
  const f16 r = x - floor_of(x), top = f16(0x1.ffcp-1f);
  return r > top ? top : r;
}

// Conversions to integers saturate, and give 0 for a NaN.
inline i32 to_i32(f32 x) {
  return x != x ? 0 : x >= 0x1p31f ? 0x7fffffff : x < -0x1p31f ? i32(0x80000000) : i32(x);
}
inline u32 to_u32(f32 x) {
  return !(x > 0.0f) ? 0u : x >= 0x1p32f ? ~0u : u32(i64(x));
}
inline i32 to_i32(f64 x) {
  return x != x ? 0 : x >= 0x1p31 ? 0x7fffffff : x <= -0x1p31 ? i32(0x80000000) : i32(x);
}
inline u32 to_u32(f64 x) {
  return !(x > 0.0) ? 0u : x >= 0x1p32 ? ~0u : u32(i64(x));
}
inline i16 to_i16(f16 h) {
  const f32 x = f32(h);
  return x != x ? i16(0) : x >= 32767.0f ? i16(32767) : x <= -32768.0f ? i16(-32768) : i16(i32(x));
}
inline u16 to_u16(f16 h) {
  const f32 x = f32(h);
  return !(x > 0.0f) ? u16(0) : x >= 65535.0f ? u16(65535) : u16(i32(x));
}

/// x * 2**e with one rounding.
inline f32 ldexp_of(f32 x, i32 e) {
  const i32 c = e > 300 ? 300 : e < -300 ? -300 : e;
  return f32(f64(x) * bits<f64>(u64(1023 + c) << 52));
}
inline f64 ldexp_of(f64 x, i32 e) { return std::ldexp(x, e > 5000 ? 5000 : e < -5000 ? -5000 : e); }
inline f16 ldexp_of(f16 x, i32 e) { return f16(ldexp_of(f32(x), e > 100 ? 100 : e < -100 ? -100 : e)); }

inline i32 exponent_bits(f32 x) { return i32(bits<u32>(x) >> 23 & 255); }
inline i32 exponent_bits(f64 x) { return i32(bits<u64>(x) >> 52 & 2047); }

template <class T>
inline i32 frexp_exponent(T x) {
  int e = 0;
  if (!std::isfinite(f64(x)) || x == T(0)) return 0;
  std::frexp(f64(x), &e);
  return e;
}
inline f32 frexp_mantissa(f32 x) {
  int e;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}
inline f64 frexp_mantissa(f64 x) {
  int e;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}
inline f16 frexp_mantissa(f16 x) { return f16(frexp_mantissa(f32(x))); }

template <class T>
inline bool in_class(T x, u32 mask, u32 sign, bool normal, bool quiet_bit) {
  u32 k;
  if (x != x) {
    k = quiet_bit ? 1 : 0;
  } else if (std::isinf(f64(x))) {
    k = sign ? 2 : 9;
  } else if (x == T(0)) {
    k = sign ? 5 : 6;
  } else {
    k = normal ? (sign ? 3 : 8) : (sign ? 4 : 7);
  }
  return mask >> k & 1;
}
inline bool has_class(f32 x, u32 mask) {
  return in_class(x, mask, sign_of(x), exponent_bits(x) != 0, bits<u32>(x) >> 22 & 1);
}
inline bool has_class(f64 x, u32 mask) {
  return in_class(x, mask, sign_of(x), exponent_bits(x) != 0, bits<u64>(x) >> 51 & 1);
}
inline bool has_class(f16 x, u32 mask) {
  return in_class(x, mask, sign_of(x), (bits<u16>(x) >> 10 & 31) != 0, bits<u16>(x) >> 9 & 1);
}

// ---------------------------------------------------------------- division

template <class T>
struct Division;  // exponent distances at which scaling starts, as the manuals give them
template <>
struct Division<f32> {
  static constexpr i32 far = 96, scale = 64, tiny = 23, fmas = 32, top = 255, underflow = 150;
  static constexpr f32 least = 0x1p-126f, lowest = 0x1p-149f;
};
template <>
struct Division<f64> {
  static constexpr i32 far = 768, scale = 128, tiny = 53, fmas = 64, top = 2047, underflow = 1075;
  static constexpr f64 least = 0x1p-1022, lowest = 0x1p-1074;
};

template <class T>
inline bool is_denormal(T x) {
  return x != T(0) && absolute(x) < Division<T>::least;
}

template <class T>
inline T div_scale(T a, T b, T c, u32& vcc) {
  using D = Division<T>;
  vcc = 0;
  if (c == T(0) || b == T(0)) return bits<T>(std::is_same_v<T, f32> ? T(NAN) : T(NAN));
  const bool quotient_tiny = is_denormal(T(c / b));
  const bool inverse_tiny = std::is_same_v<T, f32> ? is_denormal(f32(1.0 / f64(b))) : is_denormal(T(1) / b);
  if (exponent_bits(c) - exponent_bits(b) >= D::far) {
    vcc = 1;
    return bits<T>(a) == bits<T>(b) ? ldexp_of(a, D::scale) : a;
  }
  if (is_denormal(b)) return ldexp_of(a, D::scale);
  if (inverse_tiny && quotient_tiny) {
    vcc = 1;
    return a == b ? ldexp_of(a, -D::scale) : a;  // the manuals' +scale would overflow
  }
  if (inverse_tiny) return ldexp_of(a, -D::scale);
  if (quotient_tiny) {
    vcc = 1;
    return a == c ? ldexp_of(a, D::scale) : a;
  }
  if (exponent_bits(c) <= D::tiny) return ldexp_of(a, D::scale);
  return a;
}

/// The scale that div_scale took out is put back in: up where the addend (the quotient) is large.
template <class T>
inline T div_fmas(T a, T b, T c, u32 vcc) {
  const T r = fma(a, b, c);
  if (!vcc) return r;
  const i32 up = std::is_same_v<T, f32> ? 64 : 128;
  return ldexp_of(r, exponent_bits(c) > (std::is_same_v<T, f32> ? 127 : 1023) ? up : -up);
}

template <class T>
inline T div_fixup(T q, T d, T n) {
  using D = Division<T>;
  const bool negative = sign_of(d) != sign_of(n);
  const T inf = T(INFINITY);
  T r;
  if (n != n) return quiet(n);
  if (d != d) return quiet(d);
  if ((d == 0 && n == 0) || (absolute(d) == inf && absolute(n) == inf)) return -T(NAN);
  if (d == 0 || absolute(n) == inf) {
    r = inf;
  } else if (absolute(d) == inf || n == 0) {
    r = T(0);
  } else if (exponent_bits(n) - exponent_bits(d) < -D::underflow) {
    r = T(0) + D::lowest * T(0.5);
  } else if (exponent_bits(q) == D::top) {  // a quotient that overflowed on the way, to NaN maybe
    r = inf;
  } else {
    r = absolute(q);
  }
  return negative ? -r : r;
}

inline f16 div_fixup(f16 q, f16 d, f16 n) {
  const bool negative = sign_of(d) != sign_of(n);
  const f32 fd = f32(d), fn = f32(n);
  f32 r = absolute(f32(q));
  if (fn != fn) return n;
  if (fd != fd) return d;
  if ((fd == 0 && fn == 0) || (std::isinf(fd) && std::isinf(fn))) return f16(-NAN);
  if (fd == 0 || std::isinf(fn)) {
    r = INFINITY;
  } else if (std::isinf(fd) || fn == 0) {
    r = 0;
  }
  return f16(negative ? -r : r);
}

// ---------------------------------------------------------------- approximations

// 2**x and log2(x) as polynomials in f64: within f32's half ulp but for rare ties, and vectorisable.
inline f32 exp2_of(f32 x) {
  const f64 y = x > 200.0f ? 200.0 : x < -200.0f ? -200.0 : f64(x);
  const f64 n = __builtin_rint(y), r = (y - n) * 0.693147180559945309417;
  f64 p = 1.0 / 3628800;
  p = fma(p, r, 1.0 / 362880);
  p = fma(p, r, 1.0 / 40320);
  p = fma(p, r, 1.0 / 5040);
  p = fma(p, r, 1.0 / 720);
  p = fma(p, r, 1.0 / 120);
  p = fma(p, r, 1.0 / 24);
  p = fma(p, r, 1.0 / 6);
  p = fma(p, r, 0.5);
  p = fma(p, r, 1.0);
  p = fma(p, r, 1.0);
  const f64 scale = bits<f64>(u64(i64(i32(n)) + 1023) << 52);
  return x != x ? quiet(x) : f32(p * scale);
}

inline f32 log2_of(f32 x) {
  if (!(x > 0.0f)) return x == 0.0f ? -INFINITY : x != x ? quiet(x) : f32(-NAN);
  if (bits<u32>(x) == 0x7f800000u) return x;
  const u64 raw = bits<u64>(f64(x));
  i32 e = i32(raw >> 52) - 1023;
  f64 m = bits<f64>((raw & 0xfffffffffffffull) | u64(1023) << 52);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    e += 1;
  }
  const f64 t = (m - 1.0) / (m + 1.0), q = t * t;
  f64 p = 1.0 / 19;
  p = fma(p, q, 1.0 / 17);
  p = fma(p, q, 1.0 / 15);
  p = fma(p, q, 1.0 / 13);
  p = fma(p, q, 1.0 / 11);
  p = fma(p, q, 1.0 / 9);
  p = fma(p, q, 1.0 / 7);
  p = fma(p, q, 1.0 / 5);
  p = fma(p, q, 1.0 / 3);
  p = fma(p, q, 1.0);
  return f32(2.88539008177792681472 * t * p + e);
}

// v_sin and v_cos take revolutions.
inline f32 sin_turns(f32 x) {
  if (!std::isfinite(x)) return f32(-NAN);
  const f64 t = f64(x) - __builtin_rint(f64(x));
  return t == 0 ? f32(0) * x : f32(std::sin(t * 6.28318530717958647693));
}
inline f32 cos_turns(f32 x) {
  if (!std::isfinite(x)) return f32(-NAN);
  const f64 t = f64(x) - __builtin_rint(f64(x));
  return t == 0.25 || t == -0.25 ? 0.0f : f32(std::cos(t * 6.28318530717958647693));
}

f64 trig_preop(f64 x, u32 segment);

// ---------------------------------------------------------------- packed conversions

/// f16 rounded toward zero whatever the mode.
inline u16 f16_toward_zero(f32 x) {
  const f16 h = f16(x);
  u16 r = bits<u16>(h);
  if (x != x) return r;
  if ((r & 0x7fff) == 0x7c00) return std::isinf(x) ? r : u16((r & 0x8000) | 0x7bff);
  if (absolute(f32(h)) > absolute(x)) r -= 1;
  return r;
}

inline i16 to_snorm16(f32 x) {
  const f32 c = x != x ? 0.0f : x > 1.0f ? 1.0f : x < -1.0f ? -1.0f : x;
  return i16(__builtin_rintf(c * 32767.0f));
}
inline u16 to_unorm16(f32 x) {
  const f32 c = x != x ? 0.0f : x > 1.0f ? 1.0f : x < 0.0f ? 0.0f : x;
  return u16(__builtin_rintf(c * 65535.0f));
}

// 8-bit floats. `bias` and the meaning of the top codes differ between gfx942 (FNUZ) and later (OCP).
f32 from_fp8(u8 x, bool wide_exponent, bool fnuz);
u8 to_fp8(f32 x, bool wide_exponent, bool fnuz, bool saturate);

// ---------------------------------------------------------------- integers

inline u32 reverse_bits(u32 x) { return __builtin_bitreverse32(x); }
inline u64 reverse_bits(u64 x) { return __builtin_bitreverse64(x); }
inline u32 leading_zeros(u32 x) { return x ? u32(__builtin_clz(x)) : ~0u; }
inline u32 leading_zeros(u64 x) { return x ? u32(__builtin_clzll(x)) : ~0u; }
inline u32 trailing_zeros(u32 x) { return x ? u32(__builtin_ctz(x)) : ~0u; }
inline u32 trailing_zeros(u64 x) { return x ? u32(__builtin_ctzll(x)) : ~0u; }
/// Leading bits that equal the sign, or -1 when all do.
inline u32 leading_signs(i32 x) {
  const u32 y = u32(x < 0 ? ~x : x);
  return y ? u32(__builtin_clz(y)) : ~0u;
}
inline u32 leading_signs(i64 x) {
  const u64 y = u64(x < 0 ? ~x : x);
  return y ? u32(__builtin_clzll(y)) : ~0u;
}
inline i32 sign24(u32 x) { return i32(x << 8) >> 8; }

template <class T>
inline T clamp_to(i64 x) {
  constexpr i64 low = std::is_signed_v<T> ? -(i64(1) << (sizeof(T) * 8 - 1)) : 0;
  constexpr i64 high = std::is_signed_v<T> ? (i64(1) << (sizeof(T) * 8 - 1)) - 1
                                           : i64((u64(1) << (sizeof(T) * 8)) - 1);
  return T(x < low ? low : x > high ? high : x);
}

inline u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
inline u32 byte_of(u32 x, u32 k) { return x >> (8 * k) & 255; }
u32 permute_bytes(u32 high, u32 low, u32 selectors);
u32 sad_bytes(u32 a, u32 b, u32 c, bool masked);

}  // namespace emu
