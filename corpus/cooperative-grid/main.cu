// One cooperative launch does what else takes many: the whole grid synchronizes between the rounds of a reduction.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace cooperative_groups;

__global__ void reduceInPlace(int *data, int n, int *rounds)
{
    grid_group grid = this_grid();
    const int threads = static_cast<int>(grid.size()), rank = static_cast<int>(grid.thread_rank());
    int round = 0;
    for (int m = n; m > 1; m = (m + 1) / 2) {
        const int half = (m + 1) / 2;
        for (int i = rank; i + half < m; i += threads) data[i] += data[i + half];
        ++round;
        grid.sync();
    }
    if (rank == 0) *rounds = round;
}

static void die(const char *what, cudaError_t e)
{
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    exit(EXIT_FAILURE);
}
#define CALL(f, ...) if (cudaError_t e = f(__VA_ARGS__)) die(#f, e)

int main()
{
    int device = 0, cooperative = 0, processors = 0, perProcessor = 0;
    CALL(cudaGetDevice, &device);
    CALL(cudaDeviceGetAttribute, &cooperative, cudaDevAttrCooperativeLaunch, device);
    CALL(cudaDeviceGetAttribute, &processors, cudaDevAttrMultiProcessorCount, device);
    if (!cooperative) {
        printf("no cooperative launch\n");
        return EXIT_FAILURE;
    }
    const int threads = 128, n = 10001;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, &perProcessor, reduceInPlace, threads, 0);
    int blocks = processors * perProcessor;
    if (blocks > 6) blocks = 6;

    std::vector<int> host(n);
    long long want = 0;
    for (int i = 0; i < n; ++i) {
        host[i] = i * 29 % 1000 - 200;
        want += host[i];
    }
    int *data, *rounds, size = n;
    CALL(cudaMalloc, &data, n * sizeof(int));
    CALL(cudaMalloc, &rounds, sizeof(int));
    CALL(cudaMemcpy, data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    void *args[] = {&data, &size, &rounds};
    CALL(cudaLaunchCooperativeKernel, (void *)reduceInPlace, dim3(blocks), dim3(threads), args, 0, nullptr);
    CALL(cudaDeviceSynchronize);

    int sum = 0, count = 0;
    CALL(cudaMemcpy, &sum, data, sizeof(int), cudaMemcpyDeviceToHost);
    CALL(cudaMemcpy, &count, rounds, sizeof(int), cudaMemcpyDeviceToHost);
    printf("sum %d after %d rounds\n%s\n", sum, count, sum == want ? "PASS" : "FAIL");
    CALL(cudaFree, data);
    CALL(cudaFree, rounds);
    return sum == want ? EXIT_SUCCESS : EXIT_FAILURE;
}
