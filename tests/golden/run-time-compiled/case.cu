#include <nvrtc.h>

static const char* source = R"(
#include <cuda_fp16.h>
extern "C" __global__ void axpy(cudaTextureObject_t texture, float* y) {
  y[threadIdx.x] = 1.0f;
}
)";

int main() {
  nvrtcProgram program;
  return nvrtcCreateProgram(&program, source, "axpy.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS
             ? 0
             : 1;
}
