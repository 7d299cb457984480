// Stand-ins on the host for what the support headers take from HIP, each written from HIP's documentation.
// One thread; all memory is global.
#pragma once
#include <math.h>
#include <stddef.h>
#include <string.h>

#if !defined(__clang__)
#define ext_vector_type(n) vector_size(4 * (n))
#endif
#define __device__
#define __host__
#define __global__
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
struct short2 { short x, y; };
struct ushort2 { unsigned short x, y; };

#define __builtin_nontemporal_load(p) (*(p))
#define __builtin_nontemporal_store(v, p) (*(p) = (v))
#define __builtin_debugtrap() __builtin_trap()
#define __builtin_amdgcn_is_shared(p) false
#define __builtin_amdgcn_is_private(p) false
#define __builtin_amdgcn_s_sleep(n) (void)0
inline long long wall_clock64() {
  static long long ticks = 0;
  return ++ticks;
}

#define __hip_atomic_load(p, order, scope) (*(p))
#define __hip_atomic_compare_exchange_strong(p, e, v, order, fails, scope) host_exchange_if(p, e, v)
#define __hip_atomic_exchange(p, v, order, scope) host_update(p, v, [](auto, auto b) { return b; })
#define __hip_atomic_fetch_add(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a + b; })
#define __hip_atomic_fetch_min(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a < b ? a : b; })
#define __hip_atomic_fetch_max(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a > b ? a : b; })
#define __hip_atomic_fetch_and(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a & b; })
#define __hip_atomic_fetch_or(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a | b; })
#define __hip_atomic_fetch_xor(p, v, order, scope) host_update(p, v, [](auto a, auto b) { return a ^ b; })

template <typename T, typename Op>
inline T host_update(T *p, T v, Op op) {
  const T old = *p;
  *p = op(old, v);
  return old;
}
template <typename T>
inline bool host_exchange_if(T *p, T *expected, T v) {
  if (*p == *expected) {
    *p = v;
    return true;
  }
  *expected = *p;
  return false;
}
