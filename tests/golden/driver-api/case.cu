#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

int main() {
  CUdevice device;
  CUcontext context;
  CUdeviceptr memory = 0;
  CUresult result = cuInit(0);
  if (result != CUDA_SUCCESS) return 1;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  cuMemAlloc(&memory, 256);
  cuMemFree(memory);
  return cuCtxDestroy(context) == CUDA_SUCCESS ? 0 : 1;
}
