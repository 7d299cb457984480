// What HIP code asks about its platform, answered for NVIDIA.

#ifndef HIP_ON_CUDA_PLATFORM_H
#define HIP_ON_CUDA_PLATFORM_H

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__)
#error "these headers are HIP on NVIDIA: compile without __HIP_PLATFORM_AMD__, or for AMD with ROCm's headers"
#endif

#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__ 1
#endif
#ifndef __HIP_PLATFORM_NVCC__
#define __HIP_PLATFORM_NVCC__ 1
#endif

#if defined(__CUDACC__) && !defined(__HIPCC__)
#define __HIPCC__ 1
#endif

#if defined(__CUDA_ARCH__)
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 1
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ 1
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 1
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 1
#define __HIP_ARCH_HAS_3DGRID__ 1
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 1
#endif

// A function of ours in a header: one copy a unit, and no complaint where it is not called.
#if defined(_MSC_VER)
#define HIP_ON_CUDA_API static __inline
#else
#define HIP_ON_CUDA_API static inline __attribute__((unused))
#endif

// Host and device where there is a device compiler, else nothing: g++ reads these headers, too.
#if defined(__CUDACC__)
#define HIP_ON_CUDA_BOTH __host__ __device__ __forceinline__
#else
#define HIP_ON_CUDA_BOTH inline
#endif

#endif  // HIP_ON_CUDA_PLATFORM_H
