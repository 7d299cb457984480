#ifndef HIP_ON_CUDA_HIP_HIP_COMPLEX_H
#define HIP_ON_CUDA_HIP_HIP_COMPLEX_H
#include <hip_on_cuda/platform.h>
#include <cuComplex.h>
#include <hip_on_cuda/names/complex.h>
#endif
