#ifndef USES_CUDA_H
#define USES_CUDA_H
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

#if 0
void never(hipStream_t stream) { hipStreamSynchronize(stream); }
#endif

#ifdef __HIPCC__
inline void wait(hipStream_t stream) { hipStreamSynchronize(stream); }
#endif

HOST_DEVICE inline int half_of(int x) { return x / 2; }
#endif
