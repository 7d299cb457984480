// Kernel launches: arguments, limits, and the calls that start kernels.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "runtime.hpp"

namespace emu {
namespace {

struct Configuration {
  dim3 grid{1, 1, 1}, block{1, 1, 1};
  size_t lds = 0;
  hipStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

constexpr u32 kLdsLimit = 65536;

unsigned thread_count() {
  static const unsigned count = [] {
    const char* text = getenv("HIPIFY_EMULATOR_THREADS");
    const unsigned asked = text ? unsigned(atoi(text)) : 0;
    return asked ? asked : std::max(1u, std::thread::hardware_concurrency());
  }();
  return count;
}

u64 instruction_limit() {
  static const u64 limit = [] {
    const char* text = getenv("HIPIFY_EMULATOR_LIMIT");
    return text ? strtoull(text, nullptr, 10) : u64(0);
  }();
  return limit;
}

/// The segment that a kernel reads its arguments from, with the packet behind it. One a thread, since
/// launches run one after another.
struct Segment {
  static constexpr size_t kSize = 65536;
  u8* memory = static_cast<u8*>(arena_allocate(kSize, 4096));
  ~Segment() { arena_free(memory); }
};

template <class T>
void put(u8* at, T value) {
  memcpy(at, &value, sizeof value);
}

/// What device code of newer targets synchronises a grid with: a counter, and the number of
/// work-groups behind it.
u64 grid_sync_object(const LaunchRequest& r) {
  static const u64 object = [] {
    u8* p = static_cast<u8*>(arena_allocate(4096, 4096));
    memset(p, 0, 4096);
    return reinterpret_cast<u64>(p);
  }();
  const u32 counter = 0, groups = u32(r.grid.count());
  memcpy(reinterpret_cast<u8*>(object) + 32, &counter, 4);
  memcpy(reinterpret_cast<u8*>(object) + 40, &groups, 4);
  return object;
}

u64 device_heap();

void fill_hidden(const Argument& a, u8* at, const LaunchRequest& r) {
  const std::string& kind = a.kind;
  const u32 grid[3] = {r.grid.x, r.grid.y, r.grid.z}, block[3] = {r.block.x, r.block.y, r.block.z};
  const u32 axis = u32(kind.back() - 'x');
  if (kind.compare(0, 19, "hidden_block_count_") == 0) put(at, grid[axis]);
  else if (kind.compare(0, 18, "hidden_group_size_") == 0) put(at, u16(block[axis]));
  else if (kind == "hidden_grid_dims") put(at, u16(grid[2] * block[2] > 1 ? 3 : grid[1] * block[1] > 1 ? 2 : 1));
  else if (kind == "hidden_dynamic_lds_size") put(at, r.dynamic_lds);
  else if (kind == "hidden_hostcall_buffer") put(at, hostcall_buffer());
  else if (kind == "hidden_multigrid_sync_arg" && r.cooperative) put(at, grid_sync_object(r));
  else if (kind == "hidden_heap_v1") put(at, device_heap());
  else if (kind == "hidden_private_base") put(at, u32(kPrivateAperture >> 32));
  else if (kind == "hidden_shared_base") put(at, u32(kSharedAperture >> 32));
  // Others (offsets, remainders, queues) are zero.
}

/// Device-side malloc keeps its books here; zeroed memory is a heap without pages.
u64 device_heap() {
  static const u64 heap = [] {
    constexpr size_t kSize = 1 << 20;
    u8* p = static_cast<u8*>(arena_allocate(kSize, 1 << 21));
    memset(p, 0, kSize);
    return reinterpret_cast<u64>(p);
  }();
  return heap;
}

void fill_packet(u8* packet, const Launch& l, const LaunchRequest& r, u64 kernarg) {
  memset(packet, 0, 64);
  put(packet + 2, u16(3));
  put(packet + 4, u16(r.block.x));
  put(packet + 6, u16(r.block.y));
  put(packet + 8, u16(r.block.z));
  put(packet + 12, r.grid.x * r.block.x);
  put(packet + 16, r.grid.y * r.block.y);
  put(packet + 20, r.grid.z * r.block.z);
  put(packet + 24, r.kernel->private_size);
  put(packet + 28, l.lds);
  put(packet + 32, r.kernel->descriptor);
  put(packet + 40, kernarg);
}

}  // namespace

std::vector<u8> pack_arguments(const Kernel& kernel, void** arguments) {
  std::vector<u8> packed(kernel.kernarg_size);
  size_t k = 0;
  for (const Argument& a : kernel.arguments) {
    if (a.kind.compare(0, 7, "hidden_") == 0) continue;
    memcpy(packed.data() + a.offset, arguments[k++], a.size);
  }
  return packed;
}

hipError_t check_launch(const LaunchRequest& r) {
  if (!r.kernel) return hipErrorInvalidDeviceFunction;
  const u64 block = r.block.count();
  if (block == 0 || r.grid.count() == 0) return hipErrorInvalidConfiguration;
  if (block > 1024 || r.block.x > 1024 || r.block.y > 1024 || r.block.z > 1024)
    return hipErrorInvalidConfiguration;
  if (block > r.kernel->max_threads) {
    fprintf(stderr, "hipify emulator: %s: launch of %llu threads a block, compiled for %u "
            "(__launch_bounds__)\n", r.kernel->name.c_str(), (unsigned long long)block, r.kernel->max_threads);
    return hipErrorLaunchFailure;
  }
  if (r.grid.x > 0x7fffffffu || u64(r.grid.x) * r.block.x > 0xffffffffull) return hipErrorInvalidConfiguration;
  if (u64(r.kernel->group_size) + r.dynamic_lds > kLdsLimit) return hipErrorOutOfMemory;
  return hipSuccess;
}

hipError_t run_request(const LaunchRequest& r) {
  if (const hipError_t bad = sticky_error()) return bad;
  thread_local Segment segment;
  u8* const kernarg = segment.memory;
  const size_t packet_at = (r.kernel->kernarg_size + 319) / 64 * 64;
  if (packet_at + 64 > Segment::kSize) return hipErrorInvalidValue;
  memset(kernarg, 0, packet_at);
  memcpy(kernarg, r.arguments.data(), std::min<size_t>(r.arguments.size(), r.kernel->kernarg_size));
  for (const Argument& a : r.kernel->arguments)
    if (a.kind.compare(0, 7, "hidden_") == 0) fill_hidden(a, kernarg + a.offset, r);
  Launch l;
  l.kernel = r.kernel;
  l.grid = r.grid;
  l.block = r.block;
  l.lds = r.kernel->group_size + r.dynamic_lds;
  l.kernarg = reinterpret_cast<u64>(kernarg);
  l.packet = reinterpret_cast<u64>(kernarg + packet_at);
  l.cooperative = r.cooperative;
  l.limit = instruction_limit();
  fill_packet(kernarg + packet_at, l, r, l.kernarg);
  const int error = run_launch(l, thread_count());
  if (!error) return hipSuccess;
  fflush(stdout);
  fputs(last_fault().c_str(), stderr);
  set_sticky_error(hipError_t(error));
  return hipError_t(error);
}

namespace {

Dim to_dim(const dim3& d) { return {d.x, d.y, d.z}; }

hipError_t launch(LaunchRequest r, hipStream_t stream, std::shared_ptr<void> parameters = nullptr) {
  if (const hipError_t bad = check_launch(r)) return set_error(bad);
  auto shared = std::make_shared<LaunchRequest>(std::move(r));
  return set_error(submit(stream, hipGraphNodeTypeKernel, [shared] { return run_request(*shared); },
                          std::move(parameters)));
}

}  // namespace

hipError_t launch_registered(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds,
                             hipStream_t stream, bool cooperative) {
  if (const hipError_t bad = sticky_error()) return set_error(bad);
  LaunchRequest r;
  r.kernel = registered_kernel(function);
  EMU_REQUIRE(r.kernel, hipErrorInvalidDeviceFunction);
  r.grid = to_dim(grid);
  r.block = to_dim(block);
  r.dynamic_lds = u32(lds);
  r.cooperative = cooperative;
  r.arguments = pack_arguments(*r.kernel, arguments);
  return launch(std::move(r), stream);
}

hipError_t request_from_node(const hipKernelNodeParams& p, LaunchRequest& r) {
  r.kernel = registered_kernel(p.func);
  if (!r.kernel) return hipErrorInvalidDeviceFunction;
  r.grid = to_dim(p.gridDim);
  r.block = to_dim(p.blockDim);
  r.dynamic_lds = p.sharedMemBytes;
  if (p.kernelParams) r.arguments = pack_arguments(*r.kernel, p.kernelParams);
  return hipSuccess;
}

hipError_t launch_function(hipFunction_t f, Dim grid, Dim block, u32 lds, hipStream_t stream,
                           void** arguments, void** extra, bool cooperative) {
  if (const hipError_t bad = sticky_error()) return set_error(bad);
  EMU_REQUIRE(f, hipErrorInvalidResourceHandle);
  LaunchRequest r;
  r.kernel = reinterpret_cast<const Kernel*>(f);
  r.grid = grid;
  r.block = block;
  r.dynamic_lds = lds;
  r.cooperative = cooperative;
  if (arguments) {
    r.arguments = pack_arguments(*r.kernel, arguments);
  } else if (extra) {
    const u8* data = nullptr;
    size_t size = 0;
    for (int k = 0; extra[k] != HIP_LAUNCH_PARAM_END; k += 2) {
      if (extra[k] == HIP_LAUNCH_PARAM_BUFFER_POINTER) data = static_cast<const u8*>(extra[k + 1]);
      if (extra[k] == HIP_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<size_t*>(extra[k + 1]);
    }
    EMU_REQUIRE(data || size == 0, hipErrorInvalidValue);
    r.arguments.assign(data, data + size);
  }
  return launch(std::move(r), stream);
}

}  // namespace emu

using namespace emu;

extern "C" {

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  configurations.push_back({grid, block, lds, stream});
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, hipStream_t* stream) {
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *lds = c.lds;
  *stream = c.stream;
  return hipSuccess;
}

}  // extern "C"

hipError_t hipLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, size_t lds, hipStream_t stream) {
  return launch_registered(f, grid, block, args, lds, stream, false);
}

hipError_t hipExtLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, size_t lds,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  if (start) (void)hipEventRecord(start, stream);
  const hipError_t e = launch_registered(f, grid, block, args, lds, stream, false);
  if (stop) (void)hipEventRecord(stop, stream);
  return e;
}

hipError_t hipLaunchCooperativeKernel(const void* f, dim3 grid, dim3 block, void** args, unsigned lds,
                                      hipStream_t stream) {
  return launch_registered(f, grid, block, args, lds, stream, true);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned lds, hipStream_t stream, void** args,
                                 void** extra) {
  return launch_function(f, {gx, gy, gz}, {bx, by, bz}, lds, stream, args, extra, false);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz,
                                            unsigned bx, unsigned by, unsigned bz, unsigned lds,
                                            hipStream_t stream, void** args) {
  return launch_function(f, {gx, gy, gz}, {bx, by, bz}, lds, stream, args, nullptr, true);
}
