#include <cuda_runtime.h>

__constant__ float table[16];
__device__ int counter;

template <int N>
__global__ void kernel(float* out) {
  out[threadIdx.x] = table[threadIdx.x % N];
}

int main() {
  float host[16] = {};
  int value = 0;
  cudaMemcpyToSymbol(table, host, sizeof(host));
  cudaMemcpyFromSymbol(&value, counter, sizeof(int), 0, cudaMemcpyDeviceToHost);
  void* address = nullptr;
  cudaGetSymbolAddress(&address, counter);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, kernel<4>);
  cudaFuncSetAttribute(kernel<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventCreate(&event, cudaEventDisableTiming);
  float* pinned;
  cudaMallocHost(&pinned, 64);
  return value;
}
