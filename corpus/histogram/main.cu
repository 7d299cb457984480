#include "cuda_runtime.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int kBins = 64;

void require(cudaError_t e) {
  if (e != cudaError_t::cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + ::cudaGetErrorString(e));
}

// A private histogram a block, merged with atomics at the end; minimum and maximum on the way.
__global__ void histogram(const std::uint8_t* data, int n, unsigned* bins, int* lo, int* hi) {
  __shared__ unsigned local[kBins];
  __shared__ int localLo, localHi;
  if (threadIdx.x == 0) {
    localLo = 255;
    localHi = 0;
  }
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0u;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[data[i] >> 2], 1u);
    atomicMin(&localLo, static_cast<int>(data[i]));
    atomicMax(&localHi, static_cast<int>(data[i]));
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (local[b]) atomicAdd(bins + b, local[b]);
  }
  if (threadIdx.x == 0) {
    atomicMin(lo, localLo);
    atomicMax(hi, localHi);
  }
}

}  // namespace

int main() try {
  const int n = 40000;
  std::vector<std::uint8_t> data(n);
  std::uint32_t x = 2463534242u;
  for (auto& d : data) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    d = static_cast<std::uint8_t>(((x & 255) + ((x >> 8) & 255)) / 2);  // a triangle, not flat
  }

  std::uint8_t* dData;
  unsigned* dBins;
  int* dRange;
  require(cudaMalloc(&dData, n));
  require(cudaMalloc(&dBins, kBins * sizeof(unsigned)));
  require(cudaMalloc(&dRange, 2 * sizeof(int)));
  require(cudaMemcpy(dData, data.data(), n, cudaMemcpyHostToDevice));
  require(cudaMemset(dBins, 0, kBins * sizeof(unsigned)));
  const int range[2] = {255, 0};
  require(cudaMemcpy(dRange, range, sizeof range, cudaMemcpyHostToDevice));

  histogram<<<12, 192>>>(dData, n, dBins, dRange, dRange + 1);
  require(cudaGetLastError());

  std::array<unsigned, kBins> got{}, want{};
  int gotRange[2], wantRange[2] = {255, 0};
  require(cudaMemcpy(got.data(), dBins, sizeof got, cudaMemcpyDeviceToHost));
  require(cudaMemcpy(gotRange, dRange, sizeof gotRange, cudaMemcpyDeviceToHost));
  for (auto d : data) {
    ++want[d >> 2];
    if (d < wantRange[0]) wantRange[0] = d;
    if (d > wantRange[1]) wantRange[1] = d;
  }
  for (int b = 0; b < kBins; b += 8) {
    for (int i = 0; i < 8; ++i) std::printf("%5u", got[b + i]);
    std::printf("\n");
  }
  std::printf("range %d..%d\n", gotRange[0], gotRange[1]);
  const bool ok = got == want && gotRange[0] == wantRange[0] && gotRange[1] == wantRange[1];
  std::printf("%s\n", ok ? "PASS" : "FAIL");
  require(cudaFree(dData));
  require(cudaFree(dBins));
  require(cudaFree(dRange));
  return ok ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
