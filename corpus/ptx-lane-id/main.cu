// Lane and warp bookkeeping through special registers read by inline PTX.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static __device__ __inline__ unsigned laneId()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__device__ __forceinline__ unsigned lanemaskLt()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

__device__ __forceinline__ unsigned special(int which)
{
    unsigned v = 0;
    switch (which) {
    case 0: asm("mov.u32 %0, %%tid.x;" : "=r"(v)); break;
    case 1: asm("mov.u32 %0, %%ntid.x;" : "=r"(v)); break;
    case 2: asm("mov.u32 %0, %%ctaid.x;" : "=r"(v)); break;
    case 3: asm("mov.u32 %0, %%nctaid.x;" : "=r"(v)); break;
    }
    return v;
}

__global__ void registers(int *mismatches)
{
    int bad = 0;
    bad += laneId() != threadIdx.x % 32;
    bad += special(0) != threadIdx.x;
    bad += special(1) != blockDim.x;
    bad += special(2) != blockIdx.x;
    bad += special(3) != gridDim.x;
    atomicAdd(mismatches, bad);
}

// Numbers the lanes that have an even value, in order, in every warp.
__global__ void number(const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned even = __ballot_sync(0xFFFFFFFFU, (in[i] & 1) == 0);
    out[i] = (even >> laneId()) & 1 ? __popc(even & lanemaskLt()) : -1;
}

int main()
{
    const int n = 256;
    int in[n], out[n], *d_in, *d_out, *d_bad, bad = -1;
    for (int i = 0; i < n; i++) in[i] = i * i / 3 + i;
    if (cudaMalloc(&d_in, sizeof(in)) != cudaSuccess) return EXIT_FAILURE;
    if (cudaMalloc(&d_out, sizeof(out)) != cudaSuccess) return EXIT_FAILURE;
    if (cudaMalloc(&d_bad, sizeof(int)) != cudaSuccess) return EXIT_FAILURE;
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemset(d_bad, 0, sizeof(int));

    registers<<<3, 96>>>(d_bad);
    number<<<n / 64, 64>>>(d_in, d_out);
    cudaMemcpy(&bad, d_bad, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return EXIT_FAILURE;

    int wrong = bad;
    for (int w = 0; w < n; w += 32) {
        int count = 0;
        for (int i = w; i < w + 32; i++) wrong += out[i] != (in[i] % 2 == 0 ? count++ : -1);
    }
    printf("registers: %d mismatches\n", bad);
    printf("first lanes:");
    for (int i = 32; i < 44; i++) printf(" %d", out[i]);
    printf("\n%s\n", wrong == 0 ? "PASS" : "FAIL");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_bad);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
