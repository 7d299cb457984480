#ifndef HIP_ON_CUDA_HIP_HIP_GL_INTEROP_H
#define HIP_ON_CUDA_HIP_HIP_GL_INTEROP_H
#include <hip/hip_runtime_api.h>
#include <cuda_gl_interop.h>
#include <cudaGL.h>
#endif
