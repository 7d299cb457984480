#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t status = (call);                                 \
    if (status != cudaSuccess) {                                 \
      fprintf(stderr, "%s\n", cudaGetErrorString(status));       \
      exit(1);                                                   \
    }                                                            \
  } while (0)
#define LAUNCH(kernel, blocks, ...) kernel<<<blocks, 32>>>(__VA_ARGS__)
#define UNUSED_HERE(p) cudaFree(p)

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
  int* x;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&x), 32 * sizeof(int)));
  LAUNCH(twice, 1, x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
#if defined(NEVER_DEFINED_ANYWHERE)
  CHECK(cudaDeviceReset());
#endif
  CHECK(cudaFree(x));
}
