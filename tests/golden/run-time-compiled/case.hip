#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

static const char* source = R"(
#include <hip/hip_fp16.h>
extern "C" __global__ void axpy(hipTextureObject_t texture, float* y) {
  y[threadIdx.x] = 1.0f;
}
)";

int main() {
  hiprtcProgram program;
  return hiprtcCreateProgram(&program, source, "axpy.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS
             ? 0
             : 1;
}
