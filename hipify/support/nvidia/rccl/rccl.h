#ifndef HIP_ON_CUDA_RCCL_RCCL_H
#define HIP_ON_CUDA_RCCL_RCCL_H
#include <hip/hip_runtime_api.h>
#include <nccl.h>
#include <hip_on_cuda/names/nccl.h>
#endif
