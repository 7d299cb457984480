// Memory by inline PTX: cached-only loads, atomics, a reduction, fences between blocks ("last block adds up").
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ __forceinline__ int loadReadOnly(const int *p)
{
    int v;
    asm("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__device__ __forceinline__ unsigned fetchAdd(unsigned *p, unsigned v)
{
    unsigned old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
}

__device__ __forceinline__ void addTo(unsigned *p, unsigned v)
{
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ __forceinline__ void fence() { asm volatile("membar.gl;" ::: "memory"); }

__global__ void sum(const int *in, int n, volatile int *partials, unsigned *arrived, unsigned *odd, int *total)
{
    __shared__ int s[128];
    __shared__ bool last;
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int v = loadReadOnly(in + i);
        if (v & 1) addTo(odd, 1u);
        mine += v;
    }
    s[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        int block = 0;
        for (int k = 0; k < blockDim.x; ++k) block += s[k];
        partials[blockIdx.x] = block;
        fence();
        last = fetchAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    __threadfence();
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partials[b];
    *total = all;
}

#define CHECK(x)                                                                                   \
    if (cudaSuccess != (x)) {                                                                      \
        fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(cudaPeekAtLastError()));                \
        exit(1);                                                                                   \
    }

int main()
{
    const int n = 20000, blocks = 10;
    std::vector<int> in(n);
    int want = 0, wantOdd = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = i * 13 % 1009 - 500;
        want += in[i];
        wantOdd += in[i] & 1;
    }
    int *d_in, *d_partials, *d_total;
    unsigned *d_counters;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_partials, blocks * sizeof(int)));
    CHECK(cudaMalloc(&d_total, sizeof(int)));
    CHECK(cudaMalloc(&d_counters, 2 * sizeof(unsigned)));
    CHECK(cudaMemset(d_counters, 0, 2 * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    sum<<<blocks, 128>>>(d_in, n, d_partials, d_counters, d_counters + 1, d_total);
    int total = 0;
    unsigned counters[2] = {};
    CHECK(cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counters, d_counters, sizeof(counters), cudaMemcpyDeviceToHost));
    printf("total %d, odd %u, blocks %u\n", total, counters[1], counters[0]);
    const bool ok = total == want && counters[1] == unsigned(wantOdd) && counters[0] == unsigned(blocks);
    printf("%s\n", ok ? "PASS" : "FAIL");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_partials));
    CHECK(cudaFree(d_total));
    CHECK(cudaFree(d_counters));
    return ok ? 0 : 1;
}
