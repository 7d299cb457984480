// CUDA's SIMD intrinsics: arithmetic on the two halves or the four bytes of a word, and their scalar kin.
//
// A name is that of CUDA's intrinsic less its leading underscores, and means the same. In names, s and u say
// whether parts are signed, ss and us that results are clamped to the range of the part, all others wrap.
// `vcmp` gives all ones or zeros for each part, `vset` one or zero. `vi` functions of s16x2 and u16x2 take
// words, those of s32 and u32 whole numbers; `relu` replaces what is negative by zero.
//
// Works with HIP (AMD, ROCm 5 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_SIMD_HPP
#define HIPIFY_SIMD_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace simd {

// Part `number` of a word, `Bits` wide, as a number.
template <int Bits, bool Signed>
__host__ __device__ inline int part(unsigned word, int number) {
  const unsigned up = word << (32 - Bits * (number + 1));
  return Signed ? static_cast<int>(up) >> (32 - Bits) : static_cast<int>(up >> (32 - Bits));
}

template <int Bits, bool Signed>
__host__ __device__ inline int clamped(int value) {
  const int low = Signed ? -(1 << (Bits - 1)) : 0;
  const int high = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  return value < low ? low : value > high ? high : value;
}

struct Plain {
  template <int Bits, bool Signed>
  __host__ __device__ static int of(int value) { return value; }
};
struct Clamp {
  template <int Bits, bool Signed>
  __host__ __device__ static int of(int value) { return clamped<Bits, Signed>(value); }
};
// All ones for one, in as many bits as the part has.
struct Mask {
  template <int Bits, bool Signed>
  __host__ __device__ static int of(int value) { return -value; }
};

// The word whose parts are op of the parts of a and b.
template <int Bits, bool Signed, typename Result, typename Op>
__host__ __device__ inline unsigned each(unsigned a, unsigned b, Op op) {
  unsigned word = 0;
#pragma unroll
  for (int i = 0; i < 32 / Bits; ++i) {
    const int value = op(part<Bits, Signed>(a, i), part<Bits, Signed>(b, i));
    const unsigned bits = static_cast<unsigned>(Result::template of<Bits, Signed>(value));
    word |= (bits & ((1u << Bits) - 1u)) << (Bits * i);
  }
  return word;
}

template <int Bits, bool Signed, typename Op>
__host__ __device__ inline unsigned sum_of_each(unsigned a, unsigned b, Op op) {
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 32 / Bits; ++i) {
    sum += static_cast<unsigned>(op(part<Bits, Signed>(a, i), part<Bits, Signed>(b, i)));
  }
  return sum;
}

#define HIPIFY_SIMD_OP(Name, expression)                             \
  struct Name {                                                      \
    __host__ __device__ int operator()(int a, int b) const {         \
      (void)a;                                                       \
      (void)b;                                                       \
      return expression;                                             \
    }                                                                \
  };
HIPIFY_SIMD_OP(Abs, a < 0 ? -a : a)
HIPIFY_SIMD_OP(Neg, -a)
HIPIFY_SIMD_OP(Add, a + b)
HIPIFY_SIMD_OP(Sub, a - b)
HIPIFY_SIMD_OP(AbsDiff, a < b ? b - a : a - b)
HIPIFY_SIMD_OP(Max, a < b ? b : a)
HIPIFY_SIMD_OP(Min, a < b ? a : b)
// The mean rounded down, and to nearest with halves away from zero.
HIPIFY_SIMD_OP(HalfOfSum, (a + b) >> 1)
HIPIFY_SIMD_OP(Average, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)
HIPIFY_SIMD_OP(Equal, a == b)
HIPIFY_SIMD_OP(NotEqual, a != b)
HIPIFY_SIMD_OP(Greater, a > b)
HIPIFY_SIMD_OP(GreaterEqual, a >= b)
HIPIFY_SIMD_OP(Less, a < b)
HIPIFY_SIMD_OP(LessEqual, a <= b)
#undef HIPIFY_SIMD_OP

}  // namespace simd

// --- parts of a word: names in 2 work on halves, names in 4 on bytes ---

#define HIPIFY_SIMD_UNARY(name, is_signed, Result, Op)                                  \
  __device__ inline unsigned name##2(unsigned a) {                                      \
    return simd::each<16, is_signed, simd::Result>(a, a, simd::Op());                   \
  }                                                                                     \
  __device__ inline unsigned name##4(unsigned a) {                                      \
    return simd::each<8, is_signed, simd::Result>(a, a, simd::Op());                    \
  }
HIPIFY_SIMD_UNARY(vabs, true, Plain, Abs)
HIPIFY_SIMD_UNARY(vabsss, true, Clamp, Abs)
HIPIFY_SIMD_UNARY(vneg, true, Plain, Neg)
HIPIFY_SIMD_UNARY(vnegss, true, Clamp, Neg)
#undef HIPIFY_SIMD_UNARY

#define HIPIFY_SIMD_BINARY(name, is_signed, Result, Op)                                 \
  __device__ inline unsigned name##2(unsigned a, unsigned b) {                          \
    return simd::each<16, is_signed, simd::Result>(a, b, simd::Op());                   \
  }                                                                                     \
  __device__ inline unsigned name##4(unsigned a, unsigned b) {                          \
    return simd::each<8, is_signed, simd::Result>(a, b, simd::Op());                    \
  }
HIPIFY_SIMD_BINARY(vaddss, true, Clamp, Add)
HIPIFY_SIMD_BINARY(vaddus, false, Clamp, Add)
HIPIFY_SIMD_BINARY(vsubss, true, Clamp, Sub)
HIPIFY_SIMD_BINARY(vsubus, false, Clamp, Sub)
HIPIFY_SIMD_BINARY(vabsdiffs, true, Plain, AbsDiff)
HIPIFY_SIMD_BINARY(vabsdiffu, false, Plain, AbsDiff)
HIPIFY_SIMD_BINARY(vavgs, true, Plain, Average)
HIPIFY_SIMD_BINARY(vavgu, false, Plain, Average)
HIPIFY_SIMD_BINARY(vhaddu, false, Plain, HalfOfSum)
HIPIFY_SIMD_BINARY(vmaxs, true, Plain, Max)
HIPIFY_SIMD_BINARY(vmaxu, false, Plain, Max)
HIPIFY_SIMD_BINARY(vmins, true, Plain, Min)
HIPIFY_SIMD_BINARY(vminu, false, Plain, Min)
#define HIPIFY_SIMD_COMPARE(name, is_signed, Op)          \
  HIPIFY_SIMD_BINARY(vcmp##name, is_signed, Mask, Op)     \
  HIPIFY_SIMD_BINARY(vset##name, is_signed, Plain, Op)
HIPIFY_SIMD_COMPARE(eq, false, Equal)
HIPIFY_SIMD_COMPARE(ne, false, NotEqual)
HIPIFY_SIMD_COMPARE(gts, true, Greater)
HIPIFY_SIMD_COMPARE(gtu, false, Greater)
HIPIFY_SIMD_COMPARE(ges, true, GreaterEqual)
HIPIFY_SIMD_COMPARE(geu, false, GreaterEqual)
HIPIFY_SIMD_COMPARE(lts, true, Less)
HIPIFY_SIMD_COMPARE(ltu, false, Less)
HIPIFY_SIMD_COMPARE(les, true, LessEqual)
HIPIFY_SIMD_COMPARE(leu, false, LessEqual)
#undef HIPIFY_SIMD_COMPARE
#undef HIPIFY_SIMD_BINARY

// Sums that wrap need no parts: carries stop below the top bit of each, which is added without one.
#define HIPIFY_SIMD_WRAP(size, tops)                                                    \
  __device__ inline unsigned vadd##size(unsigned a, unsigned b) {                       \
    return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);                              \
  }                                                                                     \
  __device__ inline unsigned vsub##size(unsigned a, unsigned b) {                       \
    return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);                              \
  }
HIPIFY_SIMD_WRAP(2, 0x80008000u)
HIPIFY_SIMD_WRAP(4, 0x80808080u)
#undef HIPIFY_SIMD_WRAP

// Sums of absolute differences.
__device__ inline unsigned vsads2(unsigned a, unsigned b) {
  return simd::sum_of_each<16, true>(a, b, simd::AbsDiff());
}
__device__ inline unsigned vsadu2(unsigned a, unsigned b) {
  return simd::sum_of_each<16, false>(a, b, simd::AbsDiff());
}
__device__ inline unsigned vsads4(unsigned a, unsigned b) {
  return simd::sum_of_each<8, true>(a, b, simd::AbsDiff());
}
__device__ inline unsigned vsadu4(unsigned a, unsigned b) {
  return simd::sum_of_each<8, false>(a, b, simd::AbsDiff());
}

// --- DPX: largest and smallest of several ---

namespace simd {

template <typename T>
__host__ __device__ inline T larger(T a, T b) { return a < b ? b : a; }
template <typename T>
__host__ __device__ inline T smaller(T a, T b) { return a < b ? a : b; }
__host__ __device__ inline int positive(int a) { return a < 0 ? 0 : a; }
__host__ __device__ inline int wrapped_sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
__host__ __device__ inline unsigned wrapped_sum(unsigned a, unsigned b) { return a + b; }

template <bool Signed>
__host__ __device__ inline unsigned add2(unsigned a, unsigned b) {
  return each<16, Signed, Plain>(a, b, Add());
}
template <bool Signed, typename Op>
__host__ __device__ inline unsigned best2(unsigned a, unsigned b, Op op) {
  return each<16, Signed, Plain>(a, b, op);
}
__host__ __device__ inline unsigned positive2(unsigned a) { return each<16, true, Plain>(a, 0u, Max()); }

}  // namespace simd

#define HIPIFY_DPX_SCALAR(suffix, T)                                                                        \
  __host__ __device__ inline T vimax3_##suffix(T a, T b, T c) {                                             \
    return simd::larger(simd::larger(a, b), c);                                                             \
  }                                                                                                         \
  __host__ __device__ inline T vimin3_##suffix(T a, T b, T c) {                                             \
    return simd::smaller(simd::smaller(a, b), c);                                                           \
  }                                                                                                         \
  __host__ __device__ inline T viaddmax_##suffix(T a, T b, T c) {                                           \
    return simd::larger(simd::wrapped_sum(a, b), c);                                                        \
  }                                                                                                         \
  __host__ __device__ inline T viaddmin_##suffix(T a, T b, T c) {                                           \
    return simd::smaller(simd::wrapped_sum(a, b), c);                                                       \
  }                                                                                                         \
  /* The flag says whether the result is a. */                                                              \
  __host__ __device__ inline T vibmax_##suffix(T a, T b, bool *first) {                                     \
    *first = a >= b;                                                                                        \
    return simd::larger(a, b);                                                                              \
  }                                                                                                         \
  __host__ __device__ inline T vibmin_##suffix(T a, T b, bool *first) {                                     \
    *first = a <= b;                                                                                        \
    return simd::smaller(a, b);                                                                             \
  }
HIPIFY_DPX_SCALAR(s32, int)
HIPIFY_DPX_SCALAR(u32, unsigned)
#undef HIPIFY_DPX_SCALAR

__host__ __device__ inline int vimax_s32_relu(int a, int b) { return simd::positive(simd::larger(a, b)); }
__host__ __device__ inline int vimin_s32_relu(int a, int b) { return simd::positive(simd::smaller(a, b)); }
__host__ __device__ inline int vimax3_s32_relu(int a, int b, int c) { return simd::positive(vimax3_s32(a, b, c)); }
__host__ __device__ inline int vimin3_s32_relu(int a, int b, int c) { return simd::positive(vimin3_s32(a, b, c)); }
__host__ __device__ inline int viaddmax_s32_relu(int a, int b, int c) { return simd::positive(viaddmax_s32(a, b, c)); }
__host__ __device__ inline int viaddmin_s32_relu(int a, int b, int c) { return simd::positive(viaddmin_s32(a, b, c)); }

#define HIPIFY_DPX_WORD(suffix, is_signed)                                                                  \
  __host__ __device__ inline unsigned vimax3_##suffix(unsigned a, unsigned b, unsigned c) {                 \
    return simd::best2<is_signed>(simd::best2<is_signed>(a, b, simd::Max()), c, simd::Max());               \
  }                                                                                                         \
  __host__ __device__ inline unsigned vimin3_##suffix(unsigned a, unsigned b, unsigned c) {                 \
    return simd::best2<is_signed>(simd::best2<is_signed>(a, b, simd::Min()), c, simd::Min());               \
  }                                                                                                         \
  __host__ __device__ inline unsigned viaddmax_##suffix(unsigned a, unsigned b, unsigned c) {               \
    return simd::best2<is_signed>(simd::add2<is_signed>(a, b), c, simd::Max());                             \
  }                                                                                                         \
  __host__ __device__ inline unsigned viaddmin_##suffix(unsigned a, unsigned b, unsigned c) {               \
    return simd::best2<is_signed>(simd::add2<is_signed>(a, b), c, simd::Min());                             \
  }                                                                                                         \
  __host__ __device__ inline unsigned vibmax_##suffix(unsigned a, unsigned b, bool *high, bool *low) {      \
    *high = simd::part<16, is_signed>(a, 1) >= simd::part<16, is_signed>(b, 1);                             \
    *low = simd::part<16, is_signed>(a, 0) >= simd::part<16, is_signed>(b, 0);                              \
    return simd::best2<is_signed>(a, b, simd::Max());                                                       \
  }                                                                                                         \
  __host__ __device__ inline unsigned vibmin_##suffix(unsigned a, unsigned b, bool *high, bool *low) {      \
    *high = simd::part<16, is_signed>(a, 1) <= simd::part<16, is_signed>(b, 1);                             \
    *low = simd::part<16, is_signed>(a, 0) <= simd::part<16, is_signed>(b, 0);                              \
    return simd::best2<is_signed>(a, b, simd::Min());                                                       \
  }
HIPIFY_DPX_WORD(s16x2, true)
HIPIFY_DPX_WORD(u16x2, false)
#undef HIPIFY_DPX_WORD

__host__ __device__ inline unsigned vimax_s16x2_relu(unsigned a, unsigned b) {
  return simd::positive2(simd::best2<true>(a, b, simd::Max()));
}
__host__ __device__ inline unsigned vimin_s16x2_relu(unsigned a, unsigned b) {
  return simd::positive2(simd::best2<true>(a, b, simd::Min()));
}
__host__ __device__ inline unsigned vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return simd::positive2(vimax3_s16x2(a, b, c));
}
__host__ __device__ inline unsigned vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return simd::positive2(vimin3_s16x2(a, b, c));
}
__host__ __device__ inline unsigned viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return simd::positive2(viaddmax_s16x2(a, b, c));
}
__host__ __device__ inline unsigned viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return simd::positive2(viaddmin_s16x2(a, b, c));
}

}  // namespace hipify

#endif  // HIPIFY_SIMD_HPP
