// Memory: where HIP's functions and types have another shape than CUDA's.

#ifndef HIP_ON_CUDA_MEMORY_H
#define HIP_ON_CUDA_MEMORY_H

typedef void *hipDeviceptr_t;

// Flags of host allocations that say nothing to CUDA, whose pinned memory is coherent.
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined
#define hipHostMallocNumaUser 0x20000000u
#define hipHostMallocCoherent 0x40000000u
#define hipHostMallocNonCoherent 0x80000000u
#define hipDeviceMallocDefault 0x0u
#define hipDeviceMallocFinegrained 0x1u
#define hipDeviceMallocUncached 0x3u
#define HIP_ON_CUDA_HOST_FLAGS (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)

// The kinds of memory are numbers here: HIP has one enumeration for the runtime's and the driver's.
typedef struct hip_Memcpy2D {
  size_t srcXInBytes, srcY;
  unsigned srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  cudaArray_t srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  unsigned dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  cudaArray_t dstArray;
  size_t dstPitch, WidthInBytes, Height;
} hip_Memcpy2D;

typedef struct HIP_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  unsigned srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  cudaArray_t srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  unsigned dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  cudaArray_t dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
} HIP_MEMCPY3D;

#ifdef __cplusplus

static_assert(sizeof(hip_Memcpy2D) == sizeof(CUDA_MEMCPY2D), "CUDA's structure has changed");
static_assert(sizeof(HIP_MEMCPY3D) == sizeof(CUDA_MEMCPY3D), "CUDA's structure has changed");

struct hipPointerAttribute_t : cudaPointerAttributes {
  int isManaged;
  unsigned allocationFlags;
};

inline cudaError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  const cudaError_t status = cudaPointerGetAttributes(attributes, pointer);
  attributes->isManaged = status == cudaSuccess && attributes->type == cudaMemoryTypeManaged;
  attributes->allocationFlags = 0;
  if (status == cudaSuccess && attributes->type == cudaMemoryTypeHost) {
    if (cudaHostGetFlags(&attributes->allocationFlags, const_cast<void *>(pointer)) != cudaSuccess) {
      (void)cudaGetLastError();
    }
  }
  return status;
}

template <typename T>
inline cudaError_t hipHostMalloc(T **pointer, size_t size, unsigned flags = hipHostMallocDefault) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags & HIP_ON_CUDA_HOST_FLAGS);
}

template <typename T>
inline cudaError_t hipMallocHost(T **pointer, size_t size) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, cudaHostAllocDefault);
}

template <typename T>
inline cudaError_t hipExtMallocWithFlags(T **pointer, size_t size, unsigned) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}

#if CUDART_VERSION >= 13000
namespace hip_on_cuda {

// CUDA 13 wants a place where there was the number of a device.
inline cudaMemLocation location(int device) {
  cudaMemLocation place = {};
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return place;
}

}  // namespace hip_on_cuda

inline cudaError_t hipMemPrefetchAsync(const void *pointer, size_t size, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, size, hip_on_cuda::location(device), 0, stream);
}
inline cudaError_t hipMemAdvise(const void *pointer, size_t size, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(pointer, size, advice, hip_on_cuda::location(device));
}
// Code that was CUDA 13 gives places itself, as HIP's functions of the second version want them.
inline cudaError_t hipMemPrefetchAsync(
    const void *pointer, size_t size, cudaMemLocation place, unsigned flags, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, size, place, flags, stream);
}
inline cudaError_t hipMemAdvise(const void *pointer, size_t size, cudaMemoryAdvise advice, cudaMemLocation place) {
  return cudaMemAdvise(pointer, size, advice, place);
}
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define hipMemAdvise_v2 cudaMemAdvise
#else
#define hipMemPrefetchAsync cudaMemPrefetchAsync
#define hipMemAdvise cudaMemAdvise
#if CUDART_VERSION >= 12020
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync_v2
#define hipMemAdvise_v2 cudaMemAdvise_v2
#endif
#endif

inline cudaError_t hipMemcpyWithStream(
    void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t status = cudaMemcpyAsync(to, from, size, kind, stream);
  return status == cudaSuccess ? cudaStreamSynchronize(stream) : status;
}

#else  // C

typedef struct cudaPointerAttributes hipPointerAttribute_t;
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipHostMalloc(pointer, size, flags) cudaHostAlloc((void **)(pointer), size, (flags) & HIP_ON_CUDA_HOST_FLAGS)
#define hipMallocHost cudaMallocHost
#define hipExtMallocWithFlags(pointer, size, flags) cudaMalloc((void **)(pointer), size)

#endif  // __cplusplus

#define hipHostFree cudaFreeHost
#define hipFreeHost cudaFreeHost

// Symbols of devices: CUDA takes them by name.
#define HIP_SYMBOL(symbol) symbol

#endif  // HIP_ON_CUDA_MEMORY_H
