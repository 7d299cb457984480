#ifndef HIP_ON_CUDA_THRUST_SYSTEM_HIP_MEMORY_RESOURCE_H
#define HIP_ON_CUDA_THRUST_SYSTEM_HIP_MEMORY_RESOURCE_H
#include <thrust/system/cuda/memory_resource.h>
#include <hip_on_cuda/thrust_namespaces.h>
#endif
