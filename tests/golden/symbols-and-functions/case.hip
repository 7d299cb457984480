#include <hip/hip_runtime.h>

__constant__ float table[16];
__device__ int counter;

template <int N>
__global__ void kernel(float* out) {
  out[threadIdx.x] = table[threadIdx.x % N];
}

int main() {
  float host[16] = {};
  int value = 0;
  hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof(host));
  hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof(int), 0, hipMemcpyDeviceToHost);
  void* address = nullptr;
  hipGetSymbolAddress(&address, HIP_SYMBOL(counter));
  hipFuncAttributes attributes;
  hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel<4>));
  hipFuncSetAttribute(reinterpret_cast<const void*>(kernel<8>), hipFuncAttributeMaxDynamicSharedMemorySize, 1024);
  hipEvent_t event;
  hipEventCreate(&event);
  hipEventCreateWithFlags(&event, hipEventDisableTiming);
  float* pinned;
  hipHostMalloc(&pinned, 64, hipHostMallocDefault);
  return value;
}
