// All-reduce and broadcast over all devices of one process (one device works too).
#include <cuda_runtime.h>
#include <nccl.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDACHECK(cmd) do {                         \
  cudaError_t err = cmd;                            \
  if (err != cudaSuccess) {                         \
    fprintf(stderr, "Failed: Cuda error %s:%d '%s'\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
    exit(EXIT_FAILURE);                             \
  }                                                 \
} while (0)

#define NCCLCHECK(cmd) do {                         \
  ncclResult_t res = cmd;                           \
  if (res != ncclSuccess) {                         \
    fprintf(stderr, "Failed, NCCL error %s:%d '%s'\n", __FILE__, __LINE__, ncclGetErrorString(res)); \
    exit(EXIT_FAILURE);                             \
  }                                                 \
} while (0)

__global__ void fill(float *data, int n, float value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value + i % 10;
}

int main()
{
    int nDev = 0;
    CUDACHECK(cudaGetDeviceCount(&nDev));
    if (nDev > 8) nDev = 8;
    const int size = 8192;
    std::vector<int> devs(nDev);
    std::vector<ncclComm_t> comms(nDev);
    std::vector<float *> send(nDev), recv(nDev);
    std::vector<cudaStream_t> s(nDev);
    for (int i = 0; i < nDev; ++i) {
        devs[i] = i;
        CUDACHECK(cudaSetDevice(i));
        CUDACHECK(cudaMalloc(&send[i], size * sizeof(float)));
        CUDACHECK(cudaMalloc(&recv[i], size * sizeof(float)));
        CUDACHECK(cudaStreamCreate(&s[i]));
        fill<<<size / 256, 256, 0, s[i]>>>(send[i], size, float(i + 1));
        CUDACHECK(cudaMemsetAsync(recv[i], 0, size * sizeof(float), s[i]));
    }
    NCCLCHECK(ncclCommInitAll(comms.data(), nDev, devs.data()));
    bool ok = true;
    for (int i = 0; i < nDev; ++i) {
        int count = 0, rank = -1;
        NCCLCHECK(ncclCommCount(comms[i], &count));
        NCCLCHECK(ncclCommUserRank(comms[i], &rank));
        ok = ok && count == nDev && rank == i;
    }

    NCCLCHECK(ncclGroupStart());
    for (int i = 0; i < nDev; ++i)
        NCCLCHECK(ncclAllReduce((const void *)send[i], (void *)recv[i], size, ncclFloat, ncclSum, comms[i], s[i]));
    NCCLCHECK(ncclGroupEnd());
    // Then everyone gets what the first one sent.
    NCCLCHECK(ncclGroupStart());
    for (int i = 0; i < nDev; ++i)
        NCCLCHECK(ncclBroadcast(send[i], send[i], size, ncclFloat32, 0, comms[i], s[i]));
    NCCLCHECK(ncclGroupEnd());

    std::vector<float> sums(size), first(size);
    for (int i = 0; i < nDev; ++i) {
        CUDACHECK(cudaSetDevice(i));
        CUDACHECK(cudaStreamSynchronize(s[i]));
        CUDACHECK(cudaMemcpy(sums.data(), recv[i], size * sizeof(float), cudaMemcpyDeviceToHost));
        CUDACHECK(cudaMemcpy(first.data(), send[i], size * sizeof(float), cudaMemcpyDeviceToHost));
        for (int k = 0; k < size; ++k) {
            ok = ok && sums[k] == nDev * (nDev + 1) / 2 + nDev * (k % 10);
            ok = ok && first[k] == 1.0f + k % 10;
        }
        CUDACHECK(cudaFree(send[i]));
        CUDACHECK(cudaFree(recv[i]));
        CUDACHECK(cudaStreamDestroy(s[i]));
        NCCLCHECK(ncclCommDestroy(comms[i]));
    }
    printf("all-reduce and broadcast of %d values\n%s\n", size, ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
