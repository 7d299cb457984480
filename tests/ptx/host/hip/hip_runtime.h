// Stand-ins on the host for those functions of HIP that translations of inline PTX call, each written from
// HIP's documentation, so that the translations can be run without a GPU. One thread, lane 5 of its warp.
#pragma once
#include <math.h>
#include <string.h>

#define __device__
#define __global__
#define __forceinline__ inline
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

template <typename To, typename From>
inline To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

inline float __uint_as_float(unsigned x) { return bits_of<float>(x); }
inline unsigned __float_as_uint(float x) { return bits_of<unsigned>(x); }
inline int __float_as_int(float x) { return bits_of<int>(x); }
inline double __longlong_as_double(long long x) { return bits_of<double>(x); }
inline long long __double_as_longlong(double x) { return bits_of<long long>(x); }

inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
inline int __umul24(unsigned a, unsigned b) { return (int)((a & 0xffffffu) * (b & 0xffffffu)); }
inline int __mul24(int a, int b) {
  const long long x = (int)((unsigned)a << 8) >> 8, y = (int)((unsigned)b << 8) >> 8;
  return (int)(x * y);
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
inline unsigned __popc(unsigned a) { return (unsigned)__builtin_popcount(a); }
inline unsigned __popcll(unsigned long long a) { return (unsigned)__builtin_popcountll(a); }
inline int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
inline int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
inline int __ffs(unsigned a) { return __builtin_ffs((int)a); }
inline unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
inline unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long bytes = (unsigned long long)b << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= (unsigned)(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
  return (unsigned)((((unsigned long long)high << 32 | low) << (n & 31)) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}

inline float rsqrtf(float x) { return (float)(1.0 / sqrt((double)x)); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float host_sinf(float x) { return sinf(x); }
inline float host_cosf(float x) { return cosf(x); }
#define __sinf host_sinf
#define __cosf host_cosf
#define __builtin_amdgcn_rcpf(x) (1.0f / (x))
#define __builtin_amdgcn_rsqf(x) rsqrtf(x)
#define __builtin_amdgcn_exp2f(x) exp2f(x)
#define __builtin_amdgcn_logf(x) log2f(x)

// Address spaces: the host has one, and shared memory is an array of its own.
#define __builtin_amdgcn_is_shared(p) false
#define __builtin_amdgcn_is_private(p) false
#define __builtin_amdgcn_mbcnt_lo(mask, low) 5u
#define __builtin_amdgcn_mbcnt_hi(mask, low) (low)
#define __builtin_amdgcn_s_sleep(n) (void)0
inline unsigned __lane_id() { return 5u; }
inline long long wall_clock64() {
  static long long ticks = 0;
  return ++ticks;
}

// Memory: one thread, so that plain accesses do what atomic ones do.
#define __hip_atomic_load(p, order, scope) __atomic_load_n(p, order)
#define __hip_atomic_store(p, v, order, scope) __atomic_store_n(p, v, order)
#define __hip_atomic_exchange(p, v, order, scope) __atomic_exchange_n(p, v, order)
#define __hip_atomic_compare_exchange_strong(p, e, v, order, fails, scope) \
  __atomic_compare_exchange_n(p, e, v, false, order, fails)
#define __hip_atomic_fetch_add(p, v, order, scope) __atomic_fetch_add(p, v, order)
#define __hip_atomic_fetch_and(p, v, order, scope) __atomic_fetch_and(p, v, order)
#define __hip_atomic_fetch_or(p, v, order, scope) __atomic_fetch_or(p, v, order)
#define __hip_atomic_fetch_xor(p, v, order, scope) __atomic_fetch_xor(p, v, order)
#define __hip_atomic_fetch_min(p, v, order, scope) __atomic_fetch_min(p, v, order)
#define __hip_atomic_fetch_max(p, v, order, scope) __atomic_fetch_max(p, v, order)

template <typename T, typename F>
inline T update(T *p, F f) {
  const T old = *p;
  *p = f(old);
  return old;
}
template <typename T>
inline T atomicAdd(T *p, T v) { return update(p, [=](T old) { return (T)(old + v); }); }
template <typename T>
inline T atomicMin(T *p, T v) { return update(p, [=](T old) { return old < v ? old : v; }); }
template <typename T>
inline T atomicMax(T *p, T v) { return update(p, [=](T old) { return old > v ? old : v; }); }
template <typename T>
inline T atomicAnd(T *p, T v) { return update(p, [=](T old) { return (T)(old & v); }); }
template <typename T>
inline T atomicOr(T *p, T v) { return update(p, [=](T old) { return (T)(old | v); }); }
template <typename T>
inline T atomicXor(T *p, T v) { return update(p, [=](T old) { return (T)(old ^ v); }); }
template <typename T>
inline T atomicExch(T *p, T v) { return update(p, [=](T) { return v; }); }
template <typename T>
inline T atomicCAS(T *p, T expected, T v) { return update(p, [=](T old) { return old == expected ? v : old; }); }
inline unsigned atomicInc(unsigned *p, unsigned v) { return update(p, [=](unsigned old) { return old >= v ? 0u : old + 1u; }); }
inline unsigned atomicDec(unsigned *p, unsigned v) {
  return update(p, [=](unsigned old) { return old == 0 || old > v ? v : old - 1u; });
}

struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
