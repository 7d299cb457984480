#ifndef HIP_ON_CUDA_HIPRAND_HIPRAND_KERNEL_H
#define HIP_ON_CUDA_HIPRAND_HIPRAND_KERNEL_H
#include <hip/hip_runtime.h>
#include <curand_kernel.h>
#include <hiprand/hiprand.h>
#endif
