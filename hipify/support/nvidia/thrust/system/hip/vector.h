#ifndef HIP_ON_CUDA_THRUST_SYSTEM_HIP_VECTOR_H
#define HIP_ON_CUDA_THRUST_SYSTEM_HIP_VECTOR_H
#include <thrust/system/cuda/vector.h>
#include <hip_on_cuda/thrust_namespaces.h>
#endif
