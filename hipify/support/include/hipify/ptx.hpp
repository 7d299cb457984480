// What PTX instructions do that C++ and HIP have no operator or function for.
//
// Each function is named after its instruction and has PTX's meaning for all operands: shifts by more than
// the width, fields that reach beyond the word, selectors with sign bits. Floating point is in ptx_float.hpp,
// arithmetic on parts of words ("video" instructions) in ptx_video.hpp.
//
// Works with HIP (AMD, ROCm 5.7 or newer; hipRTC), for waves of 32 and of 64 lanes, from C++11 on.

#ifndef HIPIFY_PTX_HPP
#define HIPIFY_PTX_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace ptx {

namespace detail {

template <typename T>
struct Unsigned {
  typedef T type;
};
template <>
struct Unsigned<short> {
  typedef unsigned short type;
};
template <>
struct Unsigned<int> {
  typedef unsigned type;
};
template <>
struct Unsigned<long long> {
  typedef unsigned long long type;
};

template <typename T>
__device__ inline constexpr bool is_signed() {
  return static_cast<T>(-1) < static_cast<T>(0);
}

template <typename T>
__device__ inline constexpr unsigned bits() {
  return static_cast<unsigned>(sizeof(T)) * 8u;
}

}  // namespace detail

// --- integer arithmetic ---

// add.sat.s32 and sub.sat.s32: results stay within the range of int.
__device__ inline int add_saturated(int a, int b) {
  int sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? -0x7fffffff - 1 : 0x7fffffff;
}
__device__ inline int sub_saturated(int a, int b) {
  int difference;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? -0x7fffffff - 1 : 0x7fffffff;
}

// mul24.hi: bits 16 to 47 of the product of the lower 24 bits.
__device__ inline unsigned mul24_hi(unsigned a, unsigned b) {
  return static_cast<unsigned>((a & 0xffffffull) * (b & 0xffffffull) >> 16);
}
__device__ inline int mul24_hi(int a, int b) {
  const long long x = static_cast<int>(static_cast<unsigned>(a) << 8) >> 8;
  const long long y = static_cast<int>(static_cast<unsigned>(b) << 8) >> 8;
  return static_cast<int>((x * y) >> 16);
}

// |a - b|, which always fits the unsigned type.
template <typename T>
__device__ inline typename detail::Unsigned<T>::type absolute_difference(T a, T b) {
  typedef typename detail::Unsigned<T>::type U;
  return static_cast<U>(a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b));
}

// cvt.sat between integers: the nearest number that the type has.
template <typename To, typename From>
__device__ inline To saturate_to(From value) {
  const bool is_signed = detail::is_signed<To>();
  const To lowest = is_signed ? static_cast<To>(static_cast<To>(1) << (detail::bits<To>() - 1)) : static_cast<To>(0);
  const To highest = static_cast<To>(~lowest);
  if (value < 0) return !is_signed || static_cast<long long>(value) < static_cast<long long>(lowest) ? lowest : static_cast<To>(value);
  return static_cast<unsigned long long>(value) > static_cast<unsigned long long>(highest) ? highest : static_cast<To>(value);
}

__device__ inline int relu(int a) { return a < 0 ? 0 : a; }

// Two 16-bit numbers in a word.
__device__ inline unsigned add_u16x2(unsigned a, unsigned b) {
  return ((a + b) & 0xffffu) | (((a >> 16) + (b >> 16)) << 16);
}
__device__ inline unsigned min_u16x2(unsigned a, unsigned b) {
  const unsigned x = a & 0xffffu, y = b & 0xffffu, u = a >> 16, v = b >> 16;
  return (x < y ? x : y) | (u < v ? u : v) << 16;
}
__device__ inline unsigned max_u16x2(unsigned a, unsigned b) {
  const unsigned x = a & 0xffffu, y = b & 0xffffu, u = a >> 16, v = b >> 16;
  return (x > y ? x : y) | (u > v ? u : v) << 16;
}
// Signed numbers compare as unsigned ones once their sign bits are turned.
__device__ inline unsigned min_s16x2(unsigned a, unsigned b) {
  return min_u16x2(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u;
}
__device__ inline unsigned max_s16x2(unsigned a, unsigned b) {
  return max_u16x2(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u;
}

namespace detail {

// Part `number` of a word, `size` bits wide, signed or not as the type says.
template <typename T>
__device__ inline int part(T word, int number, int size) {
  const unsigned up = static_cast<unsigned>(word) << (32 - size * (number + 1));
  return is_signed<T>() ? static_cast<int>(up) >> (32 - size) : static_cast<int>(up >> (32 - size));
}

}  // namespace detail

// dp4a: four products of bytes; each operand's bytes are signed where its type is.
template <typename A, typename B>
__device__ inline unsigned dp4a(A a, B b, unsigned c) {
#pragma unroll
  for (int i = 0; i < 4; ++i) c += static_cast<unsigned>(detail::part(a, i, 8) * detail::part(b, i, 8));
  return c;
}
// dp2a: two products of the 16-bit halves of a with the lower or the upper bytes of b.
template <typename A, typename B>
__device__ inline unsigned dp2a_lo(A a, B b, unsigned c) {
  c += static_cast<unsigned>(detail::part(a, 0, 16) * detail::part(b, 0, 8));
  return c + static_cast<unsigned>(detail::part(a, 1, 16) * detail::part(b, 1, 8));
}
template <typename A, typename B>
__device__ inline unsigned dp2a_hi(A a, B b, unsigned c) {
  c += static_cast<unsigned>(detail::part(a, 0, 16) * detail::part(b, 2, 8));
  return c + static_cast<unsigned>(detail::part(a, 1, 16) * detail::part(b, 3, 8));
}

// --- shifts: a count of the width or more shifts everything out ---

template <typename T>
__device__ inline T shl(T a, unsigned count) {
  return count < detail::bits<T>() ? static_cast<T>(a << count) : static_cast<T>(0);
}
template <typename T>
__device__ inline T shr(T a, unsigned count) {
  if (count < detail::bits<T>()) return static_cast<T>(a >> count);
  return a < 0 ? static_cast<T>(-1) : static_cast<T>(0);
}

// --- fields ---

// bfe: `size` bits of a from bit `at` on, sign-extended for signed types. Bits beyond the word are the sign.
template <typename T>
__device__ inline T bfe(T a, unsigned at, unsigned size) {
  const unsigned width = detail::bits<T>();
  at &= 0xffu;
  size &= 0xffu;
  if (size == 0) return static_cast<T>(0);
  if (at + size > width) {
    if (at >= width) at = width - 1, a = detail::is_signed<T>() ? a : static_cast<T>(0);
    size = width - at;
  }
  typedef typename detail::Unsigned<T>::type U;
  const U top = static_cast<U>(a) << (width - at - size);
  return static_cast<T>(static_cast<T>(top) >> (width - size));
}

// bfi: b with its `size` bits from bit `at` on replaced by the lower bits of a.
template <typename T>
__device__ inline T bfi(T a, T b, unsigned at, unsigned size) {
  at &= 0xffu;
  size &= 0xffu;
  const T ones = size < detail::bits<T>() ? static_cast<T>((static_cast<T>(1) << size) - 1) : static_cast<T>(~static_cast<T>(0));
  const T mask = shl(ones, at);
  return static_cast<T>((b & ~mask) | (shl(a, at) & mask));
}

// bfind.shiftamt: by how much to shift left to bring the highest bit that is no sign to the top; ~0 for none.
__device__ inline unsigned bfind_shift(unsigned a) { return a == 0 ? ~0u : static_cast<unsigned>(__clz(static_cast<int>(a))); }
__device__ inline unsigned bfind_shift(int a) { return bfind_shift(static_cast<unsigned>(a < 0 ? ~a : a)); }
__device__ inline unsigned bfind_shift(unsigned long long a) {
  return a == 0 ? ~0u : static_cast<unsigned>(__clzll(static_cast<long long>(a)));
}
__device__ inline unsigned bfind_shift(long long a) {
  return bfind_shift(static_cast<unsigned long long>(a < 0 ? ~a : a));
}

// fns: the place of the n-th bit that is set, counted from bit `base` on, downwards for a negative n; ~0 for none.
__device__ inline unsigned fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return base < 32 && (mask >> base & 1u) ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1u) && --left == 0) return static_cast<unsigned>(at);
  }
  return ~0u;
}

// bmsk: `size` ones from bit `at` on; values of 32 and more count as they are, or modulo 32.
__device__ inline unsigned bmsk_clamp(unsigned at, unsigned size) {
  if (at >= 32) return 0;
  return (size >= 32 ? ~0u : (1u << size) - 1u) << at;
}
__device__ inline unsigned bmsk_wrap(unsigned at, unsigned size) { return bmsk_clamp(at & 31u, size & 31u); }

// szext: the lower `size` bits, extended by zeros or, for int, by the sign.
template <typename T>
__device__ inline T szext_clamp(T a, unsigned size) {
  return size >= 32 ? a : bfe(a, 0, size);
}
template <typename T>
__device__ inline T szext_wrap(T a, unsigned size) {
  return bfe(a, 0, size & 31u);
}

// --- permutations: bytes 0 to 3 are those of a, 4 to 7 those of b ---

// prmt: a selector of four bits for each byte; bit 3 copies the byte's sign into all of its bits.
__device__ inline unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned select = selector >> (4 * i) & 15u;
    unsigned byte = static_cast<unsigned>(bytes >> (8 * (select & 7u))) & 0xffu;
    if (select & 8u) byte = (byte & 0x80u) ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
}
// Four bytes from byte c of (b, a) on, upwards and downwards.
__device__ inline unsigned prmt_f4e(unsigned a, unsigned b, unsigned c) {
  return prmt(a, b, 0x3210u + 0x1111u * (c & 3u));
}
__device__ inline unsigned prmt_b4e(unsigned a, unsigned b, unsigned c) {
  c &= 3u;
  return prmt(a, b, c == 0 ? 0x5670u : c == 1 ? 0x6701u : c == 2 ? 0x7012u : 0x0123u);
}
// Byte c of a four times, and half c & 1 of a twice.
__device__ inline unsigned prmt_rc8(unsigned a, unsigned b, unsigned c) { return prmt(a, b, 0x1111u * (c & 3u)); }
__device__ inline unsigned prmt_rc16(unsigned a, unsigned b, unsigned c) { return prmt(a, b, (c & 1u) ? 0x3232u : 0x1010u); }
// Bytes of a, those to the right (ecl) or left (ecr) of byte c replaced by it.
__device__ inline unsigned prmt_ecl(unsigned a, unsigned b, unsigned c) {
  c &= 3u;
  return prmt(a, b, c == 0 ? 0x3210u : c == 1 ? 0x3211u : c == 2 ? 0x3222u : 0x3333u);
}
__device__ inline unsigned prmt_ecr(unsigned a, unsigned b, unsigned c) {
  c &= 3u;
  return prmt(a, b, c == 0 ? 0x0000u : c == 1 ? 0x1110u : c == 2 ? 0x2210u : 0x3210u);
}

// lop3: bit by bit, bit (a b c) of the table.
__device__ inline unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned match = ((i & 4u) ? a : ~a) & ((i & 2u) ? b : ~b) & ((i & 1u) ? c : ~c);
    if (table >> i & 1u) result |= match;
  }
  return result;
}

// --- shuffles whose segments are known at run time only: PTX's operands b and c give the source lane, -1 for none ---

namespace detail {

// c holds the last lane (bits 0 to 4) and the mask that tells a lane's segment (bits 8 to 12).
__device__ inline int shfl_last(unsigned lane, unsigned c) {
  const unsigned segment = c >> 8 & 31u;
  return static_cast<int>((lane & segment) | (c & 31u & ~segment));
}
__device__ inline unsigned warp_lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)) & 31u;
}

}  // namespace detail

__device__ inline int shfl_up_source(unsigned b, unsigned c) {
  const unsigned lane = detail::warp_lane();
  const int source = static_cast<int>(lane) - static_cast<int>(b & 31u);
  return source >= detail::shfl_last(lane, c) ? source : -1;
}
__device__ inline int shfl_down_source(unsigned b, unsigned c) {
  const unsigned lane = detail::warp_lane();
  const int source = static_cast<int>(lane + (b & 31u));
  return source <= detail::shfl_last(lane, c) ? source : -1;
}
__device__ inline int shfl_bfly_source(unsigned b, unsigned c) {
  const unsigned lane = detail::warp_lane();
  const int source = static_cast<int>(lane ^ (b & 31u));
  return source <= detail::shfl_last(lane, c) ? source : -1;
}
__device__ inline int shfl_idx_source(unsigned b, unsigned c) {
  const unsigned lane = detail::warp_lane(), segment = c >> 8 & 31u;
  const int source = static_cast<int>((lane & segment) | (b & 31u & ~segment));
  return source <= detail::shfl_last(lane, c) ? source : -1;
}

// --- results of 64 bits: they go to an integer or to a pointer ---

template <typename T>
__device__ inline void assign(T &to, unsigned long long bits) {
  to = static_cast<T>(bits);
}
template <typename T>
__device__ inline void assign(T *&to, unsigned long long bits) {
  to = reinterpret_cast<T *>(bits);
}

// --- address spaces: an address in shared memory is a number of 32 bits, as PTX has it ---

#if defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__)
template <typename T>
__device__ inline T *shared(unsigned long long address) {
  return static_cast<T *>(__cvta_shared_to_generic(address & 0xffffffffull));
}
__device__ inline unsigned shared_address(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
#else
template <typename T>
__device__ inline T *shared(unsigned long long address) {
  typedef T __attribute__((address_space(3))) Shared;
  return (T *)(Shared *)(address & 0xffffffffull);
}
__device__ inline unsigned shared_address(const void *pointer) {
  typedef const void __attribute__((address_space(3))) Shared;
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>((Shared *)pointer));
}
#endif
// The number of address space 0 makes the host's pass over this header take the builtins, too.
__device__ inline bool is_shared(const void *pointer) {
  return __builtin_amdgcn_is_shared((const void __attribute__((address_space(0))) *)pointer);
}
__device__ inline bool is_local(const void *pointer) {
  return __builtin_amdgcn_is_private((const void __attribute__((address_space(0))) *)pointer);
}
__device__ inline bool is_global(const void *pointer) { return !is_shared(pointer) && !is_local(pointer); }

// nanosleep: waits for at most twice the time asked for. The wall clock of AMD GPUs ticks every 10 ns.
__device__ inline void nanosleep(unsigned nanoseconds) {
  const unsigned long long end = static_cast<unsigned long long>(wall_clock64()) + nanoseconds / 10u;
  while (static_cast<unsigned long long>(wall_clock64()) < end) __builtin_amdgcn_s_sleep(1);
}

}  // namespace ptx
}  // namespace hipify

#endif  // HIPIFY_PTX_HPP
