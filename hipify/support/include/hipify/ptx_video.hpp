// PTX's "video" instructions: arithmetic on a word, or on a part of it, with the result clamped to a type.
//
// D, A and B are the instruction's types of result and operands, `int` for .s32 and `unsigned` for .u32. A
// name with `_sat` clamps the result to D. vop2 and vop4 work on the two halves or four bytes of their
// operands; `_add` adds all of their results to c instead of packing them.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_PTX_VIDEO_HPP
#define HIPIFY_PTX_VIDEO_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace video {

// Part `number` of a word, `size` bits wide, signed as the type is.
template <typename T>
__device__ inline long long part(T word, int number, int size) {
  const unsigned up = static_cast<unsigned>(word) << (32 - size * (number + 1));
  return static_cast<T>(-1) < static_cast<T>(0) ? static_cast<int>(up) >> (32 - size)
                                                : static_cast<long long>(up >> (32 - size));
}

// A value clamped to the range of D, of `size` bits.
template <typename D>
__device__ inline long long clamped(long long value, int size) {
  const bool is_signed = static_cast<D>(-1) < static_cast<D>(0);
  const long long low = is_signed ? -(1ll << (size - 1)) : 0;
  const long long high = (1ll << (is_signed ? size - 1 : size)) - 1;
  return value < low ? low : value > high ? high : value;
}

struct Add {
  __device__ static long long of(long long a, long long b) { return a + b; }
};
struct Sub {
  __device__ static long long of(long long a, long long b) { return a - b; }
};
struct AbsDiff {
  __device__ static long long of(long long a, long long b) { return a < b ? b - a : a - b; }
};
struct Min {
  __device__ static long long of(long long a, long long b) { return a < b ? a : b; }
};
struct Max {
  __device__ static long long of(long long a, long long b) { return a < b ? b : a; }
};
// The mean, halves rounded away from zero.
struct Average {
  __device__ static long long of(long long a, long long b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};

// --- one operation on whole operands; give parts of words through `part` ---

#define HIPIFY_VIDEO_SCALAR(name, Op)                                                                      \
  template <typename D>                                                                                    \
  __device__ inline D name(long long a, long long b) {                                                     \
    return static_cast<D>(Op::of(a, b));                                                                   \
  }                                                                                                        \
  template <typename D>                                                                                    \
  __device__ inline D name##_sat(long long a, long long b) {                                               \
    return static_cast<D>(clamped<D>(Op::of(a, b), 32));                                                   \
  }
HIPIFY_VIDEO_SCALAR(vadd, Add)
HIPIFY_VIDEO_SCALAR(vsub, Sub)
HIPIFY_VIDEO_SCALAR(vabsdiff, AbsDiff)
HIPIFY_VIDEO_SCALAR(vmin, Min)
HIPIFY_VIDEO_SCALAR(vmax, Max)
#undef HIPIFY_VIDEO_SCALAR

// Shifts by b, which is cut to 32 or taken modulo 32.
template <typename D>
__device__ inline D vshl_clamp(long long a, unsigned b) {
  return static_cast<D>(b >= 32 ? a << 32 : a << b);
}
template <typename D>
__device__ inline D vshl_wrap(long long a, unsigned b) {
  return static_cast<D>(a << (b & 31u));
}
template <typename D>
__device__ inline D vshr_clamp(long long a, unsigned b) {
  return static_cast<D>(a >> (b >= 32 ? 32 : b));
}
template <typename D>
__device__ inline D vshr_wrap(long long a, unsigned b) {
  return static_cast<D>(a >> (b & 31u));
}

// (a * b + c) >> shift, which keeps the upper bits of a product of fixed-point numbers.
template <typename D>
__device__ inline D vmad(long long a, long long b, long long c, int shift) {
  return static_cast<D>((a * b + c) >> shift);
}
template <typename D>
__device__ inline D vmad_sat(long long a, long long b, long long c, int shift) {
  return static_cast<D>(clamped<D>((a * b + c) >> shift, 32));
}

// --- the same operation on every part ---

namespace detail {

template <int parts, typename Op, typename A, typename B>
__device__ inline unsigned packed(A a, B b) {
  const int size = 32 / parts;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < parts; ++i) {
    const unsigned lane = static_cast<unsigned>(Op::of(part(a, i, size), part(b, i, size)));
    result |= (lane & (0xffffffffu >> (32 - size))) << (size * i);
  }
  return result;
}

template <int parts, typename Op, typename D, typename A, typename B>
__device__ inline unsigned packed_sat(A a, B b) {
  const int size = 32 / parts;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < parts; ++i) {
    const unsigned lane = static_cast<unsigned>(clamped<D>(Op::of(part(a, i, size), part(b, i, size)), size));
    result |= (lane & (0xffffffffu >> (32 - size))) << (size * i);
  }
  return result;
}

template <int parts, typename Op, typename A, typename B>
__device__ inline unsigned added(A a, B b, unsigned c) {
  const int size = 32 / parts;
#pragma unroll
  for (int i = 0; i < parts; ++i) c += static_cast<unsigned>(Op::of(part(a, i, size), part(b, i, size)));
  return c;
}

}  // namespace detail

#define HIPIFY_VIDEO_PACKED(name, parts, Op)                       \
  template <typename A, typename B>                                \
  __device__ inline unsigned name(A a, B b) {                      \
    return detail::packed<parts, Op>(a, b);                        \
  }                                                                \
  template <typename D, typename A, typename B>                    \
  __device__ inline unsigned name##_sat(A a, B b) {                \
    return detail::packed_sat<parts, Op, D>(a, b);                 \
  }                                                                \
  template <typename A, typename B>                                \
  __device__ inline unsigned name##_add(A a, B b, unsigned c) {    \
    return detail::added<parts, Op>(a, b, c);                      \
  }
HIPIFY_VIDEO_PACKED(vadd2, 2, Add)
HIPIFY_VIDEO_PACKED(vsub2, 2, Sub)
HIPIFY_VIDEO_PACKED(vavrg2, 2, Average)
HIPIFY_VIDEO_PACKED(vabsdiff2, 2, AbsDiff)
HIPIFY_VIDEO_PACKED(vmin2, 2, Min)
HIPIFY_VIDEO_PACKED(vmax2, 2, Max)
HIPIFY_VIDEO_PACKED(vadd4, 4, Add)
HIPIFY_VIDEO_PACKED(vsub4, 4, Sub)
HIPIFY_VIDEO_PACKED(vavrg4, 4, Average)
HIPIFY_VIDEO_PACKED(vabsdiff4, 4, AbsDiff)
HIPIFY_VIDEO_PACKED(vmin4, 4, Min)
HIPIFY_VIDEO_PACKED(vmax4, 4, Max)
#undef HIPIFY_VIDEO_PACKED

// vset: 1 where the comparison holds, in every part.
struct Equal {
  __device__ static long long of(long long a, long long b) { return a == b; }
};
struct NotEqual {
  __device__ static long long of(long long a, long long b) { return a != b; }
};
struct Less {
  __device__ static long long of(long long a, long long b) { return a < b; }
};
struct LessEqual {
  __device__ static long long of(long long a, long long b) { return a <= b; }
};
struct Greater {
  __device__ static long long of(long long a, long long b) { return a > b; }
};
struct GreaterEqual {
  __device__ static long long of(long long a, long long b) { return a >= b; }
};
template <typename Op, typename A, typename B>
__device__ inline unsigned vset2(A a, B b) {
  return detail::packed<2, Op>(a, b);
}
template <typename Op, typename A, typename B>
__device__ inline unsigned vset4(A a, B b) {
  return detail::packed<4, Op>(a, b);
}
template <typename Op, typename A, typename B>
__device__ inline unsigned vset2_add(A a, B b, unsigned c) {
  return detail::added<2, Op>(a, b, c);
}
template <typename Op, typename A, typename B>
__device__ inline unsigned vset4_add(A a, B b, unsigned c) {
  return detail::added<4, Op>(a, b, c);
}

}  // namespace video
}  // namespace hipify

#endif  // HIPIFY_PTX_VIDEO_HPP
