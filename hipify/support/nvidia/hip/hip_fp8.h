#ifndef HIP_ON_CUDA_HIP_HIP_FP8_H
#define HIP_ON_CUDA_HIP_HIP_FP8_H
#include <hip_on_cuda/platform.h>
#include <cuda_fp8.h>
#include <hip_on_cuda/names/device.h>
#endif
