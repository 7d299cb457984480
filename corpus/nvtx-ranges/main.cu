// A computation marked with NVTX for the profiler: nested ranges, a range with a handle, marks, a scope guard.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>
#include <vector>

class Range {
public:
    explicit Range(const char *name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
    Range(const Range &) = delete;
    Range &operator=(const Range &) = delete;
};

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define NVTX_SCOPE(name) Range CONCAT(range_, __LINE__)(name)
#define CHECK(x) if ((x) != cudaSuccess) { printf("CUDA error in line %d\n", __LINE__); return 1; }

__global__ void fibonacci(unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = 0, b = 1;
    for (int k = 0; k < i; ++k) {
        const unsigned next = a + b;
        a = b;
        b = next;
    }
    out[i] = a;
}

int main()
{
    const int n = 48;
    std::vector<unsigned> got(n);
    unsigned *dev = nullptr;
    const nvtxRangeId_t whole = nvtxRangeStartA("whole program");
    CHECK(cudaProfilerStart());
    {
        NVTX_SCOPE("allocate");
        CHECK(cudaMalloc(&dev, n * sizeof(unsigned)));
    }
    nvtxRangePush("compute");
    {
        NVTX_SCOPE("kernel");
        fibonacci<<<2, 32>>>(dev, n);
        CHECK(cudaGetLastError());
        nvtxMarkA("launched");
    }
    {
        NVTX_SCOPE("copy");
        CHECK(cudaMemcpy(got.data(), dev, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    }
    nvtxRangePop();
    nvtxMark("done");
    CHECK(cudaProfilerStop());
    nvtxRangeEnd(whole);
    CHECK(cudaFree(dev));

    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += i < 2 ? got[i] != unsigned(i) : got[i] != got[i - 1] + got[i - 2];
    printf("fibonacci(10) %u, fibonacci(47) %u\n%s\n", got[10], got[47], wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
