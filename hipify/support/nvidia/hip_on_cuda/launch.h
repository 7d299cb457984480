// Kernel launches in HIP's spellings.

#ifndef HIP_ON_CUDA_LAUNCH_H
#define HIP_ON_CUDA_LAUNCH_H

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#if defined(__CUDACC__)

#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)              \
  do {                                                                                  \
    kernel<<<dim3(grid), dim3(block), (shared_bytes), (stream)>>>(__VA_ARGS__);         \
  } while (0)

// Events around one launch; `flags` only says that an AMD GPU may reorder it.
#define hipExtLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, start, stop, flags, ...) \
  do {                                                                                            \
    if ((start) != nullptr) (void)cudaEventRecord((start), (stream));                             \
    kernel<<<dim3(grid), dim3(block), (shared_bytes), (stream)>>>(__VA_ARGS__);                   \
    if ((stop) != nullptr) (void)cudaEventRecord((stop), (stream));                               \
  } while (0)

#endif  // __CUDACC__

#endif  // HIP_ON_CUDA_LAUNCH_H
