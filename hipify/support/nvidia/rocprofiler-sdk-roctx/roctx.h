#ifndef HIP_ON_CUDA_ROCPROFILER_SDK_ROCTX_ROCTX_H
#define HIP_ON_CUDA_ROCPROFILER_SDK_ROCTX_ROCTX_H
#include <hip_on_cuda/platform.h>
#include <nvtx3/nvToolsExt.h>
#include <hip_on_cuda/names/nvtx.h>
#endif
