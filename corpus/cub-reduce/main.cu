// CUB: device-wide reduction, scan, sort and selection; block-wide reduction and scan in a kernel of our own.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CubDebugExit_(e)                                                                        \
    do {                                                                                        \
        cudaError_t status = (e);                                                               \
        if (status != cudaSuccess) {                                                            \
            fprintf(stderr, "CUDA error %d [%s, %d]\n", status, __FILE__, __LINE__);            \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

struct CustomMin {
    template <typename T>
    __device__ __forceinline__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

struct LessThan {
    int compare;
    __host__ __device__ __forceinline__ bool operator()(const int &a) const { return a < compare; }
};

template <int BLOCK, int ITEMS>
__global__ void blockSums(const int *in, int *sums, int *running)
{
    typedef cub::BlockReduce<int, BLOCK> BlockReduce;
    using BlockScan = cub::BlockScan<int, BLOCK>;
    __shared__ union {
        typename BlockReduce::TempStorage reduce;
        typename BlockScan::TempStorage scan;
    } temp;
    int items[ITEMS];
    const int base = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS;
    for (int i = 0; i < ITEMS; ++i) items[i] = in[base + i];
    const int sum = BlockReduce(temp.reduce).Sum(items);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    __syncthreads();
    BlockScan(temp.scan).InclusiveSum(items, items);
    for (int i = 0; i < ITEMS; ++i) running[base + i] = items[i];
}

// Runs a two-phase CUB call: first for the size of its temporary storage, then for the result.
template <typename Call>
static void withStorage(Call call)
{
    void *storage = nullptr;
    size_t bytes = 0;
    CubDebugExit_(call(storage, bytes));
    CubDebugExit_(cudaMalloc(&storage, bytes + 1));
    CubDebugExit_(call(storage, bytes));
    CubDebugExit_(cudaFree(storage));
}

int main()
{
    const int n = 4096;
    std::vector<int> in(n), got(n), sorted;
    for (int i = 0; i < n; ++i) in[i] = (i * 7919 + 13) % 5003 - 1000;
    int *d_in, *d_out, *d_one, result = 0;
    CubDebugExit_(cudaMalloc(&d_in, n * sizeof(int)));
    CubDebugExit_(cudaMalloc(&d_out, n * sizeof(int)));
    CubDebugExit_(cudaMalloc(&d_one, 32 * sizeof(int)));
    CubDebugExit_(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    auto one = [&] {
        CubDebugExit_(cudaMemcpy(&result, d_one, sizeof(int), cudaMemcpyDeviceToHost));
        return result;
    };
    auto all = [&] { CubDebugExit_(cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost)); };

    withStorage([&](void *s, size_t &b) { return cub::DeviceReduce::Sum(s, b, d_in, d_one, n); });
    const int sum = one();
    bool ok = sum == std::accumulate(in.begin(), in.end(), 0);
    withStorage([&](void *s, size_t &b) { return cub::DeviceReduce::Reduce(s, b, d_in, d_one, n, CustomMin(), 99999); });
    const int least = one();
    ok = ok && least == *std::min_element(in.begin(), in.end());
    printf("sum %d, least %d\n", sum, least);

    withStorage([&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, d_in, d_out, n); });
    all();
    ok = ok && got[n - 1] == sum - in[n - 1] && got[1] == in[0];
    withStorage([&](void *s, size_t &b) { return cub::DeviceRadixSort::SortKeys(s, b, d_in, d_out, n); });
    all();
    sorted = in;
    std::sort(sorted.begin(), sorted.end());
    ok = ok && got == sorted;
    printf("sorted: %d %d .. %d\n", got[0], got[1], got[n - 1]);
    withStorage([&](void *s, size_t &b) { return cub::DeviceSelect::If(s, b, d_in, d_out, d_one, n, LessThan{0}); });
    ok = ok && one() == std::count_if(in.begin(), in.end(), LessThan{0});
    printf("negative: %d\n", result);

    blockSums<128, 4><<<n / 512, 128>>>(d_in, d_one, d_out);
    std::vector<int> sums(n / 512);
    CubDebugExit_(cudaMemcpy(sums.data(), d_one, sums.size() * sizeof(int), cudaMemcpyDeviceToHost));
    all();
    for (int b = 0; b < n / 512; ++b) {
        ok = ok && sums[b] == std::accumulate(&in[b * 512], &in[b * 512] + 512, 0);
        ok = ok && got[b * 512 + 511] == sums[b];
    }
    printf("block sums: %d %d\n%s\n", sums[0], sums[1], ok ? "PASS" : "FAIL");
    for (int *p : {d_in, d_out, d_one}) CubDebugExit_(cudaFree(p));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
