#include "floats.hpp"

namespace emu {

namespace {

/// Bits of 2/pi after the binary point, most significant first, 1200 of them.
constexpr u64 kTwoOverPi[] = {
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
    0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA, 0x6BFB5FB1F8D5D088, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D};

u64 two_over_pi_bits(u32 first) {  // 53 bits that start at bit `first`
  u64 r = 0;
  for (u32 k = first; k < first + 53; k++) {
    const u32 word = k / 64;
    const u64 bit = word < 20 ? kTwoOverPi[word] >> (63 - k % 64) & 1 : 0;
    r = r << 1 | bit;
  }
  return r;
}

}  // namespace

f64 trig_preop(f64 x, u32 segment) {
  i32 shift = i32(segment & 31) * 53;
  if (exponent_bits(x) > 1077) shift += exponent_bits(x) - 1077;
  const f64 result = f64(two_over_pi_bits(u32(shift)));
  i32 scale = -53 - shift;
  if (exponent_bits(x) >= 1968) scale += 128;
  return std::ldexp(result, scale);
}

f32 from_fp8(u8 x, bool wide_exponent, bool fnuz) {
  const int mantissa_bits = wide_exponent ? 2 : 3, exponent_width = 7 - mantissa_bits;
  const int bias = (1 << (exponent_width - 1)) - (fnuz ? 0 : 1);
  const u32 m = x & ((1u << mantissa_bits) - 1), e = (x >> mantissa_bits) & ((1u << exponent_width) - 1);
  const f32 sign = x & 0x80 ? -1.0f : 1.0f;
  if (fnuz && x == 0x80) return NAN;
  if (!fnuz && e == (1u << exponent_width) - 1) {
    if (wide_exponent) return m ? NAN : sign * INFINITY;
    if (m == 7) return NAN;
  }
  if (e == 0) return sign * std::ldexp(f32(m), 1 - bias - mantissa_bits);
  return sign * std::ldexp(f32(m + (1u << mantissa_bits)), int(e) - bias - mantissa_bits);
}

u8 to_fp8(f32 x, bool wide_exponent, bool fnuz, bool saturate) {
  const int mantissa_bits = wide_exponent ? 2 : 3, exponent_width = 7 - mantissa_bits;
  const int bias = (1 << (exponent_width - 1)) - (fnuz ? 0 : 1);
  const u8 sign = sign_of(x) ? 0x80 : 0;
  const u8 nan = fnuz ? 0x80 : u8(sign | 0x7f);
  // The largest finite code: only the top code (OCP fp8) or the top exponent (OCP bf8) is taken.
  const u8 largest = fnuz ? 0x7f : wide_exponent ? 0x7b : 0x7e;
  const u8 overflow = saturate ? u8(sign | largest) : fnuz ? nan : wide_exponent ? u8(sign | 0x7c) : nan;
  if (x != x) return nan;
  if (std::isinf(x)) return overflow;
  const f32 a = absolute(x);
  int e = a == 0 ? 0 : std::ilogb(a);
  const int least = 1 - bias;
  if (e < least) e = least;
  const f32 scaled = __builtin_rintf(std::ldexp(a, mantissa_bits - e));
  u32 code = u32(scaled);  // carries into the exponent by itself
  code = code < (1u << mantissa_bits) ? code : u32((e - least) << mantissa_bits) + code;
  if (code > largest) return overflow;
  if (code == 0 && fnuz) return 0;
  return u8(sign | code);
}

u32 permute_bytes(u32 high, u32 low, u32 selectors) {
  const u64 data = u64(high) << 32 | low;
  u32 r = 0;
  for (u32 k = 0; k < 4; k++) {
    const u32 s = byte_of(selectors, k);
    u32 b;
    if (s >= 13) {
      b = 255;
    } else if (s == 12) {
      b = 0;
    } else if (s >= 8) {
      b = data >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
    } else {
      b = u32(data >> (8 * s)) & 255;
    }
    r |= b << (8 * k);
  }
  return r;
}

u32 sad_bytes(u32 a, u32 b, u32 c, bool masked) {
  for (u32 k = 0; k < 4; k++) {
    if (masked && byte_of(b, k) == 0) continue;
    c += difference(byte_of(a, k), byte_of(b, k));
  }
  return c;
}

}  // namespace emu
