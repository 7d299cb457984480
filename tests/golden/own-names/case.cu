#include <cuda_runtime.h>

namespace app {
struct Device {
  int cudaSetDevice;
  void cudaFree(int) {}
};
int cudaMalloc(int size) { return size; }
enum class Mode { cudaSuccess, other };
}  // namespace app

int cudaHelperCount = 0;

int main() {
  app::Device device{};
  device.cudaSetDevice = app::cudaMalloc(4);
  (&device)->cudaFree(device.cudaSetDevice);
  cudaHelperCount += static_cast<int>(app::Mode::cudaSuccess);
  return cudaSetDevice(0) == cudaSuccess ? cudaHelperCount : 1;  // cudaSetDevice in a comment
}
