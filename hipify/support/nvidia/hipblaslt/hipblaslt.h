#ifndef HIP_ON_CUDA_HIPBLASLT_HIPBLASLT_H
#define HIP_ON_CUDA_HIPBLASLT_HIPBLASLT_H
#include <hip/hip_runtime_api.h>
#include <cublasLt.h>
#include <hipblas/hipblas.h>
#endif
