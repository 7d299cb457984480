#ifndef USES_CUDA_H
#define USES_CUDA_H
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

#if 0
void never(cudaStream_t stream) { cudaStreamSynchronize(stream); }
#endif

#ifdef __CUDACC__
inline void wait(cudaStream_t stream) { cudaStreamSynchronize(stream); }
#endif

HOST_DEVICE inline int half_of(int x) { return x / 2; }
#endif
