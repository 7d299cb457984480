// A stream's work is captured once and replayed as a graph, with a fork and a join.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                  \
    if (cudaError_t status = (call); status != cudaSuccess) {                                        \
        fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status));   \
        exit(1);                                                                                     \
    }

__global__ void addTo(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
}

__global__ void timesPlus(int *data, int n, int factor, int summand)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * factor + summand;
}

int main()
{
    const int n = 4000, block = 256, grid = (n + block - 1) / block, replays = 5;
    std::vector<int> host(n), got(n);
    for (int i = 0; i < n; ++i) host[i] = i % 7;
    int *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b, 0, n * sizeof(int)));

    cudaStream_t main, side;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    // b = 2 b + 1 on the side while a = a + 3 in the middle; then b += a.
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, main));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    timesPlus<<<grid, block, 0, side>>>(b, n, 2, 1);
    timesPlus<<<grid, block, 0, main>>>(a, n, 1, 3);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(main, join, 0));
    addTo<<<grid, block, 0, main>>>(b, a, n);
    cudaStreamCaptureStatus capturing;
    CHECK(cudaStreamIsCapturing(main, &capturing));
    CHECK(cudaStreamEndCapture(main, &graph));

    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("captured %zu nodes, capturing: %s\n", nodes, capturing == cudaStreamCaptureStatusActive ? "yes" : "no");
    cudaGraphExec_t exec;
#if CUDART_VERSION >= 12000
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    for (int r = 0; r < replays; ++r) CHECK(cudaGraphLaunch(exec, main));
    CHECK(cudaStreamSynchronize(main));
    CHECK(cudaMemcpy(got.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));

    int wrong = 0;
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        int x = host[i], y = 0;
        for (int r = 0; r < replays; ++r) {
            x += 3;
            y = 2 * y + 1 + x;
        }
        wrong += got[i] != y;
        sum += got[i];
    }
    printf("after %d replays: b[0] %d, b[6] %d, sum %ld\n%s\n", replays, got[0], got[6], sum, wrong ? "FAIL" : "PASS");

    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(main));
    CHECK(cudaStreamDestroy(side));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return wrong ? 1 : 0;
}
