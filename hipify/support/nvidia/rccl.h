#ifndef HIP_ON_CUDA_RCCL_H
#define HIP_ON_CUDA_RCCL_H
#include <rccl/rccl.h>
#endif
