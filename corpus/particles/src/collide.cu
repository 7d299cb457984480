#include <physics/kernels.cuh>
#include <physics/world.h>
#include <util/check.h>

namespace physics {

__global__ static void countCells(const Particle *particles, unsigned n, unsigned *cells, int cell, int side)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&cells[detail::cellOf(particles[i], cell, side)], 1u);
}

static __global__ void countPairs(const unsigned *cells, int n, unsigned long long *pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && cells[i] > 1) atomicAdd(pairs, static_cast<unsigned long long>(cells[i]) * (cells[i] - 1) / 2);
}

unsigned long long World::pairsInCells(int cell) const
{
    const int side = size_ / cell + 1, n = side * side;
    unsigned *cells;
    unsigned long long *pairs, result = 0;
    util::check(cudaMalloc(&cells, n * sizeof(unsigned)));
    util::check(cudaMalloc(&pairs, sizeof(unsigned long long)));
    util::check(cudaMemsetAsync(cells, 0, n * sizeof(unsigned), stream_));
    util::check(cudaMemsetAsync(pairs, 0, sizeof(unsigned long long), stream_));
    const unsigned blocks = static_cast<unsigned>((count_ + 63) / 64);
    countCells<<<blocks, 64, 0, stream_>>>(particles_, static_cast<unsigned>(count_), cells, cell, side);
    countPairs<<<(n + 63) / 64, 64, 0, stream_>>>(cells, n, pairs);
    util::check(cudaMemcpyAsync(&result, pairs, sizeof result, cudaMemcpyDeviceToHost, stream_));
    util::check(cudaStreamSynchronize(stream_));
    util::check(cudaFree(cells));
    util::check(cudaFree(pairs));
    return result;
}

}  // namespace physics
