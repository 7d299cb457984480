// Records what a program does to the GPU's memory: launches, copies and fills, one after the other, and after
// each one what has changed in which buffer. The CUDA driver loads this library into a program whose
// CUDA_INJECTION64_PATH names it. The file that HIPIFY_TRACE names gets a line for each call, with tabs between:
//
//   name   what it was asked for   status   changed buffers (number:bytes:checksum)   return addresses
//
// Buffers are numbered in the order of their allocation and start zeroed, so that two runs can be compared.
// Return addresses are offsets into the program's file.

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Buffer {
  unsigned number;
  size_t bytes;
  unsigned long long checksum;
};

constexpr size_t largest_watched = 256u << 20;

std::recursive_mutex lock;
FILE *output = nullptr;
thread_local bool busy = false;  // calls of our own are none of the program's
thread_local int in_runtime = 0;
unsigned allocated = 0;

// Never destroyed: programs call the driver until their very end.
std::map<void *, Buffer> &buffers() {
  static auto *all = new std::map<void *, Buffer>;
  return *all;
}

unsigned long long checksum(const void *data, size_t bytes) {
  unsigned long long sum = 14695981039346656037ull, word;
  const char *at = static_cast<const char *>(data);
  for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
    memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * 1099511628211ull;
    sum ^= sum >> 29;
  }
  for (; bytes > 0; ++at, --bytes) sum = (sum ^ static_cast<unsigned char>(*at)) * 1099511628211ull;
  return sum;
}

void allocate(void *pointer, size_t bytes) {
  if (pointer == nullptr) return;
  cudaMemset(pointer, 0, bytes);
  buffers()[pointer] = Buffer{allocated++, bytes, 0};
}

std::string changes() {
  if (cudaDeviceSynchronize() != cudaSuccess) return "lost";
  std::string text;
  static auto *copy = new std::vector<char>;
  size_t watched = 0;
  for (auto &each : buffers()) {
    Buffer &buffer = each.second;
    if ((watched += buffer.bytes) > largest_watched) break;
    copy->resize(buffer.bytes);
    if (cudaMemcpy(copy->data(), each.first, buffer.bytes, cudaMemcpyDeviceToHost) != cudaSuccess) continue;
    const unsigned long long now = checksum(copy->data(), buffer.bytes);
    if (now == buffer.checksum) continue;
    buffer.checksum = now;
    char part[80];
    snprintf(part, sizeof part, "%u:%zu:%016llx ", buffer.number, buffer.bytes, now);
    text += part;
  }
  return text;
}

std::string frames() {
  static const std::string program = [] {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return std::string(path, length > 0 ? length : 0);
  }();
  void *addresses[48];
  const int count = backtrace(addresses, 48);
  std::string text;
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (dladdr(addresses[i], &info) == 0 || info.dli_fname == nullptr) continue;
    char real[4096];
    if (realpath(info.dli_fname, real) == nullptr || program != real) continue;
    char part[32];
    // the call lies before the address to return to
    snprintf(part, sizeof part, "%zx ", static_cast<char *>(addresses[i]) - static_cast<char *>(info.dli_fbase) - 1);
    text += part;
  }
  return text;
}

void record(const char *name, const std::string &detail, int status, bool captured) {
  const std::string changed = captured ? "captured" : changes();
  fprintf(output, "%s\t%s\t%d\t%s\t%s\n", name, detail.c_str(), status, changed.c_str(), frames().c_str());
  fflush(output);
}

std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
std::string text(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

bool capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

std::string copied(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) {
    cudaPointerAttributes target = {};
    const bool known = cudaPointerGetAttributes(&target, to) == cudaSuccess;
    kind = known && target.type == cudaMemoryTypeDevice ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  }
  if (kind == cudaMemcpyDeviceToHost) return text("to host, %zu bytes, %016llx", bytes, checksum(to, bytes));
  if (kind == cudaMemcpyHostToDevice) return text("to device, %zu bytes, %016llx", bytes, checksum(from, bytes));
  return text("%d, %zu bytes", static_cast<int>(kind), bytes);
}

std::string launched(const char *kernel, dim3 grid, dim3 block, size_t shared) {
  return text("%s grid %u %u %u block %u %u %u shared %zu", kernel == nullptr ? "?" : kernel, grid.x, grid.y, grid.z,
              block.x, block.y, block.z, shared);
}

void runtime_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
  const int status = *static_cast<cudaError_t *>(data->functionReturnValue);
  const void *given = data->functionParams;
  switch (id) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020: {
      auto *p = static_cast<const cudaMalloc_v3020_params *>(given);
      if (status == cudaSuccess) allocate(*p->devPtr, p->size);
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000: {
      auto *p = static_cast<const cudaMallocManaged_v6000_params *>(given);
      if (status == cudaSuccess) allocate(*p->devPtr, p->size);
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000: {
      auto *p = static_cast<const cudaLaunchKernel_v7000_params *>(given);
      const std::string what = launched(data->symbolName, p->gridDim, p->blockDim, p->sharedMem);
      record("launch", what, status, capturing(p->stream));
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020: {
      auto *p = static_cast<const cudaMemcpy_v3020_params *>(given);
      record("copy", copied(p->dst, p->src, p->count, p->kind), status, false);
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020: {
      auto *p = static_cast<const cudaMemcpyAsync_v3020_params *>(given);
      const bool captured = capturing(p->stream);
      if (!captured) cudaStreamSynchronize(p->stream);
      record("copy", captured ? text("%zu bytes", p->count) : copied(p->dst, p->src, p->count, p->kind), status,
             captured);
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020: {
      auto *p = static_cast<const cudaMemcpyToSymbol_v3020_params *>(given);
      record("copy to symbol", text("%zu bytes at %zu, %016llx", p->count, p->offset, checksum(p->src, p->count)), status,
             false);
      break;
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020: {
      auto *p = static_cast<const cudaMemset_v3020_params *>(given);
      record("fill", text("%zu bytes with %d", p->count, p->value), status, false);
      break;
    }
    default:
      break;
  }
}

void driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
  const int status = *static_cast<CUresult *>(data->functionReturnValue);
  const void *given = data->functionParams;
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2: {
      auto *p = static_cast<const cuMemAlloc_v2_params *>(given);
      if (status == CUDA_SUCCESS) allocate(reinterpret_cast<void *>(*p->dptr), p->bytesize);
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel: {
      auto *p = static_cast<const cuLaunchKernel_params *>(given);
      const dim3 grid(p->gridDimX, p->gridDimY, p->gridDimZ), block(p->blockDimX, p->blockDimY, p->blockDimZ);
      record("launch", launched(data->symbolName, grid, block, p->sharedMemBytes), status, capturing(p->hStream));
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2: {
      auto *p = static_cast<const cuMemcpyHtoD_v2_params *>(given);
      record("copy", copied(nullptr, p->srcHost, p->ByteCount, cudaMemcpyHostToDevice), status, false);
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2: {
      auto *p = static_cast<const cuMemcpyDtoH_v2_params *>(given);
      record("copy", copied(p->dstHost, nullptr, p->ByteCount, cudaMemcpyDeviceToHost), status, false);
      break;
    }
    default:
      break;
  }
}

void CUPTIAPI on_call(void *, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *payload) {
  if (busy) return;
  const CUpti_CallbackData *data = static_cast<const CUpti_CallbackData *>(payload);
  const bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API, enters = data->callbackSite == CUPTI_API_ENTER;
  if (runtime) in_runtime += enters ? 1 : -1;
  if (!runtime && in_runtime > 0) return;  // the runtime's own use of the driver
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (enters) {  // what is freed must be forgotten before another thread gets the same address
    if (runtime && id == CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020) {
      buffers().erase(static_cast<const cudaFree_v3020_params *>(data->functionParams)->devPtr);
    } else if (!runtime && id == CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2) {
      buffers().erase(reinterpret_cast<void *>(static_cast<const cuMemFree_v2_params *>(data->functionParams)->dptr));
    }
    return;
  }
  busy = true;
  (runtime ? runtime_call : driver_call)(id, data);
  busy = false;
}

}  // namespace

extern "C" int InitializeInjection() {
  const char *path = getenv("HIPIFY_TRACE");
  output = path == nullptr ? nullptr : fopen(path, "w");
  CUpti_SubscriberHandle subscriber;
  if (output == nullptr || cuptiSubscribe(&subscriber, on_call, nullptr) != CUPTI_SUCCESS) return 0;
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  return 1;
}
