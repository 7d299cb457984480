// The version of the HIP API that these headers give. Code asks for it to see what it may call.

#ifndef HIP_ON_CUDA_HIP_VERSION_H
#define HIP_ON_CUDA_HIP_VERSION_H

#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION_GITHASH ""
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME "on-cuda"
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

#endif  // HIP_ON_CUDA_HIP_VERSION_H
