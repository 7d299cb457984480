#ifndef HIP_ON_CUDA_HIP_HIP_BFLOAT16_H
#define HIP_ON_CUDA_HIP_HIP_BFLOAT16_H
// The older type of the same format.
#include <hip/hip_bf16.h>
#ifdef __cplusplus
typedef __nv_bfloat16 hip_bfloat16;
#endif
#endif
