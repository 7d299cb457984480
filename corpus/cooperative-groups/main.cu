// Reductions and compaction with cooperative groups: block, tiles of several sizes, coalesced threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(x)                                                                        \
    do {                                                                                \
        const cudaError_t e = (x);                                                      \
        if (e) fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e)), exit(1); \
    } while (0)

template <typename Group>
__device__ int tileSum(const Group &tile, int v)
{
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    return tile.shfl(v, 0);
}

template <unsigned Size>
__global__ void tileSums(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    const int i = block.group_index().x * block.size() + block.thread_rank();
    const int sum = tileSum(tile, in[i]);
    if (tile.thread_rank() == 0) out[i / Size] = sum;
}

__global__ void blockSum(const int *in, int n, int *out)
{
    using namespace cooperative_groups;
    __shared__ int partial[32];
    auto block = this_thread_block();
    auto warp = tiled_partition<32>(block);
    int v = 0;
    for (int i = block.thread_rank(); i < n; i += block.size()) v += in[i];
    v = tileSum(warp, v);
    if (warp.thread_rank() == 0) partial[block.thread_rank() / 32] = v;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        int sum = 0;
        for (int w = 0; w < block.size() / 32; ++w) sum += partial[w];
        *out = sum;
    }
}

__device__ int aggregatedIncrement(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keepOdd(const int *in, int n, int *out, int *counter)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (in[i] & 1)) out[aggregatedIncrement(counter)] = in[i];
}

int main()
{
    const int n = 1024;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * 11 % 257;
    int *d_in, *d_out, *d_count;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    bool ok = true;

    void (*kernels[])(const int *, int *) = {tileSums<4>, tileSums<16>, tileSums<32>};
    const int sizes[] = {4, 16, 32};
    for (int k = 0; k < 3; ++k) {
        kernels[k]<<<n / 256, 256>>>(d_in, d_out);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), d_out, n / sizes[k] * sizeof(int), cudaMemcpyDeviceToHost));
        for (int t = 0; t < n / sizes[k]; ++t)
            ok = ok && out[t] == std::accumulate(&in[t * sizes[k]], &in[t * sizes[k]] + sizes[k], 0);
        printf("tiles of %d: first %d, second %d\n", sizes[k], out[0], out[1]);
    }

    int sum = 0, count = 0, wantCount = 0;
    blockSum<<<1, 256>>>(d_in, n, d_count);
    CHECK(cudaMemcpy(&sum, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    ok = ok && sum == std::accumulate(in.begin(), in.end(), 0);
    printf("block sum %d\n", sum);

    CHECK(cudaMemset(d_count, 0, sizeof(int)));
    keepOdd<<<n / 128, 128>>>(d_in, n, d_out, d_count);
    CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    long long oddSum = 0, wantSum = 0;
    for (int i = 0; i < count; ++i) oddSum += out[i];
    for (int v : in)
        if (v & 1) ++wantCount, wantSum += v;
    ok = ok && count == wantCount && oddSum == wantSum;
    printf("odd values %d, their sum %lld\n", count, oddSum);
    puts(ok ? "PASS" : "FAIL");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_count));
    return ok ? 0 : 1;
}
