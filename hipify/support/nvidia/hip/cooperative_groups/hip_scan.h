#ifndef HIP_ON_CUDA_HIP_COOPERATIVE_GROUPS_HIP_SCAN_H
#define HIP_ON_CUDA_HIP_COOPERATIVE_GROUPS_HIP_SCAN_H
#include <hip/hip_cooperative_groups.h>
#if defined(__CUDACC__)
#include <cooperative_groups/scan.h>
#endif
#endif
