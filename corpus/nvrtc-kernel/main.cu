// Kernels compiled at run time from a raw string: a header of our own, a macro from the options, a template by name.
#include <cuda_runtime.h>
#include <cuda.h>
#include <nvrtc.h>

#include <iostream>
#include <string>
#include <vector>

#define NVRTC_SAFE_CALL(x)                                                                  \
  do {                                                                                      \
    nvrtcResult result = x;                                                                 \
    if (result != NVRTC_SUCCESS) {                                                          \
      std::cerr << "\nerror: " #x " failed with " << nvrtcGetErrorString(result) << '\n';   \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)
#define CUDA_SAFE_CALL(x)                                                                   \
  do {                                                                                      \
    CUresult result = x;                                                                    \
    if (result != CUDA_SUCCESS) {                                                           \
      const char *msg;                                                                      \
      cuGetErrorName(result, &msg);                                                         \
      std::cerr << "\nerror: " #x " failed with " << msg << '\n';                           \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

const char *const header = "template <typename T> __device__ T clampTo(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }\n";

const char *const kernels = R"(
#include "clamp.h"

__device__ int clamped;  // how often a value was out of range

template <typename T, int LIMIT>
__global__ void clampAll(T *data, size_t n) {
  size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) {
    const T v = clampTo<T>(data[tid] * FACTOR, -LIMIT, LIMIT);
    if (v == LIMIT || v == -LIMIT) atomicAdd(&clamped, 1);
    data[tid] = v;
  }
}
)";

template <typename T>
static void run(CUmodule module, const char *name, const char *label, int limit, bool *ok) {
  size_t n = 1000, bytes;
  int zero = 0, count = -1, wantCount = 0;
  std::vector<T> data(n), want(n);
  for (size_t i = 0; i < n; ++i) {
    data[i] = static_cast<T>(static_cast<int>(i * 37 % 401) - 200);
    const T v = data[i] * 3;
    want[i] = v < -limit ? -limit : v > limit ? limit : v;
    wantCount += want[i] == limit || want[i] == -limit;
  }
  CUfunction kernel;
  CUdeviceptr counter;
  CUDA_SAFE_CALL(cuModuleGetFunction(&kernel, module, name));
  CUDA_SAFE_CALL(cuModuleGetGlobal(&counter, &bytes, module, "clamped"));
  CUDA_SAFE_CALL(cuMemcpyHtoD(counter, &zero, sizeof zero));
  T *dev;
  if (cudaMalloc(&dev, n * sizeof(T)) != cudaSuccess) exit(1);
  cudaMemcpy(dev, data.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  void *args[] = {&dev, &n};
  CUDA_SAFE_CALL(cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, NULL, args, 0));
  CUDA_SAFE_CALL(cuCtxSynchronize());
  cudaMemcpy(data.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost);
  CUDA_SAFE_CALL(cuMemcpyDtoH(&count, counter, sizeof count));
  cudaFree(dev);
  *ok = *ok && data == want && count == wantCount;
  std::cout << label << ": " << count << " clamped, data[3] " << data[3] << std::endl;
}

int main() {
  cudaFree(0);  // makes the primary context
  nvrtcProgram prog;
  const char *headers[] = {header}, *includeNames[] = {"clamp.h"};
  NVRTC_SAFE_CALL(nvrtcCreateProgram(&prog, kernels, "clamp_all.cu", 1, headers, includeNames));
  const std::vector<std::string> names = {"clampAll<float, 150>", "clampAll<int, 90>"};
  for (const auto &name : names) NVRTC_SAFE_CALL(nvrtcAddNameExpression(prog, name.c_str()));
  const char *opts[] = {"--std=c++17", "-DFACTOR=3"};
  const nvrtcResult compiled = nvrtcCompileProgram(prog, 2, opts);
  if (compiled != NVRTC_SUCCESS) {
    size_t logSize;
    NVRTC_SAFE_CALL(nvrtcGetProgramLogSize(prog, &logSize));
    std::string log(logSize, '\0');
    NVRTC_SAFE_CALL(nvrtcGetProgramLog(prog, &log[0]));
    std::cerr << log << '\n';
    return 1;
  }
  size_t size;
  NVRTC_SAFE_CALL(nvrtcGetPTXSize(prog, &size));
  std::vector<char> image(size);
  NVRTC_SAFE_CALL(nvrtcGetPTX(prog, image.data()));
  CUmodule module;
  CUDA_SAFE_CALL(cuModuleLoadDataEx(&module, image.data(), 0, 0, 0));

  bool ok = true;
  const char *lowered;
  NVRTC_SAFE_CALL(nvrtcGetLoweredName(prog, names[0].c_str(), &lowered));
  run<float>(module, lowered, "float", 150, &ok);
  NVRTC_SAFE_CALL(nvrtcGetLoweredName(prog, names[1].c_str(), &lowered));
  run<int>(module, lowered, "int", 90, &ok);

  NVRTC_SAFE_CALL(nvrtcDestroyProgram(&prog));
  CUDA_SAFE_CALL(cuModuleUnload(module));
  std::cout << (ok ? "PASS" : "FAIL") << std::endl;
  return ok ? 0 : 1;
}
