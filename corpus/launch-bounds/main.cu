// Kernels with launch bounds: one argument, two arguments, from a template parameter and from a macro.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MAX_THREADS 256
#define MIN_BLOCKS 4
#define BOUNDED __global__ void __launch_bounds__(MAX_THREADS, MIN_BLOCKS)

__global__ void __launch_bounds__(128) polynomial(const int *x, int *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = ((x[i] * 3 - 2) * x[i] + 5) * x[i] - 7;
}

BOUNDED gray(const int *x, int *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] ^ (x[i] >> 1);
}

template <int Threads, int Blocks = 1>
__launch_bounds__(Threads, Blocks) __global__ void reverseBits(const int *x, int *y, int n)
{
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i < n) y[i] = static_cast<int>(__brev(static_cast<unsigned>(x[i])) >> 1);
}

typedef void (*Kernel)(const int *, int *, int);

static int hostPolynomial(int x) { return ((x * 3 - 2) * x + 5) * x - 7; }
static int hostGray(int x) { return x ^ (x >> 1); }
static int hostReverse(int x)
{
    unsigned r = 0;
    for (int b = 0; b < 32; ++b) r |= (static_cast<unsigned>(x) >> b & 1u) << (31 - b);
    return static_cast<int>(r >> 1);
}

int main()
{
    const int n = 1111;
    std::vector<int> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = i / 2 - 100;
    int *d_x, *d_y;
    if (cudaMalloc(&d_x, n * sizeof(int)) || cudaMalloc(&d_y, n * sizeof(int))) return EXIT_FAILURE;
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    struct {
        const char *name;
        Kernel kernel;
        int threads;
        int (*host)(int);
    } cases[] = {{"polynomial", polynomial, 128, hostPolynomial},
                 {"gray", gray, MAX_THREADS, hostGray},
                 {"reverse 64", reverseBits<64, 2>, 64, hostReverse},
                 {"reverse 192", reverseBits<192>, 192, hostReverse}};
    int failures = 0;
    for (auto &c : cases) {
        cudaFuncAttributes attributes;
        cudaError_t e = cudaFuncGetAttributes(&attributes, c.kernel);
        c.kernel<<<(n + c.threads - 1) / c.threads, c.threads>>>(d_x, d_y, n);
        if (e == cudaSuccess) e = cudaGetLastError();
        if (e == cudaSuccess) e = cudaMemcpy(y.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost);
        if (e != cudaSuccess) return fprintf(stderr, "%s: %s\n", c.name, cudaGetErrorString(e)), EXIT_FAILURE;
        int wrong = 0;
        for (int i = 0; i < n; ++i) wrong += y[i] != c.host(x[i]);
        const bool fits = attributes.maxThreadsPerBlock >= c.threads;
        printf("%-11s %d wrong, y[1000] = %d, fits: %s\n", c.name, wrong, y[1000], fits ? "yes" : "no");
        failures += wrong != 0 || !fits;
    }
    printf("%s\n", failures ? "FAIL" : "PASS");
    cudaFree(d_x);
    cudaFree(d_y);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
