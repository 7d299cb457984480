// Bitonic sort of keys with values: small strides in shared memory, big ones in global memory.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned int uint;

#define SHARED_SIZE 512u

__device__ static inline void compareSwap(uint2 &a, uint2 &b, bool up)
{
    if ((a.x > b.x) == up) {
        uint2 t = a;
        a = b;
        b = t;
    }
}

// One step over global memory: stride at least as big as the shared tile.
__global__ void bitonicGlobal(uint2 *data, uint size, uint stride)
{
    const uint t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint pos = 2 * t - (t & (stride - 1));
    const bool up = (pos & size) == 0;
    compareSwap(data[pos], data[pos + stride], up);
}

// All remaining steps of one size inside the tile.
__global__ void bitonicShared(uint2 *data, uint size, uint firstStride)
{
    __shared__ uint2 tile[SHARED_SIZE];
    const uint base = blockIdx.x * SHARED_SIZE;
    tile[threadIdx.x] = data[base + threadIdx.x];
    tile[threadIdx.x + SHARED_SIZE / 2] = data[base + threadIdx.x + SHARED_SIZE / 2];
    for (uint stride = firstStride; stride > 0; stride >>= 1) {
        __syncthreads();
        const uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        const bool up = ((base + pos) & size) == 0;
        compareSwap(tile[pos], tile[pos + stride], up);
    }
    __syncthreads();
    data[base + threadIdx.x] = tile[threadIdx.x];
    data[base + threadIdx.x + SHARED_SIZE / 2] = tile[threadIdx.x + SHARED_SIZE / 2];
}

int main()
{
    const uint n = 4096;
    std::vector<uint2> pairs(n);
    // An odd factor permutes the 32-bit integers, so the keys are distinct.
    for (uint i = 0; i < n; ++i) pairs[i] = make_uint2(i * 2654435761u, i);
    std::vector<uint2> want(pairs);

    uint2 *d_pairs;
    if (cudaMalloc((void **)&d_pairs, n * sizeof(uint2)) != cudaSuccess) return EXIT_FAILURE;
    cudaMemcpy(d_pairs, pairs.data(), n * sizeof(uint2), cudaMemcpyHostToDevice);
    for (uint size = 2; size <= n; size <<= 1) {
        uint stride = size / 2;
        for (; stride >= SHARED_SIZE; stride >>= 1) bitonicGlobal<<<n / 2 / 256, 256>>>(d_pairs, size, stride);
        bitonicShared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(d_pairs, size, stride);
    }
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) {
        fprintf(stderr, "bitonic sort: %s\n", cudaGetErrorString(err));
        return EXIT_FAILURE;
    }
    cudaMemcpy(pairs.data(), d_pairs, n * sizeof(uint2), cudaMemcpyDeviceToHost);
    cudaFree(d_pairs);

    std::sort(want.begin(), want.end(), [](const uint2 &a, const uint2 &b) { return a.x < b.x; });
    for (uint i = 0; i < n; ++i)
        if (pairs[i].x != want[i].x || pairs[i].y != want[i].y) {
            printf("FAIL at %u\n", i);
            return EXIT_FAILURE;
        }
    printf("smallest %u (from %u), median %u, biggest %u (from %u)\nPASS\n", pairs[0].x, pairs[0].y, pairs[n / 2].x,
           pairs[n - 1].x, pairs[n - 1].y);
    return EXIT_SUCCESS;
}
