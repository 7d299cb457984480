#ifndef HIP_ON_CUDA_HIP_LIBRARY_TYPES_H
#define HIP_ON_CUDA_HIP_LIBRARY_TYPES_H
#include <hip_on_cuda/platform.h>
#include <library_types.h>
#include <hip_on_cuda/names/blas.h>
#endif
