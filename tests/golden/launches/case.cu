#include <cstdio>
#include <cuda_runtime.h>

template <typename T, int N>
__global__ void fill(T* out, T value) {
  out[blockIdx.x * N + threadIdx.x] = value;
}

__global__ void plain(int* out) { out[threadIdx.x] = 1; }

template <typename T>
struct Runner {
  void (*kernel)(T*);
  void run(T* data, cudaStream_t stream) {
    kernel<<<dim3(1, 2), dim3(32), 0, stream>>>(data);
    fill<T, 32><<<(3 < 4 ? 1 : 2), 32>>>(data, T{});
  }
};

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  bool wide = true;
  auto launch = [&](int blocks) { plain<<<blocks, 64 / blocks>>>(data); };
  launch(2);
  (wide ? plain : plain)<<<1, 32>>>(data);
  Runner<int> runner{plain};
  runner.run(data, 0);
  cudaDeviceSynchronize();
  return cudaFree(data) == cudaSuccess ? 0 : 1;
}
