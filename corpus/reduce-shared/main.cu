// Sum and maximum by a tree in shared memory, two passes.
#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <vector>

static const int BLOCK = 256;

struct Partial {
    unsigned long long sum;
    int max;
};

__device__ inline Partial combine(Partial a, Partial b)
{
    Partial r;
    r.sum = a.sum + b.sum;
    r.max = a.max > b.max ? a.max : b.max;
    return r;
}

__device__ void reduceBlock(Partial *s, unsigned tid)
{
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (tid < half) s[tid] = combine(s[tid], s[tid + half]);
    }
}

__global__ void reduceInput(const int *in, size_t n, Partial *out)
{
    __shared__ Partial s[BLOCK];
    Partial mine = {0, INT_MIN};
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        Partial p = {(unsigned long long)in[i], in[i]};
        mine = combine(mine, p);
    }
    s[threadIdx.x] = mine;
    reduceBlock(s, threadIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void reducePartials(Partial *partials, int n)
{
    __shared__ Partial s[BLOCK];
    Partial none = {0, INT_MIN};
    s[threadIdx.x] = threadIdx.x < n ? partials[threadIdx.x] : none;
    reduceBlock(s, threadIdx.x);
    if (threadIdx.x == 0) partials[0] = s[0];
}

#define TRY(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
    fprintf(stderr, "%s failed: %s\n", #x, cudaGetErrorString(e_)); return 1; } } while (0)

int main()
{
    const size_t n = 50000;
    const int blocks = 24;
    std::vector<int> in(n);
    uint32_t state = 12345;
    unsigned long long wantSum = 0;
    int wantMax = INT_MIN;
    for (auto &v : in) {
        state = state * 1664525u + 1013904223u;
        v = int(state >> 12);
        wantSum += v;
        if (v > wantMax) wantMax = v;
    }

    int *d_in;
    Partial *d_out;
    TRY(cudaMalloc(&d_in, n * sizeof(int)));
    TRY(cudaMalloc(&d_out, blocks * sizeof(Partial)));
    TRY(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    reduceInput<<<blocks, BLOCK>>>(d_in, n, d_out);
    reducePartials<<<1, BLOCK>>>(d_out, blocks);
    TRY(cudaGetLastError());
    Partial got;
    TRY(cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost));

    printf("reduce-shared: n=%zu sum=%llu max=%d\n", n, got.sum, got.max);
    const bool ok = got.sum == wantSum && got.max == wantMax;
    printf("%s\n", ok ? "PASS" : "FAIL");
    TRY(cudaFree(d_in));
    TRY(cudaFree(d_out));
    return ok ? 0 : 1;
}
