// CUDA's arithmetic with directed rounding, which HIP declares but does not have: __fadd_rz, __dsqrt_rd, ...
//
// Names end in the rounding: rz towards zero, rd down, ru up. Results are exact to the last bit.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_ROUNDING_HPP
#define HIPIFY_ROUNDING_HPP

#include "ptx_float.hpp"

namespace hipify {
namespace rounding {

enum Direction { towards_zero, down, up };

__device__ inline long long bits(double x) {
  long long word;
  __builtin_memcpy(&word, &x, sizeof(word));
  return word;
}
__device__ inline double number(long long word) {
  double x;
  __builtin_memcpy(&x, &word, sizeof(x));
  return x;
}
__device__ inline bool is_finite(double x) { return (bits(x) >> 52 & 0x7ff) != 0x7ff; }

// The next number up, and down; beyond the largest one lies infinity.
__device__ inline double above(double x) { return x == 0.0 ? number(1) : number(bits(x) + (x > 0.0 ? 1 : -1)); }
__device__ inline double below(double x) { return -above(-x); }

// The number next to `nearest` on the side that the direction asks for, `error` being the sign of the true
// value less it.
__device__ inline double moved(double nearest, int error, Direction direction) {
  const bool falls = direction == down || (direction == towards_zero && nearest > 0.0);
  const bool rises = direction == up || (direction == towards_zero && nearest < 0.0);
  if (falls && error < 0) return below(nearest);
  if (rises && error > 0) return above(nearest);
  return nearest;
}

// x as a number from 1 to 2 (0 for 0), and its power of two.
__device__ inline double split(double x, int *exponent) {
  *exponent = 0;
  if (x == 0.0) return x;
  if (__builtin_fabs(x) < 2.2250738585072014e-308) {
    x *= 18446744073709551616.0;
    *exponent = -64;
  }
  const long long word = bits(x);
  *exponent += static_cast<int>(word >> 52 & 0x7ff) - 1023;
  return number((word & ~(0x7ffll << 52)) | 1023ll << 52);
}

// x * 2^power for a split x and a power up to 1; what is far too small becomes a tiny number of its sign.
__device__ inline double scaled(double x, int power, int least) {
  if (x == 0.0) return x;
  return x * number(static_cast<long long>(1023 + (power < least ? least : power)) << 52);
}

__device__ inline double sum(double a, double b, double *error) {
#pragma clang fp contract(off)
  const double s = a + b, of_b = s - a;
  *error = (a - (s - of_b)) + (b - of_b);
  return s;
}

// The sign of p + q + c - r, exactly: parts that do not overlap, the largest one decides.
__device__ inline int sign_of_sum(double p, double q, double c, double r) {
  double parts[4] = {q, 0.0, 0.0, 0.0};
  const double terms[3] = {p, c, -r};
#pragma unroll
  for (int term = 0; term < 3; ++term) {
    double carry = terms[term];
#pragma unroll
    for (int i = 0; i <= term; ++i) carry = sum(carry, parts[i], &parts[i]);
    parts[term + 1] = carry;
  }
  for (int i = 3; i >= 0; --i) {
    if (parts[i] != 0.0) return parts[i] > 0.0 ? 1 : -1;
  }
  return 0;
}

// The sign of a * b + c - r for finite numbers, exactly, whatever their size.
__device__ inline int error_sign(double a, double b, double c, double r) {
#pragma clang fp contract(off)
  int of_a, of_b, of_c, of_r;
  a = split(a, &of_a), b = split(b, &of_b), c = split(c, &of_c), r = split(r, &of_r);
  // The largest term is brought to about 1; what is too small to count keeps its sign.
  int top = -4000;
  if (a != 0.0 && b != 0.0) top = of_a + of_b;
  if (c != 0.0 && of_c > top) top = of_c;
  if (r != 0.0 && of_r > top) top = of_r;
  const int power = of_a + of_b - top;
  const double half = scaled(a, power / 2, -400), other = scaled(b, power - power / 2, -400);
  const double product = half * other, rest = __builtin_fma(half, other, -product);
  return sign_of_sum(product, rest, scaled(c, of_c - top, -900), scaled(r, of_r - top, -900));
}

__device__ inline double fma(double a, double b, double c, Direction direction) {
  const double nearest = __builtin_fma(a, b, c);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return nearest;
  if (!is_finite(nearest)) return moved(nearest, nearest > 0.0 ? -1 : 1, direction);
  const int error = error_sign(a, b, c, nearest);
  // Opposite numbers make +0, but -0 where one rounds down.
  const bool negative = (__builtin_signbit(a) != 0) != (__builtin_signbit(b) != 0);
  const bool opposite = c != 0.0 || negative != (__builtin_signbit(c) != 0);
  if (direction == down && nearest == 0.0 && error == 0 && opposite) return -0.0;
  return moved(nearest, error, direction);
}

__device__ inline double quotient(double a, double b, Direction direction) {
  const double nearest = a / b;
  if (!is_finite(a) || !is_finite(b) || b == 0.0 || a == 0.0) return nearest;
  if (!is_finite(nearest)) return moved(nearest, nearest > 0.0 ? -1 : 1, direction);
  const int rest = error_sign(-nearest, b, a, 0.0), error = b > 0.0 ? rest : -rest;
  return moved(nearest, error, direction);
}

__device__ inline double root(double a, Direction direction) {
  const double nearest = __builtin_sqrt(a);
  if (!(a > 0.0) || !is_finite(a)) return nearest;
  return moved(nearest, error_sign(-nearest, nearest, a, 0.0), direction);
}

}  // namespace rounding

#define HIPIFY_ROUNDED(suffix, direction)                                                                          \
  __device__ inline float fadd_##suffix(float a, float b) { return fp::add_##suffix(a, b); }                       \
  __device__ inline float fsub_##suffix(float a, float b) { return fp::add_##suffix(a, -b); }                      \
  __device__ inline float fmul_##suffix(float a, float b) { return fp::mul_##suffix(a, b); }                       \
  __device__ inline float fmaf_##suffix(float a, float b, float c) { return fp::fma_##suffix(a, b, c); }           \
  __device__ inline float fdiv_##suffix(float a, float b) { return fp::div_##suffix(a, b); }                       \
  __device__ inline float frcp_##suffix(float a) { return fp::div_##suffix(1.0f, a); }                             \
  __device__ inline float fsqrt_##suffix(float a) { return fp::sqrt_##suffix(a); }                                 \
  __device__ inline float fmaf_ieee_##suffix(float a, float b, float c) { return fp::fma_##suffix(a, b, c); }      \
  __device__ inline double dadd_##suffix(double a, double b) { return rounding::fma(a, 1.0, b, direction); }       \
  __device__ inline double dsub_##suffix(double a, double b) { return rounding::fma(a, 1.0, -b, direction); }      \
  /* Adding a zero of the product's sign changes nothing. */                                                       \
  __device__ inline double dmul_##suffix(double a, double b) {                                                     \
    const bool negative = (__builtin_signbit(a) != 0) != (__builtin_signbit(b) != 0);                              \
    return rounding::fma(a, b, negative ? -0.0 : 0.0, direction);                                                  \
  }                                                                                                                \
  __device__ inline double fma_##suffix(double a, double b, double c) { return rounding::fma(a, b, c, direction); } \
  __device__ inline double ddiv_##suffix(double a, double b) { return rounding::quotient(a, b, direction); }       \
  __device__ inline double drcp_##suffix(double a) { return rounding::quotient(1.0, a, direction); }               \
  __device__ inline double dsqrt_##suffix(double a) { return rounding::root(a, direction); }
HIPIFY_ROUNDED(rz, rounding::towards_zero)
HIPIFY_ROUNDED(rd, rounding::down)
HIPIFY_ROUNDED(ru, rounding::up)
#undef HIPIFY_ROUNDED
__device__ inline float fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

}  // namespace hipify

#endif  // HIPIFY_ROUNDING_HPP
