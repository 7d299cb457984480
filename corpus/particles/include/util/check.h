#pragma once
#include <cuda_runtime_api.h>
#include <stdexcept>

namespace util {

inline void check(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

}  // namespace util
