#ifndef HIP_ON_CUDA_HIPRAND_HIPRAND_MTGP32_HOST_H
#define HIP_ON_CUDA_HIPRAND_HIPRAND_MTGP32_HOST_H
#include <hiprand/hiprand_kernel.h>
#include <curand_mtgp32_host.h>
#endif
