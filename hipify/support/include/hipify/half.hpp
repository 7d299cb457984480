// CUDA's half-precision functions that HIP lacks. A name is CUDA's less its leading underscores.
//
// `_rn` forms are not fused with others, `_mask` forms give all ones for each half that compares so. Results
// round once, to nearest even. At file scope are overloads, under their own names, that HIP has for other
// types only: __hmax2 and __hmin2 of half2, atomicAdd of half and half2. A HIP that has them itself wins.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_HALF_HPP
#define HIPIFY_HALF_HPP

#include "ptx_half.hpp"

#include <hip/hip_fp16.h>

namespace hipify {
namespace detail {

__device__ inline unsigned short half_bits(__half x) {
  unsigned short word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__device__ inline unsigned half2_bits(__half2 x) {
  unsigned word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__device__ inline __half half_of_bits(unsigned short word) {
  __half x;
  __builtin_memcpy(static_cast<void *>(&x), &word, sizeof(x));
  return x;
}
__device__ inline __half2 half2_of_bits(unsigned word) {
  __half2 x;
  __builtin_memcpy(static_cast<void *>(&x), &word, sizeof(x));
  return x;
}

// All ones in each half of the word whose numbers compare so; `widen` makes a float of 16 bits.
template <typename Widen, typename Test>
__device__ inline unsigned mask_of(unsigned x, unsigned y, Widen widen, Test test) {
  unsigned mask = 0;
  for (int at = 0; at < 32; at += 16) {
    const float left = widen(static_cast<unsigned short>(x >> at));
    const float right = widen(static_cast<unsigned short>(y >> at));
    if (test(left, right)) mask |= 0xffffu << at;
  }
  return mask;
}

// T where it is the same type as Only; for templates that take a single type and yield to plain functions.
template <typename T, typename Only>
struct JustThat {};
template <typename T>
struct JustThat<T, T> { typedef T type; };

}  // namespace detail

__device__ inline __half double2half(double x) { return detail::half_of_bits(fp16::to_f16_from_double(x)); }

// Towards zero, clamped to the type; NaN becomes 0.
__device__ inline signed char half2char_rz(__half x) {
  const float value = fp16::to_float_f16(detail::half_bits(x));
  return value != value ? 0 : static_cast<signed char>(value < -128.0f ? -128.0f : value > 127.0f ? 127.0f : value);
}
__device__ inline unsigned char half2uchar_rz(__half x) {
  const float value = fp16::to_float_f16(detail::half_bits(x));
  return value != value ? 0 : static_cast<unsigned char>(value < 0.0f ? 0.0f : value > 255.0f ? 255.0f : value);
}

// A comparison with `u` in its name holds where a number is NaN, one without does not (`ne` neither).
#define HIPIFY_HALF_MASK(name, test)                                                        \
  __device__ inline unsigned name##_mask(__half2 a, __half2 b) {                            \
    return detail::mask_of(detail::half2_bits(a), detail::half2_bits(b), fp16::to_float_f16, \
                           [](float x, float y) { return test; });                          \
  }
HIPIFY_HALF_MASK(heq2, x == y)
HIPIFY_HALF_MASK(hne2, x < y || x > y)
HIPIFY_HALF_MASK(hle2, x <= y)
HIPIFY_HALF_MASK(hge2, x >= y)
HIPIFY_HALF_MASK(hlt2, x < y)
HIPIFY_HALF_MASK(hgt2, x > y)
HIPIFY_HALF_MASK(hequ2, !(x < y || x > y))
HIPIFY_HALF_MASK(hneu2, x != y)
HIPIFY_HALF_MASK(hleu2, !(x > y))
HIPIFY_HALF_MASK(hgeu2, !(x < y))
HIPIFY_HALF_MASK(hltu2, !(x >= y))
HIPIFY_HALF_MASK(hgtu2, !(x <= y))
#undef HIPIFY_HALF_MASK

#define HIPIFY_HALF_BINARY(name, one, two)                                                  \
  __device__ inline __half one(__half a, __half b) {                                        \
    return detail::half_of_bits(fp16::name##_f16(detail::half_bits(a), detail::half_bits(b))); \
  }                                                                                         \
  __device__ inline __half2 two(__half2 a, __half2 b) {                                     \
    return detail::half2_of_bits(fp16::name##_f16x2(detail::half2_bits(a), detail::half2_bits(b))); \
  }
HIPIFY_HALF_BINARY(add, hadd_rn, hadd2_rn)
HIPIFY_HALF_BINARY(sub, hsub_rn, hsub2_rn)
HIPIFY_HALF_BINARY(mul, hmul_rn, hmul2_rn)
// NaN if either is one.
HIPIFY_HALF_BINARY(max_nan, hmax_nan, hmax2_nan)
HIPIFY_HALF_BINARY(min_nan, hmin_nan, hmin2_nan)
#undef HIPIFY_HALF_BINARY

// a * b + c, rounded once; what is negative becomes 0, NaN stays one.
__device__ inline __half hfma_relu(__half a, __half b, __half c) {
  using detail::half_bits;
  return detail::half_of_bits(fp16::relu_f16(fp16::fma_f16(half_bits(a), half_bits(b), half_bits(c))));
}
__device__ inline __half2 hfma2_relu(__half2 a, __half2 b, __half2 c) {
  using detail::half2_bits;
  return detail::half2_of_bits(fp16::relu_f16x2(fp16::fma_f16x2(half2_bits(a), half2_bits(b), half2_bits(c))));
}

// a * b + c for complex numbers, real parts in the lower halves; each step is rounded, in CUDA's order.
__device__ inline __half2 hcmadd(__half2 a, __half2 b, __half2 c) {
  const unsigned x = detail::half2_bits(a), y = detail::half2_bits(b);
  const unsigned re = x & 0xffffu, im = x >> 16;
  const unsigned first = fp16::fma_f16x2(re | re << 16, y, detail::half2_bits(c));
  return detail::half2_of_bits(fp16::fma_f16x2((im ^ 0x8000u) | im << 16, y >> 16 | y << 16, first));
}

#define HIPIFY_HALF_TANH(one, two)                                                          \
  __device__ inline __half one(__half a) {                                                  \
    return detail::half_of_bits(fp16::tanh_f16(detail::half_bits(a)));                      \
  }                                                                                         \
  __device__ inline __half2 two(__half2 a) {                                                \
    return detail::half2_of_bits(fp16::tanh_f16x2(detail::half2_bits(a)));                  \
  }
HIPIFY_HALF_TANH(htanh, h2tanh)
HIPIFY_HALF_TANH(htanh_approx, h2tanh_approx)
#undef HIPIFY_HALF_TANH

}  // namespace hipify

// The number if the other one is NaN; -0 is less than +0.
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __half2>::type __hmax2(T a, T b) {
  using hipify::detail::half2_bits;
  return hipify::detail::half2_of_bits(hipify::fp16::max_f16x2(half2_bits(a), half2_bits(b)));
}
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __half2>::type __hmin2(T a, T b) {
  using hipify::detail::half2_bits;
  return hipify::detail::half2_of_bits(hipify::fp16::min_f16x2(half2_bits(a), half2_bits(b)));
}

// Atomic by a compare-and-swap of the word that holds the number.
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __half2>::type atomicAdd(T *address, T value) {
  unsigned *word = reinterpret_cast<unsigned *>(address);
  return hipify::detail::half2_of_bits(hipify::fp16::atomic_add_f16x2(word, hipify::detail::half2_bits(value)));
}
template <typename T>
__device__ inline typename hipify::detail::JustThat<T, __half>::type atomicAdd(T *address, T value) {
  unsigned short *word = reinterpret_cast<unsigned short *>(address);
  return hipify::detail::half_of_bits(hipify::fp16::atomic_add_f16(word, hipify::detail::half_bits(value)));
}

#endif  // HIPIFY_HALF_HPP
