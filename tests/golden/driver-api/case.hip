#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

int main() {
  hipDevice_t device;
  hipCtx_t context;
  hipDeviceptr_t memory = 0;
  hipError_t result = hipInit(0);
  if (result != hipSuccess) return 1;
  hipDeviceGet(&device, 0);
  hipCtxCreate(&context, 0, device);
  hipMalloc(&memory, 256);
  hipFree(memory);
  return hipCtxDestroy(context) == hipSuccess ? 0 : 1;
}
