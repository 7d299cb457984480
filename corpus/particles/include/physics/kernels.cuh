#pragma once
#include "physics/vec.h"

namespace physics {
namespace detail {

template <typename F>
__global__ void forEach(Particle *particles, unsigned n, F f)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(particles[i]);
}

__device__ inline unsigned cellOf(const Particle &p, int cell, int side)
{
    return unsigned(p.at.y / cell * side + p.at.x / cell);
}

}  // namespace detail
}  // namespace physics
