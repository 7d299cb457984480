#ifndef HIP_ON_CUDA_HIP_HIP_MATH_CONSTANTS_H
#define HIP_ON_CUDA_HIP_HIP_MATH_CONSTANTS_H
#include <hip_on_cuda/platform.h>
#include <math_constants.h>
#include <hip_on_cuda/names/device.h>
#endif
