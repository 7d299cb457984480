#include <cub/cub.cuh>

namespace blocks = cub;

template <int Threads>
__global__ void sum(const int* in, int* out) {
  typedef ::cub::BlockReduce<int, Threads> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int total = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = total;
}

int main() {
  using namespace cub;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, static_cast<int*>(nullptr), static_cast<int*>(nullptr), 0);
  return static_cast<int>(bytes);
}
