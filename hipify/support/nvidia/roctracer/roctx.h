#ifndef HIP_ON_CUDA_ROCTRACER_ROCTX_H
#define HIP_ON_CUDA_ROCTRACER_ROCTX_H
#include <rocprofiler-sdk-roctx/roctx.h>
#endif
