// Names of errors: HIP's own, so that a program says on NVIDIA what it says on AMD.

#ifndef HIP_ON_CUDA_ERROR_H
#define HIP_ON_CUDA_ERROR_H

#include <hip_on_cuda/names/errors.h>

#ifdef __cplusplus

inline const char *hipGetErrorName(cudaError_t error) {
  static const struct {
    int code;
    const char *name;
  } names[] = {HIP_ON_CUDA_ERROR_NAMES};
  for (const auto &each : names) {
    if (each.code == static_cast<int>(error)) return each.name;
  }
  return cudaGetErrorName(error);
}

inline cudaError_t hipDrvGetErrorName(cudaError_t error, const char **name) {
  *name = hipGetErrorName(error);
  return cudaSuccess;
}

#else

#define hipGetErrorName cudaGetErrorName

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_ERROR_H
