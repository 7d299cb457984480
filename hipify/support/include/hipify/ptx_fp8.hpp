// PTX's conversions to and from 8-bit floating point, two numbers at a time, held as bits in integers.
//
// e4m3 has 4 bits of exponent and 3 of mantissa, no infinity, and 448 as its largest number; e5m2 is the
// upper half of an f16. Conversions round to nearest even; what is too large becomes the largest number.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_PTX_FP8_HPP
#define HIPIFY_PTX_FP8_HPP

#include "ptx_half.hpp"

namespace hipify {
namespace fp8 {

namespace detail {

// A number in a format of `mantissa` bits behind an exponent of bias `bias`, as its code; `largest` is the
// code of the largest number.
__device__ inline unsigned encode(float x, int mantissa, int bias, unsigned largest) {
  const unsigned word = fp16::detail::bits(x), sign = word >> 24 & 0x80u;
  if (x != x) return 0x7fu;
  const float size = __builtin_fabsf(x);
  const float smallest_normal = fp16::detail::number(static_cast<unsigned>(128 - bias) << 23);
  unsigned code;
  if (size < smallest_normal) {
    // Steps between subnormal numbers are all the same size, so counting them is rounding.
    const float steps = size * fp16::detail::number(static_cast<unsigned>(127 + bias - 1 + mantissa) << 23);
    code = static_cast<unsigned>(__builtin_rintf(steps));
  } else {
    const unsigned drop = static_cast<unsigned>(23 - mantissa), magnitude = word & 0x7fffffffu;
    const unsigned rounded = magnitude + (1u << (drop - 1)) - 1u + (magnitude >> drop & 1u);
    code = (rounded >> drop) - (static_cast<unsigned>(127 - bias) << mantissa);
  }
  return sign | (code < largest ? code : largest);
}

__device__ inline unsigned short to_half_from_e4m3(unsigned code) {
  const unsigned sign = (code & 0x80u) << 8, size = code & 0x7fu;
  if (size == 0x7fu) return 0x7fff;
  if (size < 8u) {
    const unsigned short steps = fp16::to_f16(static_cast<float>(size) * 0.001953125f);
    return static_cast<unsigned short>(sign | steps);
  }
  return static_cast<unsigned short>(sign | ((size << 7) + (8u << 10)));
}

__device__ inline unsigned e4m3(float x) { return encode(x, 3, 7, 0x7eu); }
__device__ inline unsigned e5m2(float x) { return encode(x, 2, 15, 0x7bu); }

}  // namespace detail

// The first number goes to the upper byte, as in PTX.
__device__ inline unsigned short to_e4m3x2(float a, float b) {
  return static_cast<unsigned short>(detail::e4m3(a) << 8 | detail::e4m3(b));
}
__device__ inline unsigned short to_e5m2x2(float a, float b) {
  return static_cast<unsigned short>(detail::e5m2(a) << 8 | detail::e5m2(b));
}
__device__ inline unsigned short to_e4m3x2_from_f16x2(unsigned x) {
  return to_e4m3x2(fp16::to_float_f16(static_cast<unsigned short>(x >> 16)), fp16::to_float_f16(static_cast<unsigned short>(x)));
}
__device__ inline unsigned short to_e5m2x2_from_f16x2(unsigned x) {
  return to_e5m2x2(fp16::to_float_f16(static_cast<unsigned short>(x >> 16)), fp16::to_float_f16(static_cast<unsigned short>(x)));
}
__device__ inline unsigned to_f16x2_from_e4m3x2(unsigned short x) {
  return fp16::pack(detail::to_half_from_e4m3(x & 0xffu), detail::to_half_from_e4m3(x >> 8));
}
__device__ inline unsigned to_f16x2_from_e5m2x2(unsigned short x) {
  return (static_cast<unsigned>(x) & 0xff00u) << 16 | (static_cast<unsigned>(x) & 0xffu) << 8;
}

}  // namespace fp8
}  // namespace hipify

#endif  // HIPIFY_PTX_FP8_HPP
