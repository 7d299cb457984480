#include <cstdio>
#include <hip/hip_runtime.h>

template <typename T, int N>
__global__ void fill(T* out, T value) {
  out[blockIdx.x * N + threadIdx.x] = value;
}

__global__ void plain(int* out) { out[threadIdx.x] = 1; }

template <typename T>
struct Runner {
  void (*kernel)(T*);
  void run(T* data, hipStream_t stream) {
    hipLaunchKernelGGL(kernel, dim3(1, 2), dim3(32), 0, stream, data);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(fill<T, 32>), dim3((3 < 4 ? 1 : 2)), dim3(32), 0, 0, data, T{});
  }
};

int main() {
  int* data = nullptr;
  hipMalloc(&data, 64 * sizeof(int));
  bool wide = true;
  auto launch = [&](int blocks) { hipLaunchKernelGGL(plain, dim3(blocks), dim3(64 / blocks), 0, 0, data); };
  launch(2);
  hipLaunchKernelGGL((wide ? plain : plain), dim3(1), dim3(32), 0, 0, data);
  Runner<int> runner{plain};
  runner.run(data, 0);
  hipDeviceSynchronize();
  return hipFree(data) == hipSuccess ? 0 : 1;
}
