// Four streams copy, compute and copy back; events order a last kernel after all of them.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

#define CK(x)                                                                       \
    do {                                                                            \
        const cudaError_t status = x;                                               \
        if (cudaSuccess != status) {                                                \
            fprintf(stderr, "%d: %s -> %s\n", __LINE__, #x, cudaGetErrorString(status)); \
            return 1;                                                               \
        }                                                                           \
    } while (0)

static constexpr int kStreams = 4, kChunk = 3000;

__global__ void square(int *data, int n, int add)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * data[i] + add;
}

__global__ void gather(const int *data, long long *sums)
{
    long long sum = 0;
    for (int i = 0; i < kChunk; ++i) sum += data[threadIdx.x * kChunk + i];
    sums[threadIdx.x] = sum;
}

int main()
{
    const int n = kStreams * kChunk;
    int *host = nullptr, *dev = nullptr;
    long long *sums = nullptr;
    CK(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocDefault));
    CK(cudaMalloc(&dev, n * sizeof(int)));
    CK(cudaMalloc(&sums, kStreams * sizeof(long long)));
    for (int i = 0; i < n; ++i) host[i] = i % 100;

    cudaStream_t streams[kStreams], last;
    cudaEvent_t done[kStreams], start, stop;
    int low, high;
    CK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CK(cudaStreamCreateWithPriority(&last, cudaStreamNonBlocking, high));
    for (int s = 0; s < kStreams; ++s) {
        if (s % 2) CK(cudaStreamCreate(&streams[s]));
        else CK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        CK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
    }
    CK(cudaEventCreate(&start));
    CK(cudaEventCreate(&stop));

    CK(cudaEventRecord(start));
    for (int s = 0; s < kStreams; ++s) {
        int *at = dev + s * kChunk;
        CK(cudaMemcpyAsync(at, host + s * kChunk, kChunk * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
        square<<<(kChunk + 255) / 256, 256, 0, streams[s]>>>(at, kChunk, s);
        CK(cudaEventRecord(done[s], streams[s]));
        CK(cudaStreamWaitEvent(last, done[s], 0));
    }
    gather<<<1, kStreams, 0, last>>>(dev, sums);
    CK(cudaGetLastError());
    long long got[kStreams];
    CK(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, last));
    CK(cudaStreamSynchronize(last));
    CK(cudaEventRecord(stop));
    CK(cudaEventSynchronize(stop));
    float ms = -1.0f;
    CK(cudaEventElapsedTime(&ms, start, stop));

    bool ok = ms >= 0.0f;
    for (int s = 0; s < kStreams; ++s) {
        const cudaError_t state = cudaStreamQuery(streams[s]);
        ok = ok && (state == cudaSuccess || state == cudaErrorNotReady);
        CK(cudaStreamSynchronize(streams[s]));
        ok = ok && cudaEventQuery(done[s]) == cudaSuccess;
        long long want = 0;
        for (int i = 0; i < kChunk; ++i) {
            const int v = (s * kChunk + i) % 100;
            want += v * v + s;
        }
        ok = ok && got[s] == want;
        printf("stream %d: %lld\n", s, got[s]);
        CK(cudaEventDestroy(done[s]));
        CK(cudaStreamDestroy(streams[s]));
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    CK(cudaStreamDestroy(last));
    CK(cudaEventDestroy(start));
    CK(cudaEventDestroy(stop));
    CK(cudaFreeHost(host));
    CK(cudaFree(dev));
    CK(cudaFree(sums));
    return ok ? 0 : 1;
}
