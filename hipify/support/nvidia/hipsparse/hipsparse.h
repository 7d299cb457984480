#ifndef HIP_ON_CUDA_HIPSPARSE_HIPSPARSE_H
#define HIP_ON_CUDA_HIPSPARSE_HIPSPARSE_H
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <cusparse.h>
#include <hip_on_cuda/names/sparse.h>
#endif
