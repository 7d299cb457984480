// Polynomials with coefficients in constant memory, results and counters in device globals: every symbol call.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define DEGREE 5

__constant__ int coeffs[DEGREE + 1];
__constant__ struct { int scale; int shift; } params;
__device__ int results[64];
__device__ unsigned int calls = 0;
__device__ int *table;

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
        exit(EXIT_FAILURE);
    }
}
#define CHECK(x) check(x, #x)

__global__ void evaluate(int n)
{
    const int x = threadIdx.x;
    if (x >= n) return;
    int y = 0;
    for (int i = DEGREE; i >= 0; --i) y = y * x + coeffs[i];
    results[x] = y * params.scale + params.shift + table[x % 4];
    atomicInc(&calls, 0xffffffffu);
}

int main()
{
    const int n = 64;
    const int host_coeffs[DEGREE + 1] = {7, -3, 0, 2, 1, -1};
    CHECK(cudaMemcpyToSymbol(coeffs, host_coeffs, sizeof(host_coeffs)));
    const int shift = 11;
    const int scale = 3;
    CHECK(cudaMemcpyToSymbol(params, &scale, sizeof(int)));
    CHECK(cudaMemcpyToSymbol(params, &shift, sizeof(int), sizeof(int), cudaMemcpyHostToDevice));

    int host_table[4] = {0, 100, 200, 300}, *d_table = NULL;
    CHECK(cudaMalloc(&d_table, sizeof(host_table)));
    CHECK(cudaMemcpy(d_table, host_table, sizeof(host_table), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, &d_table, sizeof(d_table)));

    void *address = NULL;
    size_t size = 0;
    CHECK(cudaGetSymbolAddress(&address, results));
    CHECK(cudaGetSymbolSize(&size, results));
    printf("results: %zu bytes\n", size);
    CHECK(cudaMemset(address, 0, size));

    evaluate<<<1, 128>>>(n);
    CHECK(cudaGetLastError());
    evaluate<<<1, 32>>>(n);
    CHECK(cudaDeviceSynchronize());

    int got[n];
    unsigned int host_calls = 0;
    CHECK(cudaMemcpyFromSymbol(got, results, sizeof(got)));
    CHECK(cudaMemcpyFromSymbol(&host_calls, calls, sizeof(host_calls), 0, cudaMemcpyDeviceToHost));

    // The same again through the address, the last quarter only, and asynchronously through the symbol.
    int tail[n / 4], again[n / 4];
    CHECK(cudaMemcpy(tail, (int *)address + 3 * n / 4, sizeof(tail), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbolAsync(again, results, sizeof(again), 3 * n / 4 * sizeof(int), cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));

    int wrong = 0;
    for (int x = 0; x < n; ++x) {
        int y = 0;
        for (int i = DEGREE; i >= 0; --i) y = y * x + host_coeffs[i];
        wrong += got[x] != y * scale + shift + host_table[x % 4];
    }
    for (int i = 0; i < n / 4; ++i) wrong += tail[i] != got[3 * n / 4 + i] || again[i] != tail[i];
    wrong += host_calls != n + 32;

    printf("p(1) %d, p(2) %d, p(10) %d, calls %u\n", got[1], got[2], got[10], host_calls);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    CHECK(cudaFree(d_table));
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
