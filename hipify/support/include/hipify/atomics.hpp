// CUDA's atomic functions whose scope is the block or the system, which HIP has in part or not at all.
//
// A name is CUDA's. All are relaxed, as in CUDA, and return the old value. With `_block` other threads of
// the block see them as atomic, with `_system` those of all devices and the host's as well; HIP wants
// fine-grained memory for that (hipHostMalloc, or hipMallocManaged with its default advice).
//
// Works with HIP (AMD, ROCm 5 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_ATOMICS_HPP
#define HIPIFY_ATOMICS_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace detail {

// The type of an argument that follows another one instead of taking part in deduction: CUDA's functions are
// plain overloads, so that `atomicAdd_block(unsigned_pointer, 1)` is well-formed.
template <typename T>
struct Given { typedef T type; };

// Sets *address to what `op` makes of it, if nobody else changed it meanwhile, until that succeeds.
template <int Scope, typename T, typename Op>
__device__ inline T update(T *address, Op op) {
  T old = __hip_atomic_load(address, __ATOMIC_RELAXED, Scope);
  while (!__hip_atomic_compare_exchange_strong(address, &old, op(old), __ATOMIC_RELAXED, __ATOMIC_RELAXED, Scope)) {
  }
  return old;
}

}  // namespace detail

#define HIPIFY_ATOMIC(suffix, scope)                                                                             \
  template <typename T>                                                                                          \
  __device__ inline T atomicAdd_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, scope);                                      \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicSub_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_add(address, static_cast<T>(T() - value), __ATOMIC_RELAXED, scope);                \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicExch_##suffix(T *address, typename detail::Given<T>::type value) {                   \
    return __hip_atomic_exchange(address, value, __ATOMIC_RELAXED, scope);                                       \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicMin_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_min(address, value, __ATOMIC_RELAXED, scope);                                      \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicMax_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, scope);                                      \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicAnd_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_and(address, value, __ATOMIC_RELAXED, scope);                                      \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicOr_##suffix(T *address, typename detail::Given<T>::type value) {                     \
    return __hip_atomic_fetch_or(address, value, __ATOMIC_RELAXED, scope);                                       \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicXor_##suffix(T *address, typename detail::Given<T>::type value) {                    \
    return __hip_atomic_fetch_xor(address, value, __ATOMIC_RELAXED, scope);                                      \
  }                                                                                                              \
  template <typename T>                                                                                          \
  __device__ inline T atomicCAS_##suffix(T *address, typename detail::Given<T>::type compare,                    \
                                         typename detail::Given<T>::type value) {                                \
    T old = compare;                                                                                             \
    __hip_atomic_compare_exchange_strong(address, &old, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);       \
    return old;                                                                                                  \
  }                                                                                                              \
  /* Counts up to the limit and then starts at 0 again. */                                                       \
  __device__ inline unsigned atomicInc_##suffix(unsigned *address, unsigned limit) {                             \
    return detail::update<scope>(address, [=](unsigned old) { return old >= limit ? 0u : old + 1u; });           \
  }                                                                                                              \
  /* Counts down to 0 and then starts at the limit again, as from beyond it. */                                  \
  __device__ inline unsigned atomicDec_##suffix(unsigned *address, unsigned limit) {                             \
    return detail::update<scope>(address,                                                                        \
                                 [=](unsigned old) { return old == 0u || old > limit ? limit : old - 1u; });     \
  }
HIPIFY_ATOMIC(block, __HIP_MEMORY_SCOPE_WORKGROUP)
HIPIFY_ATOMIC(system, __HIP_MEMORY_SCOPE_SYSTEM)
#undef HIPIFY_ATOMIC

}  // namespace hipify

#endif  // HIPIFY_ATOMICS_HPP
