/* Exclusive prefix sum: blocks scan in shared memory (work-efficient), block totals are scanned on the device too. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128                   /* threads; each block scans twice as many elements */
#define ELEMS (2 * BLOCK)

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

static void check(cudaError_t result, const char *func, const char *file, int line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result,
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}

__global__ void scanBlocks(const unsigned *in, unsigned *out, unsigned *totals, int n)
{
    extern __shared__ unsigned temp[];
    const int t = threadIdx.x, base = blockIdx.x * ELEMS;
    temp[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    temp[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;

    int offset = 1;
    for (int d = BLOCK; d > 0; d >>= 1, offset <<= 1) {
        __syncthreads();
        if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
    }
    if (t == 0) {
        if (totals != NULL) totals[blockIdx.x] = temp[ELEMS - 1];
        temp[ELEMS - 1] = 0;
    }
    for (int d = 1; d < ELEMS; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            const unsigned swap = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += swap;
        }
    }
    __syncthreads();
    if (base + 2 * t < n) out[base + 2 * t] = temp[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = temp[2 * t + 1];
}

__global__ void addOffsets(unsigned *out, const unsigned *offsets, int n)
{
    for (int i = threadIdx.x; i < ELEMS; i += blockDim.x) {
        const int at = blockIdx.x * ELEMS + i;
        if (at < n) out[at] += offsets[blockIdx.x];
    }
}

int main(void)
{
    const int n = 20000, blocks = (n + ELEMS - 1) / ELEMS;
    unsigned *h_in = (unsigned *)malloc(n * sizeof(unsigned));
    unsigned *h_out = (unsigned *)malloc(n * sizeof(unsigned));
    for (int i = 0; i < n; ++i) h_in[i] = (unsigned)(i * 31 % 19);

    unsigned *d_in, *d_out, *d_totals;
    checkCudaErrors(cudaMalloc((void **)&d_in, n * sizeof(unsigned)));
    checkCudaErrors(cudaMalloc((void **)&d_out, n * sizeof(unsigned)));
    checkCudaErrors(cudaMalloc((void **)&d_totals, blocks * sizeof(unsigned)));
    checkCudaErrors(cudaMemcpy(d_in, h_in, n * sizeof(unsigned), cudaMemcpyHostToDevice));

    const size_t shmem = ELEMS * sizeof(unsigned);
    scanBlocks<<<blocks, BLOCK, shmem>>>(d_in, d_out, d_totals, n);
    scanBlocks<<<1, BLOCK, shmem, 0>>>(d_totals, d_totals, NULL, blocks);
    addOffsets<<<blocks, BLOCK>>>(d_out, d_totals, n);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpy(h_out, d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));

    unsigned want = 0;
    for (int i = 0; i < n; ++i) {
        if (h_out[i] != want) {
            printf("FAIL at %d: %u, want %u\n", i, h_out[i], want);
            return EXIT_FAILURE;
        }
        want += h_in[i];
    }
    printf("scan: n %d, blocks %d, out[255] %u, out[256] %u, last %u\n", n, blocks, h_out[255], h_out[256],
           h_out[n - 1]);
    printf("PASS\n");

    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    checkCudaErrors(cudaFree(d_totals));
    free(h_in);
    free(h_out);
    return EXIT_SUCCESS;
}
