#ifndef HIP_ON_CUDA_HIP_VECTOR_TYPES_H
#define HIP_ON_CUDA_HIP_VECTOR_TYPES_H
#include <hip_on_cuda/platform.h>
#include <cuda_runtime_api.h>
#include <vector_types.h>
#include <hip_on_cuda/vector.h>
#endif
