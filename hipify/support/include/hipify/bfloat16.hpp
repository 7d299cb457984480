// CUDA's conversions of bfloat16 and functions on it that HIP lacks. A name is CUDA's less its leading underscores.
//
// Names end in the rounding: rn to nearest even, rz towards zero, rd down, ru up; each result is rounded once.
// To integers, what is too large is clamped; NaN becomes 0, and for 64 bits the top bit alone. At file scope
// are overloads, under their own names, that HIP has for half only: atomicAdd, __ldg and `_sat` forms.
//
// Works with HIP (AMD, ROCm 6.2 or newer), from C++11 on.

#ifndef HIPIFY_BFLOAT16_HPP
#define HIPIFY_BFLOAT16_HPP

#include "half.hpp"

#include <hip/hip_bf16.h>

namespace hipify {
namespace bf16 {

enum Rounding { rn, rz, rd, ru };

__host__ __device__ inline __hip_bfloat16 of_bits(unsigned word) {
  const unsigned short half = static_cast<unsigned short>(word);
  __hip_bfloat16 x;
  __builtin_memcpy(static_cast<void *>(&x), &half, sizeof(x));
  return x;
}
__host__ __device__ inline unsigned short bits(__hip_bfloat16 x) {
  unsigned short word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__host__ __device__ inline float widened(__hip_bfloat16 x) {
  const unsigned word = static_cast<unsigned>(bits(x)) << 16;
  float value;
  __builtin_memcpy(&value, &word, sizeof(value));
  return value;
}

// Whether the magnitude goes up, given the part that is cut off (in units of 1 / `whole`) and the last bit kept.
__host__ __device__ inline bool rises(unsigned long long rest, unsigned long long half, bool odd, bool negative, Rounding rounding) {
  if (rounding == rn) return rest > half || (rest == half && odd);
  return rest != 0 && ((rounding == ru && !negative) || (rounding == rd && negative));
}

__host__ __device__ inline __hip_bfloat16 from_float(float x, Rounding rounding) {
  unsigned word;
  __builtin_memcpy(&word, &x, sizeof(word));
  if (x != x) return of_bits(0x7fffu);
  const bool up = rises(word & 0xffffu, 0x8000u, (word >> 16 & 1u) != 0, (word >> 31) != 0, rounding);
  return of_bits((word >> 16) + (up ? 1u : 0u));
}

// A number of 8 bits and its exponent, from the magnitude of an integer.
__host__ __device__ inline __hip_bfloat16 from_magnitude(unsigned long long size, bool negative, Rounding rounding) {
  const unsigned sign = negative ? 0x8000u : 0u;
  if (size == 0) return of_bits(0u);
  const int top = 63 - __builtin_clzll(size), cut = top > 7 ? top - 7 : 0;
  unsigned kept = static_cast<unsigned>(top > 7 ? size >> cut : size << (7 - top));
  if (cut > 0) {
    const unsigned long long half = 1ull << (cut - 1), rest = size & (2 * half - 1);
    kept += rises(rest, half, (kept & 1u) != 0, negative, rounding) ? 1u : 0u;
  }
  // A carry out of the 8 bits goes into the exponent, where it belongs.
  return of_bits(sign | ((static_cast<unsigned>(127 + top) << 7) + (kept - 128u)));
}
template <typename T>
__host__ __device__ inline __hip_bfloat16 from_integer(T x, Rounding rounding) {
  const bool negative = x < 0;
  const unsigned long long word = static_cast<unsigned long long>(x);
  return from_magnitude(negative ? 0ull - word : word, negative, rounding);
}

// The float is clamped to [low, high), powers of two or 0, before it becomes a T.
template <typename T>
__host__ __device__ inline T to_integer(__hip_bfloat16 x, Rounding rounding, T nan, float low, T lowest, float high, T highest) {
  const float value = widened(x);
  if (value != value) return nan;
  const float whole = rounding == rn   ? __builtin_rintf(value)
                      : rounding == rz ? __builtin_truncf(value)
                      : rounding == rd ? __builtin_floorf(value)
                                       : __builtin_ceilf(value);
  if (whole < low) return lowest;
  if (whole >= high) return highest;
  return static_cast<T>(whole);
}

}  // namespace bf16

#define HIPIFY_BF16_TO(name, T, nan, low, lowest, high, highest, rounding)                                  \
  __host__ __device__ inline T bfloat162##name##_##rounding(__hip_bfloat16 x) {                             \
    return bf16::to_integer<T>(x, bf16::rounding, nan, low, lowest, high, highest);                         \
  }
#define HIPIFY_BF16_INTEGER(name, T, nan, low, lowest, high, highest)                                       \
  HIPIFY_BF16_TO(name, T, nan, low, lowest, high, highest, rn)                                              \
  HIPIFY_BF16_TO(name, T, nan, low, lowest, high, highest, rz)                                              \
  HIPIFY_BF16_TO(name, T, nan, low, lowest, high, highest, rd)                                              \
  HIPIFY_BF16_TO(name, T, nan, low, lowest, high, highest, ru)                                              \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rn(T x) { return bf16::from_integer(x, bf16::rn); } \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rz(T x) { return bf16::from_integer(x, bf16::rz); } \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rd(T x) { return bf16::from_integer(x, bf16::rd); } \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_ru(T x) { return bf16::from_integer(x, bf16::ru); }
HIPIFY_BF16_INTEGER(short, short, 0, -32768.0f, -32767 - 1, 32768.0f, 32767)
HIPIFY_BF16_INTEGER(ushort, unsigned short, 0, 0.0f, 0, 65536.0f, 65535)
HIPIFY_BF16_INTEGER(int, int, 0, -2147483648.0f, -2147483647 - 1, 2147483648.0f, 2147483647)
HIPIFY_BF16_INTEGER(uint, unsigned, 0u, 0.0f, 0u, 4294967296.0f, ~0u)
HIPIFY_BF16_INTEGER(ll, long long, -9223372036854775807ll - 1, -9223372036854775808.0f, -9223372036854775807ll - 1,
                    9223372036854775808.0f, 9223372036854775807ll)
HIPIFY_BF16_INTEGER(ull, unsigned long long, 1ull << 63, 0.0f, 0ull, 18446744073709551616.0f, ~0ull)
HIPIFY_BF16_TO(char, signed char, 0, -128.0f, -128, 128.0f, 127, rz)
HIPIFY_BF16_TO(uchar, unsigned char, 0, 0.0f, 0, 256.0f, 255, rz)
#undef HIPIFY_BF16_INTEGER
#undef HIPIFY_BF16_TO

__host__ __device__ inline __hip_bfloat16 float2bfloat16_rz(float x) { return bf16::from_float(x, bf16::rz); }
__host__ __device__ inline __hip_bfloat16 float2bfloat16_rd(float x) { return bf16::from_float(x, bf16::rd); }
__host__ __device__ inline __hip_bfloat16 float2bfloat16_ru(float x) { return bf16::from_float(x, bf16::ru); }

namespace bf16 {

__device__ inline unsigned pair_bits(__hip_bfloat162 x) {
  unsigned word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__device__ inline __hip_bfloat162 pair_of_bits(unsigned word) {
  __hip_bfloat162 x;
  __builtin_memcpy(static_cast<void *>(&x), &word, sizeof(x));
  return x;
}

}  // namespace bf16

// As those of half.hpp, on bfloat16.
#define HIPIFY_BF16_MASK(name, test)                                                                     \
  __device__ inline unsigned name##_mask(__hip_bfloat162 a, __hip_bfloat162 b) {                         \
    return detail::mask_of(bf16::pair_bits(a), bf16::pair_bits(b), fp16::to_float_bf16,                  \
                           [](float x, float y) { return test; });                                       \
  }
HIPIFY_BF16_MASK(heq2, x == y)
HIPIFY_BF16_MASK(hne2, x < y || x > y)
HIPIFY_BF16_MASK(hle2, x <= y)
HIPIFY_BF16_MASK(hge2, x >= y)
HIPIFY_BF16_MASK(hlt2, x < y)
HIPIFY_BF16_MASK(hgt2, x > y)
HIPIFY_BF16_MASK(hequ2, !(x < y || x > y))
HIPIFY_BF16_MASK(hneu2, x != y)
HIPIFY_BF16_MASK(hleu2, !(x > y))
HIPIFY_BF16_MASK(hgeu2, !(x < y))
HIPIFY_BF16_MASK(hltu2, !(x >= y))
HIPIFY_BF16_MASK(hgtu2, !(x <= y))
#undef HIPIFY_BF16_MASK

#define HIPIFY_BF16_BINARY(name, one, two)                                                               \
  __device__ inline __hip_bfloat16 one(__hip_bfloat16 a, __hip_bfloat16 b) {                             \
    return bf16::of_bits(fp16::name##_bf16(bf16::bits(a), bf16::bits(b)));                               \
  }                                                                                                      \
  __device__ inline __hip_bfloat162 two(__hip_bfloat162 a, __hip_bfloat162 b) {                          \
    return bf16::pair_of_bits(fp16::name##_bf16x2(bf16::pair_bits(a), bf16::pair_bits(b)));              \
  }
HIPIFY_BF16_BINARY(add, hadd_rn, hadd2_rn)
HIPIFY_BF16_BINARY(sub, hsub_rn, hsub2_rn)
HIPIFY_BF16_BINARY(mul, hmul_rn, hmul2_rn)
HIPIFY_BF16_BINARY(max_nan, hmax_nan, hmax2_nan)
HIPIFY_BF16_BINARY(min_nan, hmin_nan, hmin2_nan)
#undef HIPIFY_BF16_BINARY

__device__ inline __hip_bfloat16 hfma_relu(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  using bf16::bits;
  return bf16::of_bits(fp16::relu_bf16(fp16::fma_bf16(bits(a), bits(b), bits(c))));
}
__device__ inline __hip_bfloat162 hfma2_relu(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  using bf16::pair_bits;
  return bf16::pair_of_bits(fp16::relu_bf16x2(fp16::fma_bf16x2(pair_bits(a), pair_bits(b), pair_bits(c))));
}
__device__ inline __hip_bfloat162 hcmadd(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  const unsigned x = bf16::pair_bits(a), y = bf16::pair_bits(b);
  const unsigned re = x & 0xffffu, im = x >> 16;
  const unsigned first = fp16::fma_bf16x2(re | re << 16, y, bf16::pair_bits(c));
  return bf16::pair_of_bits(fp16::fma_bf16x2((im ^ 0x8000u) | im << 16, y >> 16 | y << 16, first));
}

#define HIPIFY_BF16_TANH(one, two)                                                                       \
  __device__ inline __hip_bfloat16 one(__hip_bfloat16 a) {                                               \
    return bf16::of_bits(fp16::tanh_bf16(bf16::bits(a)));                                                \
  }                                                                                                      \
  __device__ inline __hip_bfloat162 two(__hip_bfloat162 a) {                                             \
    return bf16::pair_of_bits(fp16::tanh_bf16x2(bf16::pair_bits(a)));                                    \
  }
HIPIFY_BF16_TANH(htanh, h2tanh)
HIPIFY_BF16_TANH(htanh_approx, h2tanh_approx)
#undef HIPIFY_BF16_TANH

}  // namespace hipify

// Atomic by a compare-and-swap of the word that holds the number.
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __hip_bfloat162>::type atomicAdd(T *address, T value) {
  unsigned *word = reinterpret_cast<unsigned *>(address);
  return hipify::bf16::pair_of_bits(hipify::fp16::atomic_add_bf16x2(word, hipify::bf16::pair_bits(value)));
}
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __hip_bfloat16>::type atomicAdd(T *address, T value) {
  unsigned short *word = reinterpret_cast<unsigned short *>(address);
  return hipify::bf16::of_bits(hipify::fp16::atomic_add_bf16(word, hipify::bf16::bits(value)));
}

template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __hip_bfloat162>::type __ldg(const T *address) { return *address; }
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __hip_bfloat16>::type __ldg(const T *address) { return *address; }

// Within [0, 1]; NaN becomes 0.
#define HIPIFY_BF16_SATURATED(name)                                                                             \
  template <typename T>                                                                                         \
  __device__ inline typename hipify::detail::JustThat<T, __hip_bfloat16>::type __h##name##_sat(T a, T b) {        \
    const unsigned short sum = hipify::fp16::name##_bf16(hipify::bf16::bits(a), hipify::bf16::bits(b));         \
    return hipify::bf16::of_bits(hipify::fp16::saturate_bf16(sum));                                             \
  }                                                                                                             \
  template <typename T>                                                                                         \
  __device__ inline typename hipify::detail::JustThat<T, __hip_bfloat162>::type __h##name##2_sat(T a, T b) {      \
    const unsigned sum = hipify::fp16::name##_bf16x2(hipify::bf16::pair_bits(a), hipify::bf16::pair_bits(b));   \
    return hipify::bf16::pair_of_bits(hipify::fp16::saturate_bf16x2(sum));                                      \
  }
HIPIFY_BF16_SATURATED(add)
HIPIFY_BF16_SATURATED(sub)
HIPIFY_BF16_SATURATED(mul)
#undef HIPIFY_BF16_SATURATED

#endif  // HIPIFY_BFLOAT16_HPP
