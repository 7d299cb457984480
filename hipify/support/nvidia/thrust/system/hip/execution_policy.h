#ifndef HIP_ON_CUDA_THRUST_SYSTEM_HIP_EXECUTION_POLICY_H
#define HIP_ON_CUDA_THRUST_SYSTEM_HIP_EXECUTION_POLICY_H
#include <thrust/system/cuda/execution_policy.h>
#include <hip_on_cuda/thrust_namespaces.h>
#endif
