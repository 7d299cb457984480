// Builtins of clang for AMD GPUs that ported code uses, most of it where CUDA had PTX.

#ifndef HIP_ON_CUDA_DEVICE_BUILTINS_H
#define HIP_ON_CUDA_DEVICE_BUILTINS_H

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

#if defined(__cplusplus) && defined(__CUDACC__)

#ifndef __ATOMIC_RELAXED  // Microsoft's compiler lacks them
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#endif

namespace hip_on_cuda {

__device__ __forceinline__ void fence(int scope) {
  if (scope >= __HIP_MEMORY_SCOPE_SYSTEM) {
    __threadfence_system();
  } else if (scope == __HIP_MEMORY_SCOPE_AGENT) {
    __threadfence();
  } else {
    __threadfence_block();
  }
}
__device__ __forceinline__ void fence_before(int order, int scope) {
  if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST) fence(scope);
}
__device__ __forceinline__ void fence_after(int order, int scope) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) fence(scope);
}

// The scope of __builtin_amdgcn_fence: "workgroup", "agent", "wavefront", "" for the system.
constexpr __device__ int scope_of(const char *name) {
  return name[0] == 'a'   ? __HIP_MEMORY_SCOPE_AGENT
         : name[0] == 'w' ? __HIP_MEMORY_SCOPE_WORKGROUP
         : name[0] == 's' ? __HIP_MEMORY_SCOPE_WORKGROUP
                          : __HIP_MEMORY_SCOPE_SYSTEM;
}

// The sum of base and the lanes of the mask below the caller's.
__device__ __forceinline__ unsigned lanes_below(unsigned mask, unsigned base) {
  unsigned below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  return base + static_cast<unsigned>(__popc(static_cast<int>(mask & below)));
}

__device__ __forceinline__ unsigned long long bswap64(unsigned long long x) {
  const unsigned high = __byte_perm(static_cast<unsigned>(x), 0, 0x0123);
  const unsigned low = __byte_perm(static_cast<unsigned>(x >> 32), 0, 0x0123);
  return static_cast<unsigned long long>(high) << 32 | low;
}
// `carry` and `borrow` are 0 or 1, and so is what `out` gets.
template <typename T>
__device__ __forceinline__ T add_with_carry(T a, T b, T carry, T *out) {
  const T partial = a + b, sum = partial + carry;
  *out = static_cast<T>((partial < a) | (sum < partial));
  return sum;
}
template <typename T>
__device__ __forceinline__ T subtract_with_borrow(T a, T b, T borrow, T *out) {
  const T partial = a - b, difference = partial - borrow;
  *out = static_cast<T>((a < b) | (partial < borrow));
  return difference;
}
__device__ __forceinline__ bool add_overflows(int a, int b, int *sum) {
  *sum = static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  return ((a ^ *sum) & (b ^ *sum)) < 0;
}
__device__ __forceinline__ bool sub_overflows(int a, int b, int *difference) {
  *difference = static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b));
  return ((a ^ b) & (a ^ *difference)) < 0;
}
__device__ __forceinline__ bool is_normal(float x) { return isfinite(x) && fabsf(x) >= 1.17549435e-38f; }
__device__ __forceinline__ bool is_normal(double x) { return isfinite(x) && fabs(x) >= 2.2250738585072014e-308; }

}  // namespace hip_on_cuda

template <typename T>
__device__ __forceinline__ T __hip_atomic_load(const T *pointer, int order, int scope) {
  if (order == __ATOMIC_SEQ_CST) hip_on_cuda::fence(scope);
  const T value = *const_cast<const volatile T *>(pointer);
  hip_on_cuda::fence_after(order, scope);
  return value;
}
template <typename T, typename V>
__device__ __forceinline__ void __hip_atomic_store(T *pointer, V value, int order, int scope) {
  hip_on_cuda::fence_before(order, scope);
  *const_cast<volatile T *>(pointer) = static_cast<T>(value);
  if (order == __ATOMIC_SEQ_CST) hip_on_cuda::fence(scope);
}

// Each in the scopes of CUDA: a block, the device (the plain name), the system.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HIP_ON_CUDA_ATOMIC(name, function)                                                  \
  template <typename T, typename V>                                                         \
  __device__ __forceinline__ T name(T *pointer, V value, int order, int scope) {            \
    hip_on_cuda::fence_before(order, scope);                                                \
    const T operand = static_cast<T>(value);                                                \
    const T before = scope >= __HIP_MEMORY_SCOPE_SYSTEM  ? function##_system(pointer, operand) \
                     : scope == __HIP_MEMORY_SCOPE_AGENT ? function(pointer, operand)       \
                                                         : function##_block(pointer, operand); \
    hip_on_cuda::fence_after(order, scope);                                                 \
    return before;                                                                          \
  }
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_add, atomicAdd)
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_and, atomicAnd)
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_or, atomicOr)
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_xor, atomicXor)
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_min, atomicMin)
HIP_ON_CUDA_ATOMIC(__hip_atomic_fetch_max, atomicMax)
HIP_ON_CUDA_ATOMIC(__hip_atomic_exchange, atomicExch)
#undef HIP_ON_CUDA_ATOMIC

template <typename T, typename V>
__device__ __forceinline__ bool __hip_atomic_compare_exchange_strong(
    T *pointer, T *expected, V value, int success, int failure, int scope) {
  hip_on_cuda::fence_before(success, scope);
  const T wanted = *expected, next = static_cast<T>(value);
  const T before = scope >= __HIP_MEMORY_SCOPE_SYSTEM  ? atomicCAS_system(pointer, wanted, next)
                   : scope == __HIP_MEMORY_SCOPE_AGENT ? atomicCAS(pointer, wanted, next)
                                                       : atomicCAS_block(pointer, wanted, next);
  hip_on_cuda::fence_after(before == wanted ? success : failure, scope);
  *expected = before;
  return before == wanted;
}
#endif

template <typename T>
__device__ __forceinline__ T unsafeAtomicAdd(T *pointer, T value) {
  return atomicAdd(pointer, value);
}
template <typename T>
__device__ __forceinline__ T safeAtomicAdd(T *pointer, T value) {
  return atomicAdd(pointer, value);
}

__device__ __forceinline__ unsigned __smid() {
  unsigned number;
  asm("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// Ticks of 10 ns, as on AMD GPUs.
__device__ __forceinline__ long long wall_clock64() {
  long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds / 10;
}

#define __builtin_amdgcn_fence(order, scope) hip_on_cuda::fence(hip_on_cuda::scope_of(scope))
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_s_sleep(ticks) __nanosleep(32u * (ticks))
#define __builtin_amdgcn_rcpf(x) __frcp_rn(x)
#define __builtin_amdgcn_rsqf(x) rsqrtf(x)
#define __builtin_amdgcn_sqrtf(x) __fsqrt_rn(x)
#define __builtin_amdgcn_exp2f(x) exp2f(x)
#define __builtin_amdgcn_logf(x) __log2f(x)
#define __builtin_amdgcn_is_shared(pointer) (__isShared((const void *)(pointer)) != 0)
#define __builtin_amdgcn_is_private(pointer) (__isLocal((const void *)(pointer)) != 0)
#define __builtin_amdgcn_readfirstlane(value) \
  __shfl_sync(__activemask(), (value), __ffs(static_cast<int>(__activemask())) - 1)
#define __builtin_amdgcn_mbcnt_lo(mask, base) hip_on_cuda::lanes_below(mask, base)
#define __builtin_amdgcn_mbcnt_hi(mask, base) (base)

#define __builtin_addc(a, b, carry, out) hip_on_cuda::add_with_carry<unsigned>((a), (b), (carry), (out))
#define __builtin_addcl(a, b, carry, out) hip_on_cuda::add_with_carry<unsigned long>((a), (b), (carry), (out))
#define __builtin_addcll(a, b, carry, out) hip_on_cuda::add_with_carry<unsigned long long>((a), (b), (carry), (out))
#define __builtin_subc(a, b, borrow, out) hip_on_cuda::subtract_with_borrow<unsigned>((a), (b), (borrow), (out))
#define __builtin_subcl(a, b, borrow, out) hip_on_cuda::subtract_with_borrow<unsigned long>((a), (b), (borrow), (out))
#define __builtin_subcll(a, b, borrow, out) \
  hip_on_cuda::subtract_with_borrow<unsigned long long>((a), (b), (borrow), (out))
#define __builtin_elementwise_abs(x) abs(x)
#define __builtin_elementwise_min(a, b) min((a), (b))
#define __builtin_elementwise_max(a, b) max((a), (b))

#define __builtin_debugtrap() __brkpt()
#define __builtin_nontemporal_load(pointer) __ldcs(pointer)
#define __builtin_nontemporal_store(value, pointer) __stcs((pointer), (value))

// What nvcc has for hosts only.
#if defined(__CUDA_ARCH__)
#define __builtin_bswap16(x) static_cast<unsigned short>(__byte_perm((x), 0, 0x4401))
#define __builtin_bswap32(x) __byte_perm((x), 0, 0x0123)
#define __builtin_bswap64(x) hip_on_cuda::bswap64(x)
#define __builtin_add_overflow(a, b, sum) hip_on_cuda::add_overflows((a), (b), (sum))
#define __builtin_sub_overflow(a, b, difference) hip_on_cuda::sub_overflows((a), (b), (difference))
#define __builtin_trap() __trap()
#define __builtin_prefetch(pointer, ...) asm volatile("prefetch.global.L2 [%0];" : : "l"(pointer))
#define __builtin_isnormal(x) hip_on_cuda::is_normal(x)
#endif

#endif  // __CUDACC__

#endif  // HIP_ON_CUDA_DEVICE_BUILTINS_H
