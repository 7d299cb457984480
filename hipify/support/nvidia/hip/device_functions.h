#ifndef HIP_ON_CUDA_HIP_DEVICE_FUNCTIONS_H
#define HIP_ON_CUDA_HIP_DEVICE_FUNCTIONS_H
#include <hip/hip_runtime.h>
#endif
