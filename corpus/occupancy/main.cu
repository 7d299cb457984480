// Occupancy and function attributes. Only what holds on every device is printed.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                       \
    do {                                                                               \
        cudaError_t err = (x);                                                         \
        if (err != cudaSuccess) {                                                      \
            fprintf(stderr, "%s (line %d)\n", cudaGetErrorString(err), __LINE__);      \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

template <int N>
__global__ void movingSum(const int *in, int *out, int n)
{
    __shared__ int tile[N + 256];
    extern __shared__ int copy[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    if (threadIdx.x < N) tile[blockDim.x + threadIdx.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < N; ++k) sum += tile[threadIdx.x + k];
    copy[threadIdx.x] = sum;
    if (i < n) out[i] = copy[threadIdx.x];
}

int main()
{
    const int n = 5000, width = 8, threads = 256;
    const size_t dynamic = threads * sizeof(int);
    auto kernel = movingSum<width>;
    bool ok = true;

    cudaFuncAttributes attr;
    CHECK(cudaFuncGetAttributes(&attr, kernel));
    printf("static shared memory: %zu bytes\n", attr.sharedSizeBytes);
    ok = ok && attr.maxThreadsPerBlock >= threads && attr.numRegs > 0;

    int blocks = 0, fewer = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, movingSum<width>, threads, dynamic));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, kernel, threads, 32 * 1024));
    printf("blocks fit: %s, more shared memory never gives more: %s\n", blocks > 0 ? "yes" : "no",
           fewer <= blocks ? "yes" : "no");
    ok = ok && blocks > 0 && fewer <= blocks;

    int minGrid = 0, bestBlock = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&minGrid, &bestBlock, kernel, dynamic, 256));
    ok = ok && minGrid > 0 && bestBlock > 0 && bestBlock <= 256;

    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 40 * 1024));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared));

    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i % 1000;
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    kernel<<<(n + threads - 1) / threads, threads, dynamic>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        int want = 0;
        for (int k = i; k < i + width && k < n; ++k) want += in[k];
        ok = ok && out[i] == want;
    }
    printf("out[995] = %d, out[4998] = %d\n%s\n", out[995], out[4998], ok ? "PASS" : "FAIL");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return ok ? 0 : 1;
}
