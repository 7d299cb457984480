#ifndef HIP_ON_CUDA_HIP_HIP_BF16_H
#define HIP_ON_CUDA_HIP_HIP_BF16_H
#include <hip_on_cuda/platform.h>
#include <cuda_bf16.h>
#include <hip_on_cuda/names/device.h>
#endif
