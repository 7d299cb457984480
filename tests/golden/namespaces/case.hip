#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

namespace blocks = hipcub;

template <int Threads>
__global__ void sum(const int* in, int* out) {
  typedef ::hipcub::BlockReduce<int, Threads> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int total = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = total;
}

int main() {
  using namespace hipcub;
  size_t bytes = 0;
  hipcub::DeviceReduce::Sum(nullptr, bytes, static_cast<int*>(nullptr), static_cast<int*>(nullptr), 0);
  return static_cast<int>(bytes);
}
