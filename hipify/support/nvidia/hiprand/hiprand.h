#ifndef HIP_ON_CUDA_HIPRAND_HIPRAND_H
#define HIP_ON_CUDA_HIPRAND_HIPRAND_H
#include <hip/hip_runtime_api.h>
#include <curand.h>
#include <hip_on_cuda/names/rand.h>
#endif
