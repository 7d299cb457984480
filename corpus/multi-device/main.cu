// Work split over all devices (one is enough), peer access where there is any, peer copies in every case.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDACHECK(cmd) do {                                                     \
    cudaError_t err = cmd;                                                      \
    if (err != cudaSuccess) {                                                   \
        printf("Failed: Cuda error %s:%d '%s'\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
        exit(EXIT_FAILURE);                                                     \
    }                                                                           \
} while (0)

__global__ void squares(long long *out, int first, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (long long)(first + i) * (first + i);
}

static bool sane(int device)
{
    cudaDeviceProp prop;
    CUDACHECK(cudaGetDeviceProperties(&prop, device));
    int threads = 0, warp = 0, shared = 0;
    CUDACHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device));
    CUDACHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device));
    CUDACHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device));
    return prop.name[0] != '\0' && prop.totalGlobalMem > 0 && prop.multiProcessorCount > 0 && prop.major > 0 &&
           prop.maxThreadsPerBlock == threads && prop.warpSize == warp && prop.sharedMemPerBlock == (size_t)shared &&
           prop.maxGridSize[0] > 65535;
}

int main()
{
    int devices = 0, driver = 0, runtime = 0;
    CUDACHECK(cudaGetDeviceCount(&devices));
    CUDACHECK(cudaDriverGetVersion(&driver));
    CUDACHECK(cudaRuntimeGetVersion(&runtime));
    bool ok = devices > 0 && driver > 0 && runtime > 0;
    devices = std::min(devices, 4);

    const int n = 12000, part = (n + devices - 1) / devices;
    std::vector<long long *> parts(devices);
    std::vector<cudaStream_t> streams(devices);
    for (int d = 0; d < devices; ++d) {
        ok = ok && sane(d);
        CUDACHECK(cudaSetDevice(d));
        size_t free = 0, total = 0;
        CUDACHECK(cudaMemGetInfo(&free, &total));
        ok = ok && free <= total && total > 0;
        for (int p = 0; p < devices; ++p) {
            int can = 0;
            if (p != d) CUDACHECK(cudaDeviceCanAccessPeer(&can, d, p));
            if (can) CUDACHECK(cudaDeviceEnablePeerAccess(p, 0));
        }
        const int first = d * part, mine = std::min(part, n - first);
        CUDACHECK(cudaStreamCreate(&streams[d]));
        CUDACHECK(cudaMalloc(&parts[d], part * sizeof(long long)));
        squares<<<(mine + 127) / 128, 128, 0, streams[d]>>>(parts[d], first, mine);
        CUDACHECK(cudaGetLastError());
    }
    for (int d = 0; d < devices; ++d) {
        CUDACHECK(cudaSetDevice(d));
        CUDACHECK(cudaStreamSynchronize(streams[d]));
    }

    CUDACHECK(cudaSetDevice(0));
    long long *all;
    CUDACHECK(cudaMalloc(&all, n * sizeof(long long)));
    for (int d = 0; d < devices; ++d) {
        const int first = d * part, mine = std::min(part, n - first);
        CUDACHECK(cudaMemcpyPeer(all + first, 0, parts[d], d, mine * sizeof(long long)));
    }
    cudaPointerAttributes where;
    CUDACHECK(cudaPointerGetAttributes(&where, all));
    ok = ok && where.type == cudaMemoryTypeDevice && where.device == 0;

    std::vector<long long> host(n);
    CUDACHECK(cudaMemcpy(host.data(), all, n * sizeof(long long), cudaMemcpyDeviceToHost));
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        ok = ok && host[i] == (long long)i * i;
        sum += host[i];
    }
    printf("sum of squares below %d: %lld\n%s\n", n, sum, ok ? "PASS" : "FAIL");

    CUDACHECK(cudaFree(all));
    for (int d = 0; d < devices; ++d) {
        CUDACHECK(cudaSetDevice(d));
        CUDACHECK(cudaFree(parts[d]));
        CUDACHECK(cudaStreamDestroy(streams[d]));
        CUDACHECK(cudaDeviceReset());
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
