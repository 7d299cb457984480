#ifndef HIP_ON_CUDA_THRUST_SYSTEM_HIP_ERROR_H
#define HIP_ON_CUDA_THRUST_SYSTEM_HIP_ERROR_H
#include <thrust/system/cuda/error.h>
#include <hip_on_cuda/thrust_namespaces.h>
#endif
