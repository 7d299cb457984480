#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>

#define CHECK(call)                                              \
  do {                                                           \
    hipError_t status = (call);                                 \
    if (status != hipSuccess) {                                 \
      fprintf(stderr, "%s\n", hipGetErrorString(status));       \
      exit(1);                                                   \
    }                                                            \
  } while (0)
#define LAUNCH(kernel, blocks, ...) hipLaunchKernelGGL(kernel, dim3(blocks), dim3(32), 0, 0, ##__VA_ARGS__)
#define UNUSED_HERE(p) hipFree(p)

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
  int* x;
  CHECK(hipMalloc(reinterpret_cast<void**>(&x), 32 * sizeof(int)));
  LAUNCH(twice, 1, x);
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());
#if defined(NEVER_DEFINED_ANYWHERE)
  CHECK(hipDeviceReset());
#endif
  CHECK(hipFree(x));
}
