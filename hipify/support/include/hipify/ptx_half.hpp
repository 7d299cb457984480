// PTX's arithmetic on halves (f16) and bfloats (bf16), which inline PTX holds as bits in integers.
//
// A name ends in the type: f16, bf16, or f16x2 and bf16x2 for two in a word, the first in its lower half.
// Each operation rounds once, to nearest even, as PTX does.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_PTX_HALF_HPP
#define HIPIFY_PTX_HALF_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace fp16 {

namespace detail {

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
__device__ inline _Float16 half(unsigned short word) {
  _Float16 x;
  __builtin_memcpy(&x, &word, sizeof(x));
  return x;
}
__device__ inline unsigned short half_bits(_Float16 x) {
  unsigned short word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}

}  // namespace detail

// --- conversions ---

__device__ inline float to_float_f16(unsigned short x) { return static_cast<float>(detail::half(x)); }
__device__ inline float to_float_bf16(unsigned short x) { return detail::number(static_cast<unsigned>(x) << 16); }

__device__ inline unsigned short to_f16(float x) { return detail::half_bits(static_cast<_Float16>(x)); }
__device__ inline unsigned short to_f16_from_double(double x) { return detail::half_bits(static_cast<_Float16>(x)); }
// Towards zero: one less in magnitude where the nearest half is further from zero. Infinity only from infinity.
__device__ inline unsigned short to_f16_rz(float x) {
  const unsigned short nearest = to_f16(x);
  const bool further = __builtin_fabsf(to_float_f16(nearest)) > __builtin_fabsf(x);
  return static_cast<unsigned short>(further ? nearest - 1 : nearest);
}

__device__ inline unsigned short to_bf16(float x) {
  if (x != x) return 0x7fff;
  const unsigned word = detail::bits(x);
  return static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}
__device__ inline unsigned short to_bf16_rz(float x) {
  return x != x ? static_cast<unsigned short>(0x7fff) : static_cast<unsigned short>(detail::bits(x) >> 16);
}

__device__ inline unsigned pack(unsigned short low, unsigned short high) {
  return static_cast<unsigned>(high) << 16 | low;
}

namespace detail {

// a * b + c as a double, made odd where that is not exact, so that rounding it again rounds as if once.
__device__ inline double odd_fma(double a, double b, double c) {
#pragma clang fp contract(off)
  const double product = a * b, sum = product + c;
  if (!__builtin_isfinite(sum)) return sum;
  const double of_c = sum - product;
  const double error = (product - (sum - of_c)) + (c - of_c);
  unsigned long long word;
  __builtin_memcpy(&word, &sum, sizeof(word));
  if (error != 0.0 && (word & 1u) == 0) word += (error > 0.0) == (sum > 0.0) ? 1ull : ~0ull;
  double odd;
  __builtin_memcpy(&odd, &word, sizeof(odd));
  return odd;
}

struct F16 {
  __device__ static float widen(unsigned short x) { return to_float_f16(x); }
  __device__ static unsigned short narrow(float x) { return to_f16(x); }
  __device__ static unsigned short fma(unsigned short a, unsigned short b, unsigned short c) {
#if defined(__HIP_DEVICE_COMPILE__)
    return half_bits(__builtin_fmaf16(half(a), half(b), half(c)));
#else
    return to_f16_from_double(odd_fma(widen(a), widen(b), widen(c)));
#endif
  }
};

struct BF16 {
  __device__ static float widen(unsigned short x) { return to_float_bf16(x); }
  __device__ static unsigned short narrow(float x) { return to_bf16(x); }
  __device__ static unsigned short fma(unsigned short a, unsigned short b, unsigned short c) {
    const float sum = __builtin_fmaf(widen(a), widen(b), widen(c));
    if (!__builtin_isfinite(sum) || (bits(sum) & 0xffffu) != 0x8000u) return narrow(sum);
    // Half way between two bfloats: the error of the sum tells on which side the true value lies.
    const double exact = odd_fma(widen(a), widen(b), widen(c));
    if (exact == static_cast<double>(sum)) return narrow(sum);
    const bool larger = __builtin_fabs(exact) > static_cast<double>(__builtin_fabsf(sum));
    return static_cast<unsigned short>((bits(sum) >> 16) + (larger ? 1u : 0u));
  }
};

template <typename H>
__device__ inline unsigned short add(unsigned short a, unsigned short b) {
  return H::narrow(H::widen(a) + H::widen(b));
}
template <typename H>
__device__ inline unsigned short sub(unsigned short a, unsigned short b) {
  return H::narrow(H::widen(a) - H::widen(b));
}
template <typename H>
__device__ inline unsigned short mul(unsigned short a, unsigned short b) {
  return H::narrow(H::widen(a) * H::widen(b));
}
// The number if the other one is NaN; -0 is less than +0.
template <typename H>
__device__ inline unsigned short min(unsigned short a, unsigned short b) {
  const float x = H::widen(a), y = H::widen(b);
  if (x != x && y != y) return 0x7fff;
  if (x == y) return static_cast<unsigned short>(a | b);
  return y != y || x < y ? a : b;
}
template <typename H>
__device__ inline unsigned short max(unsigned short a, unsigned short b) {
  const float x = H::widen(a), y = H::widen(b);
  if (x != x && y != y) return 0x7fff;
  if (x == y) return static_cast<unsigned short>(a & b);
  return y != y || x > y ? a : b;
}
template <typename H>
__device__ inline bool is_nan(unsigned short a) {
  const float x = H::widen(a);
  return x != x;
}
template <typename H>
__device__ inline unsigned short min_nan(unsigned short a, unsigned short b) {
  return is_nan<H>(a) || is_nan<H>(b) ? static_cast<unsigned short>(0x7fff) : min<H>(a, b);
}
template <typename H>
__device__ inline unsigned short max_nan(unsigned short a, unsigned short b) {
  return is_nan<H>(a) || is_nan<H>(b) ? static_cast<unsigned short>(0x7fff) : max<H>(a, b);
}
template <typename H>
__device__ inline unsigned short ex2(unsigned short a) {
  return H::narrow(__builtin_exp2f(H::widen(a)));
}
template <typename H>
__device__ inline unsigned short tanh(unsigned short a) {
  return H::narrow(tanhf(H::widen(a)));
}
// .relu: negative numbers become 0, NaN stays one.
template <typename H>
__device__ inline unsigned short relu(unsigned short a) {
  return is_nan<H>(a) ? static_cast<unsigned short>(0x7fff) : static_cast<unsigned short>(a & 0x8000 ? 0 : a);
}
// .sat: within [0, 1]; NaN becomes 0.
template <typename H>
__device__ inline unsigned short saturate(unsigned short a) {
  const float x = H::widen(a);
  return x > 0.0f ? (x < 1.0f ? a : H::narrow(1.0f)) : static_cast<unsigned short>(0);
}

__device__ inline unsigned short low(unsigned x) { return static_cast<unsigned short>(x); }
__device__ inline unsigned short high(unsigned x) { return static_cast<unsigned short>(x >> 16); }

}  // namespace detail

// Each operation for the four types.
#define HIPIFY_FP16_UNARY(name)                                                                          \
  __device__ inline unsigned short name##_f16(unsigned short a) { return detail::name<detail::F16>(a); } \
  __device__ inline unsigned short name##_bf16(unsigned short a) { return detail::name<detail::BF16>(a); } \
  __device__ inline unsigned name##_f16x2(unsigned a) {                                                  \
    return pack(name##_f16(detail::low(a)), name##_f16(detail::high(a)));                                \
  }                                                                                                      \
  __device__ inline unsigned name##_bf16x2(unsigned a) {                                                 \
    return pack(name##_bf16(detail::low(a)), name##_bf16(detail::high(a)));                              \
  }
#define HIPIFY_FP16_BINARY(name)                                                                      \
  __device__ inline unsigned short name##_f16(unsigned short a, unsigned short b) {                   \
    return detail::name<detail::F16>(a, b);                                                           \
  }                                                                                                   \
  __device__ inline unsigned short name##_bf16(unsigned short a, unsigned short b) {                  \
    return detail::name<detail::BF16>(a, b);                                                          \
  }                                                                                                   \
  __device__ inline unsigned name##_f16x2(unsigned a, unsigned b) {                                   \
    return pack(name##_f16(detail::low(a), detail::low(b)), name##_f16(detail::high(a), detail::high(b))); \
  }                                                                                                   \
  __device__ inline unsigned name##_bf16x2(unsigned a, unsigned b) {                                  \
    return pack(name##_bf16(detail::low(a), detail::low(b)), name##_bf16(detail::high(a), detail::high(b))); \
  }

HIPIFY_FP16_BINARY(add)
HIPIFY_FP16_BINARY(sub)
HIPIFY_FP16_BINARY(mul)
HIPIFY_FP16_BINARY(min)
HIPIFY_FP16_BINARY(max)
HIPIFY_FP16_BINARY(min_nan)
HIPIFY_FP16_BINARY(max_nan)
HIPIFY_FP16_UNARY(ex2)
HIPIFY_FP16_UNARY(tanh)
HIPIFY_FP16_UNARY(relu)
HIPIFY_FP16_UNARY(saturate)

#undef HIPIFY_FP16_UNARY
#undef HIPIFY_FP16_BINARY

__device__ inline unsigned short fma_f16(unsigned short a, unsigned short b, unsigned short c) {
  return detail::F16::fma(a, b, c);
}
__device__ inline unsigned short fma_bf16(unsigned short a, unsigned short b, unsigned short c) {
  return detail::BF16::fma(a, b, c);
}
__device__ inline unsigned fma_f16x2(unsigned a, unsigned b, unsigned c) {
  using detail::high;
  using detail::low;
  return pack(fma_f16(low(a), low(b), low(c)), fma_f16(high(a), high(b), high(c)));
}
__device__ inline unsigned fma_bf16x2(unsigned a, unsigned b, unsigned c) {
  using detail::high;
  using detail::low;
  return pack(fma_bf16(low(a), low(b), low(c)), fma_bf16(high(a), high(b), high(c)));
}

// --- atomic sums: a compare-and-swap of the word that holds the number; they return what was there before ---

namespace detail {

template <typename Op>
__device__ inline unsigned update(unsigned *word, Op op) {
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(word, &old, op(old), __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT)) {
  }
  return old;
}

template <typename H>
__device__ inline unsigned short atomic_add(unsigned short *address, unsigned short value) {
  const unsigned long long at = reinterpret_cast<unsigned long long>(address);
  const unsigned shift = (at & 2ull) ? 16u : 0u;
  const unsigned old = update(reinterpret_cast<unsigned *>(at & ~3ull), [=](unsigned word) {
    const unsigned sum = add<H>(static_cast<unsigned short>(word >> shift), value);
    return (word & ~(0xffffu << shift)) | sum << shift;
  });
  return static_cast<unsigned short>(old >> shift);
}

}  // namespace detail

__device__ inline unsigned short atomic_add_f16(unsigned short *address, unsigned short value) {
  return detail::atomic_add<detail::F16>(address, value);
}
__device__ inline unsigned short atomic_add_bf16(unsigned short *address, unsigned short value) {
  return detail::atomic_add<detail::BF16>(address, value);
}
__device__ inline unsigned atomic_add_f16x2(unsigned *address, unsigned value) {
  return detail::update(address, [=](unsigned word) { return add_f16x2(word, value); });
}
__device__ inline unsigned atomic_add_bf16x2(unsigned *address, unsigned value) {
  return detail::update(address, [=](unsigned word) { return add_bf16x2(word, value); });
}

}  // namespace fp16
}  // namespace hipify

#endif  // HIPIFY_PTX_HALF_HPP
