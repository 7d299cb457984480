// Pi by counting random points in a quarter circle. The generator is our own, so the count is exact everywhere.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <cuda.h>
#include <cuda_runtime.h>

#define POINTS 512

struct Lcg {
    uint64_t state;
    __host__ __device__ explicit Lcg(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ULL + 1442695040888963407ULL) {}
    __host__ __device__ uint32_t next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (uint32_t)(state >> 32);
    }
};

__host__ __device__ static unsigned countHits(unsigned seed)
{
    Lcg rng(seed);
    unsigned hits = 0;
    for (int i = 0; i < POINTS; ++i) {
        // 16-bit coordinates: the test is exact in integers.
        const uint32_t r = rng.next();
        const uint64_t x = r & 0xffff, y = r >> 16;
        hits += x * x + y * y < (uint64_t)65536 * 65536;
    }
    return hits;
}

__global__ void monteCarlo(unsigned long long *total)
{
#ifdef __CUDA_ARCH__
    __shared__ unsigned blockHits;
    if (threadIdx.x == 0) blockHits = 0;
    __syncthreads();
    atomicAdd(&blockHits, countHits(blockIdx.x * blockDim.x + threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)blockHits);
#endif
}

int main(void)
{
    const unsigned blocks = 16, threads = 128;
    unsigned long long *d_total, total = 0, want = 0;
    cudaError_t rc = cudaMalloc((void **)&d_total, sizeof(total));
    if (rc == cudaSuccess) rc = cudaMemset(d_total, 0, sizeof(total));
    if (rc == cudaSuccess) {
        monteCarlo<<<blocks, threads>>>(d_total);
        rc = cudaGetLastError();
    }
    if (rc == cudaSuccess) rc = cudaMemcpy(&total, d_total, sizeof(total), cudaMemcpyDeviceToHost);
    cudaFree(d_total);
    if (rc != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(rc));
        return EXIT_FAILURE;
    }
    for (unsigned i = 0; i < blocks * threads; ++i) want += countHits(i);
    const unsigned long long points = (unsigned long long)blocks * threads * POINTS;
    printf("%llu of %llu points inside, pi is about %.3f\n", total, points, 4.0 * total / points);
    printf("%s\n", total == want ? "PASS" : "FAIL");
    return total == want ? EXIT_SUCCESS : EXIT_FAILURE;
}
