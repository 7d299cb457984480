#ifndef HIP_ON_CUDA_THRUST_SYSTEM_HIP_POINTER_H
#define HIP_ON_CUDA_THRUST_SYSTEM_HIP_POINTER_H
#include <thrust/system/cuda/pointer.h>
#include <hip_on_cuda/thrust_namespaces.h>
#endif
