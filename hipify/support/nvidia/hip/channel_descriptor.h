#ifndef HIP_ON_CUDA_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_ON_CUDA_HIP_CHANNEL_DESCRIPTOR_H
#include <hip/hip_runtime_api.h>
#endif
