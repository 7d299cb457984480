// PTX's single-precision arithmetic where C++ has no operator for it: directed rounding, saturation, NaN rules.
//
// Names end in the rounding: rn to nearest even, rz towards zero, rd down (PTX's .rm), ru up (.rp). Results
// are exact to the last bit: the error of a sum, product, quotient or root is known without loss in double
// precision, and its sign says whether the nearest number is the wrong one.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_PTX_FLOAT_HPP
#define HIPIFY_PTX_FLOAT_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace fp {

// Sums and products that are not fused with others, as PTX's explicit .rn has it.
__device__ inline float add_rn(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline double add_rn(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline float mul_rn(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ inline double mul_rn(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}

namespace detail {

enum Rounding { towards_zero, down, up };

__device__ inline unsigned bits(float x) {
  unsigned word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__device__ inline float number(unsigned word) {
  float x;
  __builtin_memcpy(&x, &word, sizeof(x));
  return x;
}

// The next number up, and down; beyond the largest one lies infinity.
__device__ inline float above(float x) {
  if (x == 0.0f) return number(1u);
  return number(bits(x) + (x > 0.0f ? 1u : ~0u));
}
__device__ inline float below(float x) { return -above(-x); }

// high + low rounded to single precision. `low` is less than a unit in the last place of `high`.
template <Rounding rounding>
__device__ inline float round(double high, double low) {
  const float nearest = static_cast<float>(high);
  if (!__builtin_isfinite(high)) return nearest;
  double error = high - static_cast<double>(nearest);
  if (error == 0.0) error = low;
  const bool falls = rounding == down || (rounding == towards_zero && high > 0.0);
  const bool rises = rounding == up || (rounding == towards_zero && high < 0.0);
  if (falls && error < 0.0) return below(nearest);
  if (rises && error > 0.0) return above(nearest);
  return nearest;
}

// a + b as a double and what that leaves out.
template <Rounding rounding>
__device__ inline float rounded_sum(double a, double b) {
#pragma clang fp contract(off)
  const double sum = a + b;
  if (!__builtin_isfinite(sum)) return static_cast<float>(sum);
  // Opposite numbers make +0, but -0 where one rounds down.
  if (sum == 0.0) return rounding == down && (a != 0.0 || __builtin_signbit(a) != __builtin_signbit(b)) ? -0.0f : static_cast<float>(sum);
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);
  return round<rounding>(sum, error);
}

template <Rounding rounding>
__device__ inline float quotient(float a, float b) {
  const double x = a, y = b, q = x / y;
  if (!__builtin_isfinite(x) || !__builtin_isfinite(y) || y == 0.0) return static_cast<float>(q);
  return round<rounding>(q, __builtin_fma(-q, y, x) / y);
}

template <Rounding rounding>
__device__ inline float root(float a) {
  const double x = a, s = __builtin_sqrt(x);
  if (!(x > 0.0) || !__builtin_isfinite(x)) return static_cast<float>(s);
  return round<rounding>(s, __builtin_fma(-s, s, x));
}

// A 64-bit integer of either sign, in two doubles that hold it exactly.
template <Rounding rounding>
__device__ inline float from_parts(double upper, double lower) {
#pragma clang fp contract(off)
  return rounded_sum<rounding>(upper * 4294967296.0, lower);
}
template <Rounding rounding>
__device__ inline float from_integer(long long x) {
  return from_parts<rounding>(static_cast<double>(static_cast<int>(x >> 32)), static_cast<double>(static_cast<unsigned>(x)));
}
template <Rounding rounding>
__device__ inline float from_integer(unsigned long long x) {
  return from_parts<rounding>(static_cast<double>(static_cast<unsigned>(x >> 32)), static_cast<double>(static_cast<unsigned>(x)));
}

}  // namespace detail

__device__ inline float add_rz(float a, float b) { return detail::rounded_sum<detail::towards_zero>(a, b); }
__device__ inline float add_rd(float a, float b) { return detail::rounded_sum<detail::down>(a, b); }
__device__ inline float add_ru(float a, float b) { return detail::rounded_sum<detail::up>(a, b); }

// The product of two single-precision numbers is exact in double precision.
__device__ inline float mul_rz(float a, float b) { return detail::round<detail::towards_zero>(static_cast<double>(a) * b, 0.0); }
__device__ inline float mul_rd(float a, float b) { return detail::round<detail::down>(static_cast<double>(a) * b, 0.0); }
__device__ inline float mul_ru(float a, float b) { return detail::round<detail::up>(static_cast<double>(a) * b, 0.0); }

__device__ inline float fma_rz(float a, float b, float c) {
  return detail::rounded_sum<detail::towards_zero>(mul_rn(static_cast<double>(a), static_cast<double>(b)), c);
}
__device__ inline float fma_rd(float a, float b, float c) {
  return detail::rounded_sum<detail::down>(mul_rn(static_cast<double>(a), static_cast<double>(b)), c);
}
__device__ inline float fma_ru(float a, float b, float c) {
  return detail::rounded_sum<detail::up>(mul_rn(static_cast<double>(a), static_cast<double>(b)), c);
}

__device__ inline float div_rz(float a, float b) { return detail::quotient<detail::towards_zero>(a, b); }
__device__ inline float div_rd(float a, float b) { return detail::quotient<detail::down>(a, b); }
__device__ inline float div_ru(float a, float b) { return detail::quotient<detail::up>(a, b); }
__device__ inline float sqrt_rz(float a) { return detail::root<detail::towards_zero>(a); }
__device__ inline float sqrt_rd(float a) { return detail::root<detail::down>(a); }
__device__ inline float sqrt_ru(float a) { return detail::root<detail::up>(a); }

// --- conversions ---

__device__ inline float to_float_rz(double x) { return detail::round<detail::towards_zero>(x, 0.0); }
__device__ inline float to_float_rd(double x) { return detail::round<detail::down>(x, 0.0); }
__device__ inline float to_float_ru(double x) { return detail::round<detail::up>(x, 0.0); }
__device__ inline float to_float_rz(int x) { return to_float_rz(static_cast<double>(x)); }
__device__ inline float to_float_rd(int x) { return to_float_rd(static_cast<double>(x)); }
__device__ inline float to_float_ru(int x) { return to_float_ru(static_cast<double>(x)); }
__device__ inline float to_float_rz(unsigned x) { return to_float_rz(static_cast<double>(x)); }
__device__ inline float to_float_rd(unsigned x) { return to_float_rd(static_cast<double>(x)); }
__device__ inline float to_float_ru(unsigned x) { return to_float_ru(static_cast<double>(x)); }
__device__ inline float to_float_rz(long long x) { return detail::from_integer<detail::towards_zero>(x); }
__device__ inline float to_float_rd(long long x) { return detail::from_integer<detail::down>(x); }
__device__ inline float to_float_ru(long long x) { return detail::from_integer<detail::up>(x); }
__device__ inline float to_float_rz(unsigned long long x) { return detail::from_integer<detail::towards_zero>(x); }
__device__ inline float to_float_rd(unsigned long long x) { return detail::from_integer<detail::down>(x); }
__device__ inline float to_float_ru(unsigned long long x) { return detail::from_integer<detail::up>(x); }

// cvt to an integer: what does not fit becomes the nearest number that does, NaN becomes 0. The fraction is cut.
template <typename T, typename F>
__device__ inline T to_integer(F x) {
  const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  const int bits = static_cast<int>(sizeof(T)) * 8;
  const T lowest = is_signed ? static_cast<T>(static_cast<T>(1) << (bits - 1)) : static_cast<T>(0);
  // Twice half of the range, so that the power of two above the range is exact.
  const F end = static_cast<F>(2) * static_cast<F>(1ull << (is_signed ? bits - 2 : bits - 1));
  if (x != x) return static_cast<T>(0);
  if (x <= static_cast<F>(lowest)) return lowest;
  if (x >= end) return static_cast<T>(~lowest);
  return static_cast<T>(x);
}

// cvt to tf32: a float whose lower 13 bits are 0, as its bits. rna rounds halves away from zero.
__device__ inline unsigned to_tf32_rna(float x) {
  if (x != x) return 0x7fffffffu;
  if (!__builtin_isfinite(x)) return detail::bits(x);
  return (detail::bits(x) + 0x1000u) & ~0x1fffu;
}
__device__ inline unsigned to_tf32_rn(float x) {
  if (x != x) return 0x7fffffffu;
  if (!__builtin_isfinite(x)) return detail::bits(x);
  const unsigned word = detail::bits(x);
  return (word + 0x0fffu + (word >> 13 & 1u)) & ~0x1fffu;
}
__device__ inline unsigned to_tf32_rz(float x) { return x != x ? 0x7fffffffu : detail::bits(x) & ~0x1fffu; }

// --- saturation, minimum and maximum ---

// .sat: within [0, 1]; NaN becomes 0.
__device__ inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// min.NaN and max.NaN: NaN if either is.
__device__ inline float min_nan(float a, float b) {
  return a != a || b != b ? detail::number(0x7fffffffu) : __builtin_fminf(a, b);
}
__device__ inline float max_nan(float a, float b) {
  return a != a || b != b ? detail::number(0x7fffffffu) : __builtin_fmaxf(a, b);
}

// .xorsign.abs: of the magnitudes, with the sign of the product.
__device__ inline float min_xorsign(float a, float b) {
  const unsigned sign = (detail::bits(a) ^ detail::bits(b)) & 0x80000000u;
  return detail::number(detail::bits(__builtin_fminf(__builtin_fabsf(a), __builtin_fabsf(b))) | sign);
}
__device__ inline float max_xorsign(float a, float b) {
  const unsigned sign = (detail::bits(a) ^ detail::bits(b)) & 0x80000000u;
  return detail::number(detail::bits(__builtin_fmaxf(__builtin_fabsf(a), __builtin_fabsf(b))) | sign);
}

// --- two numbers in a word of 64 bits ---

namespace detail {

__device__ inline float low(unsigned long long x) { return number(static_cast<unsigned>(x)); }
__device__ inline float high(unsigned long long x) { return number(static_cast<unsigned>(x >> 32)); }
__device__ inline unsigned long long pair(float low, float high) {
  return static_cast<unsigned long long>(bits(high)) << 32 | bits(low);
}

}  // namespace detail

__device__ inline unsigned long long add_f32x2(unsigned long long a, unsigned long long b) {
  return detail::pair(add_rn(detail::low(a), detail::low(b)), add_rn(detail::high(a), detail::high(b)));
}
__device__ inline unsigned long long sub_f32x2(unsigned long long a, unsigned long long b) {
  return detail::pair(add_rn(detail::low(a), -detail::low(b)), add_rn(detail::high(a), -detail::high(b)));
}
__device__ inline unsigned long long mul_f32x2(unsigned long long a, unsigned long long b) {
  return detail::pair(mul_rn(detail::low(a), detail::low(b)), mul_rn(detail::high(a), detail::high(b)));
}
__device__ inline unsigned long long fma_f32x2(unsigned long long a, unsigned long long b, unsigned long long c) {
  return detail::pair(__builtin_fmaf(detail::low(a), detail::low(b), detail::low(c)),
                      __builtin_fmaf(detail::high(a), detail::high(b), detail::high(c)));
}

}  // namespace fp
}  // namespace hipify

#endif  // HIPIFY_PTX_FLOAT_HPP
