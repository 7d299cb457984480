#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#include <cmath>
#include <iostream>
#include <memory>

// y = a * x + y with a grid-stride loop: few blocks, many elements.
__global__ void saxpy(size_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    y[i] = fmaf(a, x[i], y[i]);
  }
}

static void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    std::cerr << what << ": " << cudaGetErrorName(status) << " (" << cudaGetErrorString(status)
              << ")" << std::endl;
    std::exit(1);
  }
}

struct DeviceDelete {
  void operator()(float* p) const { cudaFree(p); }
};
using DeviceArray = std::unique_ptr<float[], DeviceDelete>;

static DeviceArray deviceCopy(const float* host, size_t n) {
  float* p = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof *p), "cudaMalloc");
  check(cudaMemcpy(p, host, n * sizeof *p, cudaMemcpyHostToDevice), "cudaMemcpy");
  return DeviceArray(p);
}

int main() {
  const size_t n = 1 << 14;
  const float a = 2.0f;
  auto x = std::make_unique<float[]>(n);
  auto y = std::make_unique<float[]>(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 101);
    y[i] = static_cast<float>(i % 17) - 8.0f;
  }

  DeviceArray d_x = deviceCopy(x.get(), n);
  DeviceArray d_y = deviceCopy(y.get(), n);
  dim3 grid(8), block(128);
  saxpy<<<grid, block>>>(n, a, d_x.get(), d_y.get());
  check(cudaPeekAtLastError(), "launch");

  auto result = std::make_unique<float[]>(n);
  check(cudaMemcpy(result.get(), d_y.get(), n * sizeof(float), cudaMemcpyDeviceToHost), "copy back");

  long long sum = 0;
  int wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    wrong += std::fabs(result[i] - (a * x[i] + y[i])) > 1e-6f;
    sum += static_cast<long long>(result[i]);
  }
  std::cout << "saxpy: n=" << n << " wrong=" << wrong << " sum=" << sum << '\n'
            << (wrong ? "FAIL" : "PASS") << std::endl;
  return wrong ? 1 : 0;
}
