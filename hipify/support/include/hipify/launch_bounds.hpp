// The second argument of __launch_bounds__: blocks a multiprocessor in CUDA, waves an execution unit in HIP.
//
//   __global__ void __launch_bounds__(256, hipify::min_waves_per_eu(256, 4)) kernel(...)
//
// asks on every GPU that as many threads fit as in four blocks of 256. It is a hint to the compiler, which
// limits registers by it; results do not depend on it.

#ifndef HIPIFY_LAUNCH_BOUNDS_HPP
#define HIPIFY_LAUNCH_BOUNDS_HPP

namespace hipify {

// What HIP's __launch_bounds__(max_threads, ...) needs for CUDA's min_blocks: at least 1, at most the
// number of waves that an execution unit holds. For nvcc it is min_blocks itself.
constexpr int min_waves_per_eu(int max_threads, int min_blocks) {
#if defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__)
  return max_threads > 0 ? min_blocks : 0;
#else
  // Four execution units share what a multiprocessor is to CUDA: a compute unit or, on RDNA, two of them.
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define HIPIFY_WAVES(threads) (((threads) + 127) / 128)
#define HIPIFY_MAX_WAVES 16
#else
#define HIPIFY_WAVES(threads) (((threads) + 255) / 256)
#define HIPIFY_MAX_WAVES 8
#endif
  return max_threads * min_blocks < 1                               ? 1
         : HIPIFY_WAVES(max_threads * min_blocks) > HIPIFY_MAX_WAVES ? HIPIFY_MAX_WAVES
                                                                     : HIPIFY_WAVES(max_threads * min_blocks);
#undef HIPIFY_WAVES
#undef HIPIFY_MAX_WAVES
#endif
}

}  // namespace hipify

#endif  // HIPIFY_LAUNCH_BOUNDS_HPP
