// CUDA's 32-lane warps on any GPU.
//
// On NVIDIA GPUs and on AMD GPUs with 32-lane waves (RDNA) a warp is the wave of the hardware. On AMD GPUs
// with 64-lane waves (CDNA) a warp is half a wave: lanes 0-31 are one warp, lanes 32-63 the next, exactly
// as CUDA numbers the threads of a block. Each function has the name of CUDA's intrinsic less its leading
// underscores, and takes and returns what CUDA's does: 32-bit masks whose bit i stands for lane i of the
// calling thread's own warp. So code that counts, shifts or stores such masks stays as it was.
//
// Rules for callers are CUDA's: every lane that a mask names, unless it has exited, makes the same call with
// the same mask. The two warps of a wave need not: each may be in a branch of its own.
//
// Works with HIP (AMD, ROCm 5 or newer; hipRTC, and NVIDIA) and with nvcc, from C++11 on.

#ifndef HIPIFY_WARP32_HPP
#define HIPIFY_WARP32_HPP

#if !defined(__HIPCC_RTC__) && !defined(__CUDACC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {

// What `warpSize` is in CUDA. A constant, for hosts too. (HIP's own `warpSize` is 64 on CDNA.)
constexpr int warp_size = 32;

}  // namespace hipify

#if defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__)

// NVIDIA: a warp has 32 lanes, and CUDA's intrinsics do it all.
namespace hipify {

template <typename T>
__device__ __forceinline__ auto shfl_sync(unsigned mask, T value, int lane, int width = warp_size)
    -> decltype(__shfl_sync(mask, value, lane, width)) {
  return __shfl_sync(mask, value, lane, width);
}
template <typename T>
__device__ __forceinline__ auto shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warp_size)
    -> decltype(__shfl_up_sync(mask, value, delta, width)) {
  return __shfl_up_sync(mask, value, delta, width);
}
template <typename T>
__device__ __forceinline__ auto shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warp_size)
    -> decltype(__shfl_down_sync(mask, value, delta, width)) {
  return __shfl_down_sync(mask, value, delta, width);
}
template <typename T>
__device__ __forceinline__ auto shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warp_size)
    -> decltype(__shfl_xor_sync(mask, value, lane_mask, width)) {
  return __shfl_xor_sync(mask, value, lane_mask, width);
}

__device__ __forceinline__ unsigned activemask() { return __activemask(); }
__device__ __forceinline__ unsigned ballot_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ int any_sync(unsigned mask, int predicate) { return __any_sync(mask, predicate); }
__device__ __forceinline__ int all_sync(unsigned mask, int predicate) { return __all_sync(mask, predicate); }
__device__ __forceinline__ void syncwarp(unsigned mask = 0xffffffffu) { __syncwarp(mask); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename T>
__device__ __forceinline__ unsigned match_any_sync(unsigned mask, T value) {
  return __match_any_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ unsigned match_all_sync(unsigned mask, T value, int *predicate) {
  return __match_all_sync(mask, value, predicate);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <typename T>
__device__ __forceinline__ T reduce_add_sync(unsigned mask, T value) {
  return __reduce_add_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ T reduce_min_sync(unsigned mask, T value) {
  return __reduce_min_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ T reduce_max_sync(unsigned mask, T value) {
  return __reduce_max_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return __reduce_and_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return __reduce_or_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return __reduce_xor_sync(mask, value);
}
#endif

// The number of the calling thread's lane, 0 to 31: PTX's %laneid.
__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

}  // namespace hipify

#elif defined(__HIP__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)

// AMD. A wave may hold two warps; `detail::shift()` is where the calling thread's own one starts.
namespace hipify {
namespace detail {

__device__ inline unsigned wave_lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

__device__ inline unsigned shift() { return wave_lane() & 32u; }

// Bits of the own warp out of those of the whole wave.
__device__ inline unsigned own_half(unsigned long long wave_bits) {
  return static_cast<unsigned>(wave_bits >> shift());
}

// The value that lane `wave_lane` of the wave holds, for any type that can be copied byte by byte.
template <typename T>
__device__ inline T from_lane(T value, unsigned wave_lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int bits[words] = {};
  __builtin_memcpy(bits, static_cast<const void *>(&value), sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) {
    bits[i] = __builtin_amdgcn_ds_bpermute(static_cast<int>(wave_lane * 4), bits[i]);
  }
  __builtin_memcpy(static_cast<void *>(&value), bits, sizeof(T));
  return value;
}

// A value of up to eight bytes as a number, so that equal means equal bit by bit, as CUDA has it.
template <typename T>
__device__ inline unsigned long long to_bits(T value) {
  static_assert(sizeof(T) <= 8, "warp matches compare values of at most 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, static_cast<const void *>(&value), sizeof(T));
  return bits;
}

__device__ inline unsigned long long from_first_lane(unsigned long long bits) {
  const unsigned low = __builtin_amdgcn_readfirstlane(static_cast<int>(bits));
  const unsigned high = __builtin_amdgcn_readfirstlane(static_cast<int>(bits >> 32));
  return static_cast<unsigned long long>(high) << 32 | low;
}

}  // namespace detail

// The number of the calling thread's lane, 0 to 31: PTX's %laneid.
__device__ inline unsigned lane_id() { return detail::wave_lane() & 31u; }

// --- shuffles: the hardware needs no mask; `width` is a power of two up to 32 ---

template <typename T>
__device__ inline T shfl_sync(unsigned, T value, int lane, int width = warp_size) {
  const unsigned self = detail::wave_lane();
  const unsigned in_segment = static_cast<unsigned>(width) - 1u;
  return detail::from_lane(value, (self & ~in_segment) | (static_cast<unsigned>(lane) & in_segment));
}

template <typename T>
__device__ inline T shfl_up_sync(unsigned, T value, unsigned delta, int width = warp_size) {
  const unsigned self = detail::wave_lane();
  const unsigned in_segment = static_cast<unsigned>(width) - 1u;
  delta &= 31u;
  return detail::from_lane(value, (self & in_segment) < delta ? self : self - delta);
}

template <typename T>
__device__ inline T shfl_down_sync(unsigned, T value, unsigned delta, int width = warp_size) {
  const unsigned self = detail::wave_lane();
  const unsigned in_segment = static_cast<unsigned>(width) - 1u;
  delta &= 31u;
  return detail::from_lane(value, (self & in_segment) + delta > in_segment ? self : self + delta);
}

template <typename T>
__device__ inline T shfl_xor_sync(unsigned, T value, int lane_mask, int width = warp_size) {
  const unsigned self = detail::wave_lane();
  const unsigned in_segment = static_cast<unsigned>(width) - 1u;
  const unsigned other = self ^ (static_cast<unsigned>(lane_mask) & 31u);
  return detail::from_lane(value, other > (self | in_segment) ? self : other);
}

// --- votes: bits of lanes that have exited are 0, and such lanes do not take part ---

__device__ inline unsigned activemask() { return detail::own_half(__builtin_amdgcn_ballot_w64(true)); }

__device__ inline unsigned ballot_sync(unsigned mask, int predicate) {
  return detail::own_half(__builtin_amdgcn_ballot_w64(predicate != 0)) & mask;
}

__device__ inline int any_sync(unsigned mask, int predicate) { return ballot_sync(mask, predicate) != 0; }

__device__ inline int all_sync(unsigned mask, int predicate) { return ballot_sync(mask, !predicate) == 0; }

// Orders the warp's memory accesses before and after. The lanes of a wave run in step; the fence keeps the
// compiler from moving or merging accesses across.
__device__ inline void syncwarp(unsigned = 0xffffffffu) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

// --- matches: which lanes of the mask hold the same bits ---

template <typename T>
__device__ inline unsigned match_any_sync(unsigned mask, T value) {
  const unsigned long long bits = detail::to_bits(value);
  unsigned long long first, same;
  do {  // Each turn serves the lanes that agree with the first one left; both warps of a wave go together.
    first = detail::from_first_lane(bits);
    same = __builtin_amdgcn_ballot_w64(bits == first);
  } while (bits != first);
  return detail::own_half(same) & mask;
}

template <typename T>
__device__ inline unsigned match_all_sync(unsigned mask, T value, int *predicate) {
  const unsigned present = activemask() & mask;
  const bool all = match_any_sync(mask, value) == present;
  *predicate = all;
  return all ? present : 0u;
}

// --- reductions over the lanes of the mask: 32-bit integers, as in CUDA ---

namespace detail {

template <typename T, typename Op>
__device__ inline T reduce(unsigned mask, T value, Op op) {
  const unsigned present = activemask() & mask;
  T result = value;
  if (present == 0xffffffffu) {
    for (int step = 16; step > 0; step /= 2) result = op(result, shfl_xor_sync(mask, result, step));
    return result;
  }
  // Lanes with different masks may be here at once, so all take all turns.
  for (unsigned lane = 0; lane < 32; ++lane) {
    const T other = shfl_sync(mask, value, static_cast<int>(lane));
    if ((present >> lane & 1u) != 0 && lane != lane_id()) result = op(result, other);
  }
  return result;
}

struct Add {
  template <typename T>
  __device__ T operator()(T a, T b) const { return a + b; }
};
struct Min {
  template <typename T>
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Max {
  template <typename T>
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct And {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a & b; }
};
struct Or {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
struct Xor {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};

}  // namespace detail

template <typename T>
__device__ inline T reduce_add_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, detail::Add());
}
template <typename T>
__device__ inline T reduce_min_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, detail::Min());
}
template <typename T>
__device__ inline T reduce_max_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, detail::Max());
}
__device__ inline unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, detail::And());
}
__device__ inline unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, detail::Or());
}
__device__ inline unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, detail::Xor());
}

}  // namespace hipify

#endif

#if defined(__CUDACC__) || defined(__HIP__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)

namespace hipify {

// PTX's %lanemask_eq, _lt, _le, _gt and _ge.
__device__ inline unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ inline unsigned lanemask_lt() { return lanemask_eq() - 1u; }
__device__ inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ inline unsigned lanemask_gt() { return ~lanemask_le(); }
__device__ inline unsigned lanemask_ge() { return ~lanemask_lt(); }

// --- CUDA's intrinsics without a mask, which it had before version 9: whoever is there takes part ---

template <typename T>
__device__ inline T shfl(T value, int lane, int width = warp_size) {
  return shfl_sync(activemask(), value, lane, width);
}
template <typename T>
__device__ inline T shfl_up(T value, unsigned delta, int width = warp_size) {
  return shfl_up_sync(activemask(), value, delta, width);
}
template <typename T>
__device__ inline T shfl_down(T value, unsigned delta, int width = warp_size) {
  return shfl_down_sync(activemask(), value, delta, width);
}
template <typename T>
__device__ inline T shfl_xor(T value, int lane_mask, int width = warp_size) {
  return shfl_xor_sync(activemask(), value, lane_mask, width);
}
__device__ inline unsigned ballot(int predicate) { return ballot_sync(activemask(), predicate); }
__device__ inline int any(int predicate) { return any_sync(activemask(), predicate); }
__device__ inline int all(int predicate) { return all_sync(activemask(), predicate); }

}  // namespace hipify

#endif

#endif  // HIPIFY_WARP32_HPP
