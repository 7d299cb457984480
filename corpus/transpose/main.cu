#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

// Reads and writes are both coalesced; the extra column keeps banks apart.
__global__ void transposeNoConflicts(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

typedef void (*Kernel)(float *, const float *, int, int);

static int run(const char *name, Kernel kernel, float *d_out, const float *d_in, const float *h_in, float *h_out,
               int width, int height)
{
    const size_t bytes = (size_t)width * height * sizeof(float);
    dim3 dimGrid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    checkCuda(cudaMemset(d_out, 0, bytes));
    kernel<<<dimGrid, dimBlock>>>(d_out, d_in, width, height);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
    int errors = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) errors += h_out[x * height + y] != h_in[y * width + x];
    printf("%-22s %d x %d: %d errors, out[1] = %.0f\n", name, width, height, errors, h_out[1]);
    return errors;
}

int main()
{
    const int width = 200, height = 77;
    const size_t bytes = width * height * sizeof(float);
    float *h_in = (float *)malloc(bytes), *h_out = (float *)malloc(bytes);
    for (int i = 0; i < width * height; i++) h_in[i] = (float)i;
    float *d_in, *d_out;
    checkCuda(cudaMalloc(&d_in, bytes));
    checkCuda(cudaMalloc(&d_out, bytes));
    checkCuda(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));

    int errors = run("transposeNaive", transposeNaive, d_out, d_in, h_in, h_out, width, height);
    errors += run("transposeNoConflicts", &transposeNoConflicts, d_out, d_in, h_in, h_out, width, height);
    printf("%s\n", errors == 0 ? "PASS" : "FAIL");

    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_out));
    free(h_in);
    free(h_out);
    return errors != 0;
}
