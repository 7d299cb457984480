// hipCUB is CUB on NVIDIA.

#ifndef HIP_ON_CUDA_HIPCUB_HIPCUB_HPP
#define HIP_ON_CUDA_HIPCUB_HIPCUB_HPP

#include <hip/hip_runtime.h>

#include <cub/cub.cuh>
#include <hip_on_cuda/names/cub.h>

#if defined(CCCL_MAJOR_VERSION) && CCCL_MAJOR_VERSION >= 3
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

#define HIPCUB_WARP_THREADS 32
#define HIPCUB_CPP_DIALECT _CCCL_STD_VER

namespace hipcub {

using namespace cub;

#if defined(CCCL_MAJOR_VERSION) && CCCL_MAJOR_VERSION >= 3
// Functors that CUB had until CUDA 13 and hipCUB still has.
struct Sum {
  template <typename T, typename U>
  __host__ __device__ __forceinline__ auto operator()(const T &a, const U &b) const -> decltype(a + b) { return a + b; }
};
struct Difference {
  template <typename T, typename U>
  __host__ __device__ __forceinline__ auto operator()(const T &a, const U &b) const -> decltype(a - b) { return a - b; }
};
struct Division {
  template <typename T, typename U>
  __host__ __device__ __forceinline__ auto operator()(const T &a, const U &b) const -> decltype(a / b) { return a / b; }
};
struct Max {
  template <typename T>
  __host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <typename T>
  __host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
  template <typename T, typename U>
  __host__ __device__ __forceinline__ bool operator()(const T &a, const U &b) const { return a == b; }
};
struct Inequality {
  template <typename T, typename U>
  __host__ __device__ __forceinline__ bool operator()(const T &a, const U &b) const { return a != b; }
};
template <typename T>
using CountingInputIterator = thrust::counting_iterator<T>;
template <typename T>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <typename T, typename Function, typename Input>
using TransformInputIterator = thrust::transform_iterator<Function, Input, T>;
template <typename T = void>
using DiscardOutputIterator = thrust::discard_iterator<>;
#endif

}  // namespace hipcub

#endif  // HIP_ON_CUDA_HIPCUB_HIPCUB_HPP
