// Warps: HIP's intrinsics take and give masks of 64 bits, as waves may have 64 lanes. Warps of NVIDIA have 32.

#ifndef HIP_ON_CUDA_WARP_H
#define HIP_ON_CUDA_WARP_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include <type_traits>

namespace hip_on_cuda {

// For masks of 64 bits only: CUDA's own functions serve those of 32.
template <typename Mask, typename Result>
using ForWideMask =
    typename std::enable_if<std::is_integral<Mask>::value && sizeof(Mask) == 8, Result>::type;

__device__ __forceinline__ unsigned lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

}  // namespace hip_on_cuda

__device__ __forceinline__ unsigned __lane_id() { return hip_on_cuda::lane(); }

#define HIP_ON_CUDA_SHUFFLE(name, By)                                                             \
  template <typename Mask, typename T>                                                            \
  __device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, T> name##_sync(                       \
      Mask mask, T value, By by, int width = 32) {                                                \
    return name##_sync(static_cast<unsigned>(mask), value, by, width);                            \
  }
HIP_ON_CUDA_SHUFFLE(__shfl, int)
HIP_ON_CUDA_SHUFFLE(__shfl_up, unsigned)
HIP_ON_CUDA_SHUFFLE(__shfl_down, unsigned)
HIP_ON_CUDA_SHUFFLE(__shfl_xor, int)
#undef HIP_ON_CUDA_SHUFFLE

template <typename Mask>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, unsigned long long> __ballot_sync(
    Mask mask, int predicate) {
  return __ballot_sync(static_cast<unsigned>(mask), predicate);
}
template <typename Mask>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, int> __any_sync(Mask mask, int predicate) {
  return __any_sync(static_cast<unsigned>(mask), predicate);
}
template <typename Mask>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, int> __all_sync(Mask mask, int predicate) {
  return __all_sync(static_cast<unsigned>(mask), predicate);
}
template <typename Mask>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, void> __syncwarp(Mask mask) {
  __syncwarp(static_cast<unsigned>(mask));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename Mask, typename T>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, unsigned long long> __match_any_sync(Mask mask, T value) {
  return __match_any_sync(static_cast<unsigned>(mask), value);
}
template <typename Mask, typename T>
__device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, unsigned long long> __match_all_sync(
    Mask mask, T value, int *predicate) {
  return __match_all_sync(static_cast<unsigned>(mask), value, predicate);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HIP_ON_CUDA_REDUCE(name)                                                                   \
  template <typename Mask, typename T>                                                             \
  __device__ __forceinline__ hip_on_cuda::ForWideMask<Mask, T> __reduce_##name##_sync(Mask mask, T value) { \
    return __reduce_##name##_sync(static_cast<unsigned>(mask), value);                             \
  }
HIP_ON_CUDA_REDUCE(add)
HIP_ON_CUDA_REDUCE(min)
HIP_ON_CUDA_REDUCE(max)
HIP_ON_CUDA_REDUCE(and)
HIP_ON_CUDA_REDUCE(or)
HIP_ON_CUDA_REDUCE(xor)
#undef HIP_ON_CUDA_REDUCE
#endif

// Without a mask: whoever is there takes part. CUDA declares these for hosts and old GPUs only.
template <typename T>
__device__ __forceinline__ T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_up(T value, unsigned delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_down(T value, unsigned delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_xor(T value, int lane_mask, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, lane_mask, width);
}

namespace hip_on_cuda {

__device__ __forceinline__ unsigned long long ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
__device__ __forceinline__ int any(int predicate) { return __any_sync(__activemask(), predicate); }
__device__ __forceinline__ int all(int predicate) { return __all_sync(__activemask(), predicate); }

}  // namespace hip_on_cuda

// CUDA still declares votes without a mask for all GPUs, and current ones lack the instruction: only macros
// get past that. The one header of CUDA's that uses such a name itself must come first.
#if __cplusplus >= 201703L && __has_include(<cuda/std/__functional/invoke.h>)
#include <cuda/std/__functional/invoke.h>
#endif
#define __ballot(predicate) hip_on_cuda::ballot(predicate)
#define __any(predicate) hip_on_cuda::any(predicate)
#define __all(predicate) hip_on_cuda::all(predicate)

#endif  // __CUDACC__

#endif  // HIP_ON_CUDA_WARP_H
