#ifndef HIP_ON_CUDA_HIPFFT_HIPFFT_H
#define HIP_ON_CUDA_HIPFFT_HIPFFT_H
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <cufft.h>
#include <hip_on_cuda/names/fft.h>
#endif
