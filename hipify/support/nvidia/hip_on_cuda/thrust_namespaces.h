// Thrust's HIP backend is its CUDA backend here.

#ifndef HIP_ON_CUDA_THRUST_NAMESPACES_H
#define HIP_ON_CUDA_THRUST_NAMESPACES_H

#include <thrust/system/cuda/execution_policy.h>

#include <hip_on_cuda/names/thrust.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace hip = cuda;
}
namespace hip = cuda;
namespace hip_rocprim = cuda_cub;
THRUST_NAMESPACE_END

#endif  // HIP_ON_CUDA_THRUST_NAMESPACES_H
