// HIP on NVIDIA: the host API, and what kernels use.

#ifndef HIP_ON_CUDA_HIP_RUNTIME_H
#define HIP_ON_CUDA_HIP_RUNTIME_H

#if !defined(__CUDACC_RTC__)
#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_types.h>
#include <hip_on_cuda/launch.h>
#include <hip_on_cuda/warp.h>
#include <hip_on_cuda/device_builtins.h>
#else
#include <hip_on_cuda/platform.h>
#include <hip_on_cuda/launch.h>
#endif

#endif  // HIP_ON_CUDA_HIP_RUNTIME_H
