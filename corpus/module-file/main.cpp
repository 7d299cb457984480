// A host program (no device code here) that loads kernels.fatbin and runs a one-dimensional automaton.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %s\n", what, text ? text : "unknown error");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "kernels.fatbin";
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction seed, rule;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxPushCurrent(context), "cuCtxPushCurrent");
  check(cuModuleLoad(&module, path), path);
  check(cuModuleGetFunction(&seed, module, "seed"), "seed");
  check(cuModuleGetFunction(&rule, module, "rule"), "rule");

  int n = 63, number = 30;
  const int generations = 16;
  CUdeviceptr cells[2];
  for (auto& c : cells) check(cuMemAlloc(&c, n), "cuMemAlloc");
  void* seedArgs[] = {&cells[0], &n};
  check(cuLaunchKernel(seed, 1, 1, 1, 64, 1, 1, 0, nullptr, seedArgs, nullptr), "seed");

  std::vector<unsigned char> want(n, 0), got(n);
  want[n / 2] = 1;
  bool ok = true;
  for (int g = 0; g < generations; ++g) {
    check(cuMemcpyDtoH(got.data(), cells[g % 2], n), "cuMemcpyDtoH");
    ok = ok && got == want;
    std::string line;
    for (auto c : got) line += c ? '#' : '.';
    std::printf("%s\n", line.c_str());

    void* args[] = {&cells[g % 2], &cells[(g + 1) % 2], &n, &number};
    check(cuLaunchKernel(rule, (n + 31) / 32, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr), "rule");
    std::vector<unsigned char> next(n);
    for (int i = 0; i < n; ++i) {
      const int left = i > 0 ? want[i - 1] : 0, right = i + 1 < n ? want[i + 1] : 0;
      next[i] = number >> (4 * left + 2 * want[i] + right) & 1;
    }
    want.swap(next);
  }

  CUdeviceptr counter;
  size_t bytes;
  int generation = -1;
  check(cuModuleGetGlobal(&counter, &bytes, module, "generation"), "cuModuleGetGlobal");
  check(cuMemcpyDtoH(&generation, counter, sizeof generation), "cuMemcpyDtoH");
  ok = ok && generation == generations && bytes == sizeof(int);
  std::printf("generation %d\n%s\n", generation, ok ? "PASS" : "FAIL");

  for (auto c : cells) check(cuMemFree(c), "cuMemFree");
  check(cuModuleUnload(module), "cuModuleUnload");
  check(cuCtxPopCurrent(&context), "cuCtxPopCurrent");
  check(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  return ok ? 0 : 1;
}
