// Adds up how long each kernel ran on the GPU. The CUDA driver loads this library into a program whose
// CUDA_INJECTION64_PATH names it. When the program ends, the file that HIPIFY_KERNEL_TIMES names gets a line
// for each kernel: nanoseconds, number of launches, name; separated by tabs.

#include <cuda.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 Kernel;
#else
typedef CUpti_ActivityKernel9 Kernel;
#endif

namespace {

struct Sum {
  unsigned long long nanoseconds = 0, launches = 0;
};

std::mutex lock;
std::map<std::string, Sum> &sums() {
  static auto *all = new std::map<std::string, Sum>;  // must outlive every other object
  return *all;
}

constexpr size_t buffer_size = 4 << 20;

void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *records) {
  *buffer = static_cast<uint8_t *>(aligned_alloc(8, buffer_size));
  *size = *buffer == nullptr ? 0 : buffer_size;
  *records = 0;
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  CUpti_Activity *record = nullptr;
  std::lock_guard<std::mutex> guard(lock);
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const Kernel *kernel = reinterpret_cast<const Kernel *>(record);
    Sum &sum = sums()[kernel->name];
    sum.nanoseconds += kernel->end - kernel->start;
    ++sum.launches;
  }
  free(buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *path = getenv("HIPIFY_KERNEL_TIMES");
  FILE *file = path == nullptr ? nullptr : fopen(path, "w");
  if (file == nullptr) return;
  std::lock_guard<std::mutex> guard(lock);
  for (const auto &each : sums()) {
    fprintf(file, "%llu\t%llu\t%s\n", each.second.nanoseconds, each.second.launches, each.first.c_str());
  }
  fclose(file);
}

}  // namespace

extern "C" int InitializeInjection() {
  if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS) return 0;
  if (cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) return 0;
  atexit(finish);
  return 1;
}
