// HIP's host API on the CUDA runtime and driver.

#ifndef HIP_ON_CUDA_HIP_RUNTIME_API_H
#define HIP_ON_CUDA_HIP_RUNTIME_API_H

#include <hip_on_cuda/platform.h>

#include <cuda.h>
#include <cuda_runtime_api.h>
#if defined(__cplusplus)
#include <cuda_runtime.h>
#endif
// NVIDIA ships this one in a package of its own, which may not be there.
#if !defined(__has_include)
#include <cuda_profiler_api.h>
#elif __has_include(<cuda_profiler_api.h>)
#include <cuda_profiler_api.h>
#endif

#include <hip/hip_version.h>
#include <hip_on_cuda/driver_call.h>
#include <hip_on_cuda/names/runtime.h>
#include <hip_on_cuda/device.h>
#include <hip_on_cuda/memory.h>
#include <hip_on_cuda/graph.h>
#include <hip_on_cuda/context.h>
#include <hip_on_cuda/error.h>

#endif  // HIP_ON_CUDA_HIP_RUNTIME_API_H
