#include <hip/hip_runtime.h>

namespace app {
int cudaMalloc(int size) { return size; }
int twice(int size) { return 2 * cudaMalloc(size); }
}  // namespace app

struct Pool {
  int used = 0;
  void cudaFree(int size) { used -= size; }
  void clear() { cudaFree(used); }
};

template <typename Api>
int reset(Api api) {
  auto cudaDeviceReset = [&] { return api(); };
  return cudaDeviceReset();
}

int main() {
  using app::cudaMalloc;
  Pool pool{cudaMalloc(4)};
  pool.clear();
  void* memory = nullptr;
  ::hipMalloc(&memory, 16);
  return reset([&] { return hipFree(memory) == hipSuccess ? pool.used : 1; });
}
