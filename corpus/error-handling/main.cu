// Provokes errors on purpose and looks at how they are reported, kept and cleared.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t code, const char *what, int line)
        : std::runtime_error(std::string(what) + " at line " + std::to_string(line) + ": " + cudaGetErrorString(code)),
          code_(code)
    {
    }
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

#define CHECK(...)                                                            \
    do {                                                                      \
        const cudaError_t status_ = (__VA_ARGS__);                            \
        if (status_ != cudaSuccess) throw CudaError(status_, #__VA_ARGS__, __LINE__); \
    } while (false)

__global__ void touch(int *p) { p[threadIdx.x] = threadIdx.x + 1; }

static int failures = 0;

static void expect(const char *what, bool holds)
{
    printf("%-28s %s\n", what, holds ? "ok" : "WRONG");
    failures += !holds;
}

template <typename F>
static cudaError_t thrown(F f)
{
    try {
        f();
    } catch (const CudaError &e) {
        return strlen(e.what()) > 10 ? e.code() : cudaErrorUnknown;
    }
    return cudaSuccess;
}

// The prefix of the names differs between platforms, the rest does not.
static bool namedLike(cudaError_t e, const char *part) { return strstr(cudaGetErrorName(e), part) != NULL; }

int main()
{
    int devices = 0, *p = nullptr;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaMalloc(&p, 64 * sizeof(int)));

    expect("success has a name", namedLike(cudaSuccess, "Success") && strlen(cudaGetErrorString(cudaSuccess)) > 0);
    expect("invalid device", thrown([&] { CHECK(cudaSetDevice(devices)); }) == cudaErrorInvalidDevice);
    expect("it is the last error", cudaPeekAtLastError() == cudaErrorInvalidDevice);
    expect("reading it clears it", cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);

    int *big = nullptr;
    const cudaError_t noMemory = cudaMalloc(&big, size_t(1) << 60);
    expect("too much memory", noMemory == cudaErrorMemoryAllocation && big == nullptr);
    (void)cudaGetLastError();

    touch<<<1, 5000>>>(p);  // more threads than a block can have
    const cudaError_t launch = cudaGetLastError();
    expect("too many threads", launch == cudaErrorInvalidConfiguration || launch == cudaErrorInvalidValue);
    expect("its name says invalid", namedLike(launch, "Invalid"));
    expect("then all is well", cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);

    expect("null destination", cudaMemcpy(nullptr, p, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    (void)cudaGetLastError();

    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    float ms = 0;
    expect("event never recorded", cudaEventElapsedTime(&ms, event, event) != cudaSuccess);
    cudaGetLastError();
    CHECK(cudaEventDestroy(event));

    int host[64] = {};
    touch<<<1, 64>>>(p);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    expect("a good launch still works", host[0] == 1 && host[63] == 64);
    CHECK(cudaFree(p));
    expect("freeing null is fine", cudaFree(nullptr) == cudaSuccess);

    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
