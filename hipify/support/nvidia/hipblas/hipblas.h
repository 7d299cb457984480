#ifndef HIP_ON_CUDA_HIPBLAS_HIPBLAS_H
#define HIP_ON_CUDA_HIPBLAS_HIPBLAS_H
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime_api.h>
#include <cublas_v2.h>
#include <hip_on_cuda/names/blas.h>
#endif
