#ifndef HIP_ON_CUDA_HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_ON_CUDA_HIP_HIP_COOPERATIVE_GROUPS_H
#include <hip/hip_runtime.h>
#if defined(__CUDACC__)
#include <cooperative_groups.h>
#endif
#endif
