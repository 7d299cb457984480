// Contexts, modules and stream memory operations: functions of the driver with other arguments in HIP.

#ifndef HIP_ON_CUDA_CONTEXT_H
#define HIP_ON_CUDA_CONTEXT_H

#ifdef __cplusplus

inline cudaError_t hipCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
#if CUDA_VERSION >= 13000
  return hip_on_cuda::status(cuCtxCreate(context, nullptr, flags, device));
#else
  return hip_on_cuda::status(cuCtxCreate(context, flags, device));
#endif
}

inline cudaError_t hipModuleOccupancyMaxPotentialBlockSize(
    int *grid, int *block, CUfunction function, size_t shared_bytes, int limit) {
  return hip_on_cuda::status(cuOccupancyMaxPotentialBlockSize(grid, block, function, nullptr, shared_bytes, limit));
}
inline cudaError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, CUfunction function, size_t shared_bytes, int limit, unsigned flags) {
  return hip_on_cuda::status(
      cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, nullptr, shared_bytes, limit, flags));
}

// The mask says which bits are compared; CUDA compares all of them.
inline cudaError_t hipStreamWaitValue32(
    cudaStream_t stream, void *pointer, unsigned value, unsigned flags, unsigned mask = 0xffffffffu) {
  if (mask != 0xffffffffu) return cudaErrorNotSupported;
  return hip_on_cuda::status(cuStreamWaitValue32(stream, (CUdeviceptr)pointer, value, flags));
}
inline cudaError_t hipStreamWaitValue64(cudaStream_t stream, void *pointer, unsigned long long value, unsigned flags,
                                        unsigned long long mask = 0xffffffffffffffffull) {
  if (mask != 0xffffffffffffffffull) return cudaErrorNotSupported;
  return hip_on_cuda::status(cuStreamWaitValue64(stream, (CUdeviceptr)pointer, value, flags));
}

#if CUDART_VERSION >= 13000
// Deprecated by CUDA 13 in favour of the function that takes a version.
inline cudaError_t hipGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags, cudaDriverEntryPointQueryResult *status = nullptr) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}
#else
#define hipGetDriverEntryPoint cudaGetDriverEntryPoint
#endif

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_CONTEXT_H
