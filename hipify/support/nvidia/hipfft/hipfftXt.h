#ifndef HIP_ON_CUDA_HIPFFT_HIPFFTXT_H
#define HIP_ON_CUDA_HIPFFT_HIPFFTXT_H
#include <hipfft/hipfft.h>
#include <cufftXt.h>
#endif
