#ifndef HIP_ON_CUDA_HIP_COMMON_H
#define HIP_ON_CUDA_HIP_COMMON_H
#include <hip_on_cuda/platform.h>
#endif
