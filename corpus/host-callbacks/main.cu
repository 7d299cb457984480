// Host functions in a stream: cudaLaunchHostFunc and the older cudaStreamAddCallback, in order with the kernels.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#define CK(call)                                                            \
    if (const cudaError_t e = (call)) {                                     \
        fprintf(stderr, "%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e)); \
        exit(EXIT_FAILURE);                                                 \
    }

__global__ void advance(unsigned *state, int rounds)
{
    unsigned s = *state;
    for (int r = 0; r < rounds; ++r) s = s * 1664525u + 1013904223u;
    *state = s;
}

struct Log {
    std::string lines;
    const unsigned *value;
    std::atomic<int> calls{0};
};

static void CUDART_CB note(void *data)
{
    Log *log = (Log *)data;
    log->lines += "host function " + std::to_string(++log->calls) + ": " + std::to_string(*log->value) + "\n";
}

static void CUDART_CB finished(cudaStream_t stream, cudaError_t status, void *data)
{
    Log *log = (Log *)data;
    log->lines += "callback " + std::to_string(++log->calls) + ": " + (status == cudaSuccess ? "success" : "error") +
                  (stream != nullptr ? ", with its stream\n" : ", without a stream\n");
}

int main()
{
    unsigned *dev, *host;
    CK(cudaMalloc(&dev, sizeof(unsigned)));
    CK(cudaMallocHost(&host, sizeof(unsigned)));
    *host = 42;
    Log log;
    log.value = host;
    cudaStream_t stream;
    CK(cudaStreamCreate(&stream));

    CK(cudaMemcpyAsync(dev, host, sizeof(unsigned), cudaMemcpyHostToDevice, stream));
    for (int i = 1; i <= 3; ++i) {
        advance<<<1, 1, 0, stream>>>(dev, i);
        CK(cudaMemcpyAsync(host, dev, sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
        CK(cudaLaunchHostFunc(stream, note, &log));
    }
    CK(cudaStreamAddCallback(stream, finished, &log, 0));
    CK(cudaStreamSynchronize(stream));

    unsigned want = 42;
    for (int r = 0; r < 6; ++r) want = want * 1664525u + 1013904223u;
    printf("%s", log.lines.c_str());
    const bool ok = *host == want && log.calls == 4;
    printf("%s\n", ok ? "PASS" : "FAIL");
    CK(cudaStreamDestroy(stream));
    CK(cudaFreeHost(host));
    CK(cudaFree(dev));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
