#ifndef HIP_ON_CUDA_HIP_HIP_EXT_H
#define HIP_ON_CUDA_HIP_HIP_EXT_H
#include <hip/hip_runtime.h>
#endif
