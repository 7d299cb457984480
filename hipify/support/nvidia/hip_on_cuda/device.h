// Devices: HIP's properties have fields that CUDA's lack, among them those that CUDA 13 took away.

#ifndef HIP_ON_CUDA_DEVICE_H
#define HIP_ON_CUDA_DEVICE_H

typedef struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1;
  unsigned hasGlobalFloatAtomicExch : 1;
  unsigned hasSharedInt32Atomics : 1;
  unsigned hasSharedFloatAtomicExch : 1;
  unsigned hasFloatAtomicAdd : 1;
  unsigned hasGlobalInt64Atomics : 1;
  unsigned hasSharedInt64Atomics : 1;
  unsigned hasDoubles : 1;
  unsigned hasWarpVote : 1;
  unsigned hasWarpBallot : 1;
  unsigned hasWarpShuffle : 1;
  unsigned hasFunnelShift : 1;
  unsigned hasThreadFenceSystem : 1;
  unsigned hasSyncThreadsExt : 1;
  unsigned hasSurfaceFuncs : 1;
  unsigned has3dGrid : 1;
  unsigned hasDynamicParallelism : 1;
} hipDeviceArch_t;

#ifdef __cplusplus

#include <stdio.h>
#include <string.h>

struct hipDeviceProp_t : cudaDeviceProp {
  char gcnArchName[256];  // "sm_90"
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;  // kHz
  hipDeviceArch_t arch;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar;
  int asicRevision;
  int sparseHipArraySupported;
  int deferredMappingHipArraySupported;
#if CUDART_VERSION >= 13000
  int clockRate;  // kHz
  int deviceOverlap;
  int kernelExecTimeoutEnabled;
  int computeMode;
  int maxTexture1DLinear;
  int memoryClockRate;  // kHz
  int singleToDoublePrecisionPerfRatio;
  int cooperativeMultiDeviceLaunch;
#endif
};
#define hipDeviceProp_tR0600 hipDeviceProp_t

namespace hip_on_cuda {

inline int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  // An attribute that the driver does not know is 0, as a field is that CUDA does not fill.
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) (void)cudaGetLastError();
  return value;
}

}  // namespace hip_on_cuda

inline cudaError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  memset(static_cast<void *>(properties), 0, sizeof *properties);
  const cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
  if (status != cudaSuccess) return status;
  using hip_on_cuda::attribute;
  snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "sm_%d%d", properties->major, properties->minor);
  properties->maxSharedMemoryPerMultiProcessor = properties->sharedMemPerMultiprocessor;
  properties->clockInstructionRate = attribute(cudaDevAttrClockRate, device);
  const hipDeviceArch_t all = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  properties->arch = all;
#if CUDART_VERSION >= 12000
  properties->sparseHipArraySupported = properties->sparseCudaArraySupported;
  properties->deferredMappingHipArraySupported = properties->deferredMappingCudaArraySupported;
#endif
#if CUDART_VERSION >= 13000
  properties->clockRate = properties->clockInstructionRate;
  properties->deviceOverlap = attribute(cudaDevAttrGpuOverlap, device);
  properties->kernelExecTimeoutEnabled = attribute(cudaDevAttrKernelExecTimeout, device);
  properties->computeMode = attribute(cudaDevAttrComputeMode, device);
  properties->maxTexture1DLinear = attribute(cudaDevAttrMaxTexture1DLinearWidth, device);
  properties->memoryClockRate = attribute(cudaDevAttrMemoryClockRate, device);
  properties->singleToDoublePrecisionPerfRatio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
#endif
  return cudaSuccess;
}
#define hipGetDevicePropertiesR0600 hipGetDeviceProperties

#else  // C has no inheritance: CUDA's fields only.

typedef struct cudaDeviceProp hipDeviceProp_t;
#define hipGetDeviceProperties cudaGetDeviceProperties

#endif  // __cplusplus

// Attributes of AMD's devices that have a counterpart under another name.
#define hipDeviceAttributeMaxSharedMemoryPerMultiprocessor cudaDevAttrMaxSharedMemoryPerMultiprocessor
#define hipDeviceAttributeClockInstructionRate cudaDevAttrClockRate

#endif  // HIP_ON_CUDA_DEVICE_H
