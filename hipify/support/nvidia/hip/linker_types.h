#ifndef HIP_ON_CUDA_HIP_LINKER_TYPES_H
#define HIP_ON_CUDA_HIP_LINKER_TYPES_H
#include <hip/hip_runtime_api.h>
#endif
