// Memory of the HIP API: allocation, copies, fills, symbols, pitched and registered memory.
#include <cstdlib>
#include <functional>
#include <set>

#include "runtime.hpp"

namespace emu {

bool is_device_memory(const void* p) {
  return reinterpret_cast<u64>(p) - kArenaBase < kArenaSize;
}

namespace {

// Pinned and managed memory lies in device memory too, so that kernels can reach it; these say which.
struct Kinds {
  std::mutex lock;
  std::map<u64, hipMemoryType> by_start;
  std::map<u64, unsigned> host_flags;
  std::map<u64, std::pair<size_t, unsigned>> registered;
};
Kinds& kinds() {
  static Kinds* k = new Kinds;
  return *k;
}

constexpr u64 kTotalMemory = u64(64) << 30;

hipError_t allocate(void** p, size_t size, hipMemoryType type, unsigned flags = 0) {
  if (!p) return hipErrorInvalidValue;
  if (size == 0) {
    *p = nullptr;
    return hipSuccess;
  }
  if (size > kTotalMemory) return hipErrorOutOfMemory;
  *p = arena_allocate(size, 4096);
  if (!*p) return hipErrorOutOfMemory;
  const std::lock_guard<std::mutex> guard(kinds().lock);
  kinds().by_start[reinterpret_cast<u64>(*p)] = type;
  if (type == hipMemoryTypeHost) kinds().host_flags[reinterpret_cast<u64>(*p)] = flags;
  return hipSuccess;
}

hipError_t release(void* p) {
  if (!p) return hipSuccess;
  const std::lock_guard<std::mutex> guard(kinds().lock);
  if (!kinds().by_start.erase(reinterpret_cast<u64>(p))) return hipErrorInvalidValue;
  kinds().host_flags.erase(reinterpret_cast<u64>(p));
  return arena_free(p) ? hipSuccess : hipErrorInvalidValue;
}

/// Whether `bytes` from p on lie within one allocation; host memory is taken on trust.
bool within_allocation(const void* p, size_t bytes) {
  if (!is_device_memory(p)) return true;
  u64 start, size;
  const u64 address = reinterpret_cast<u64>(p);
  return arena_find(address, start, size) && bytes <= start + size - address;
}

bool direction_known(hipMemcpyKind kind) { return unsigned(kind) <= 4 || unsigned(kind) == 1024; }

hipError_t check_copy(const void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  if (bytes == 0) return hipSuccess;
  if (!direction_known(kind)) return hipErrorInvalidMemcpyDirection;
  if (!to || !from) return hipErrorInvalidValue;
  return within_allocation(to, bytes) && within_allocation(from, bytes) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t copy(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  if (const hipError_t bad = sticky_error()) return bad;
  if (const hipError_t bad = check_copy(to, from, bytes, kind)) return bad;
  return submit(stream, hipGraphNodeTypeMemcpy, [=] { return copy_bytes(to, from, bytes); });
}

struct Box {  // rows of `width` bytes, `rows` of them, in `slices` slices
  void* to;
  const void* from;
  size_t to_pitch, from_pitch, to_slice, from_slice, width, rows, slices;
};

hipError_t copy_box(const Box& b) {
  for (size_t z = 0; z < b.slices; z++)
    for (size_t y = 0; y < b.rows; y++)
      memmove(static_cast<u8*>(b.to) + z * b.to_slice + y * b.to_pitch,
              static_cast<const u8*>(b.from) + z * b.from_slice + y * b.from_pitch, b.width);
  return hipSuccess;
}

hipError_t copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows,
                   hipMemcpyKind kind, hipStream_t stream) {
  if (const hipError_t bad = sticky_error()) return bad;
  if (!direction_known(kind)) return hipErrorInvalidMemcpyDirection;
  if (width == 0 || rows == 0) return hipSuccess;
  if (!to || !from) return hipErrorInvalidValue;
  if (to_pitch < width || from_pitch < width) return hipErrorInvalidPitchValue;
  if (!within_allocation(to, (rows - 1) * to_pitch + width) ||
      !within_allocation(from, (rows - 1) * from_pitch + width))
    return hipErrorInvalidValue;
  const Box b{to, from, to_pitch, from_pitch, 0, 0, width, rows, 1};
  return submit(stream, hipGraphNodeTypeMemcpy, [=] { return copy_box(b); });
}

/// The box that 3D copy parameters describe; arrays are pitched memory too.
hipError_t box_of(const hipMemcpy3DParms* p, Box& b) {
  if (!p) return hipErrorInvalidValue;
  const hipPitchedPtr from = p->srcArray ? array_memory(p->srcArray) : p->srcPtr;
  const hipPitchedPtr to = p->dstArray ? array_memory(p->dstArray) : p->dstPtr;
  if (!from.ptr || !to.ptr) return hipErrorInvalidValue;
  // Widths and positions count elements where an array takes part, and bytes elsewhere.
  const hipArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
  const size_t unit = array ? array_element(array) : 1;
  const auto start = [](const hipPitchedPtr& at, const hipPos& pos, size_t x_unit) {
    return static_cast<u8*>(at.ptr) + (pos.z * at.ysize + pos.y) * at.pitch + pos.x * x_unit;
  };
  b = {start(to, p->dstPos, p->dstArray ? unit : 1), start(from, p->srcPos, p->srcArray ? unit : 1),
       to.pitch, from.pitch, to.pitch * to.ysize, from.pitch * from.ysize, p->extent.width * unit,
       p->extent.height, p->extent.depth};
  return hipSuccess;
}

hipError_t copy_3d(const hipMemcpy3DParms* p, hipStream_t stream) {
  if (const hipError_t bad = sticky_error()) return bad;
  Box b;
  if (const hipError_t bad = box_of(p, b)) return bad;
  return submit(stream, hipGraphNodeTypeMemcpy, [=] { return copy_box(b); });
}

template <class T>
hipError_t fill(void* to, T value, size_t count, hipStream_t stream) {
  if (const hipError_t bad = sticky_error()) return bad;
  if (count == 0) return hipSuccess;
  if (!to || !within_allocation(to, count * sizeof(T))) return hipErrorInvalidValue;
  return submit(stream, hipGraphNodeTypeMemset, [=] {
    for (size_t k = 0; k < count; k++) memcpy(static_cast<u8*>(to) + k * sizeof(T), &value, sizeof(T));
    return hipSuccess;
  });
}

hipError_t fill_2d(void* to, size_t pitch, int value, size_t width, size_t rows, hipStream_t stream) {
  if (const hipError_t bad = sticky_error()) return bad;
  if (width == 0 || rows == 0) return hipSuccess;
  if (!to || pitch < width || !within_allocation(to, (rows - 1) * pitch + width)) return hipErrorInvalidValue;
  return submit(stream, hipGraphNodeTypeMemset, [=] {
    for (size_t y = 0; y < rows; y++) memset(static_cast<u8*>(to) + y * pitch, value, width);
    return hipSuccess;
  });
}

hipError_t symbol_place(const void* symbol, size_t bytes, size_t offset, u8*& place) {
  Symbol s;
  if (!registered_symbol(symbol, s)) return hipErrorInvalidSymbol;
  if (offset > s.size || bytes > s.size - offset) return hipErrorInvalidValue;
  place = reinterpret_cast<u8*>(s.address + offset);
  return hipSuccess;
}

hipError_t to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind,
                     hipStream_t stream) {
  u8* place;
  if (const hipError_t bad = symbol_place(symbol, bytes, offset, place)) return bad;
  return copy(place, from, bytes, kind, stream);
}

hipError_t from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                       hipStream_t stream) {
  u8* place;
  if (const hipError_t bad = symbol_place(symbol, bytes, offset, place)) return bad;
  return copy(to, place, bytes, kind, stream);
}

}  // namespace

hipError_t copy_3d_now(const hipMemcpy3DParms& p) {
  Box b;
  if (const hipError_t bad = box_of(&p, b)) return bad;
  return copy_box(b);
}

hipError_t fill_box_now(const hipMemsetParams& p) {
  for (size_t y = 0; y < std::max<size_t>(p.height, 1); y++)
    for (size_t x = 0; x < p.width; x++)
      memcpy(static_cast<u8*>(p.dst) + y * p.pitch + x * p.elementSize, &p.value, p.elementSize);
  return hipSuccess;
}

hipError_t symbol_address(const void* symbol, size_t bytes, size_t offset, void*& place) {
  u8* at = nullptr;
  const hipError_t error = symbol_place(symbol, bytes, offset, at);
  place = at;
  return error;
}

bool register_host(void* p, size_t size) {
  const std::lock_guard<std::mutex> guard(kinds().lock);
  return kinds().registered.insert({reinterpret_cast<u64>(p), {size, 0u}}).second;
}
bool unregister_host(void* p) {
  const std::lock_guard<std::mutex> guard(kinds().lock);
  return kinds().registered.erase(reinterpret_cast<u64>(p)) != 0;
}
bool is_registered_host(u64 address, u64 bytes) {
  const std::lock_guard<std::mutex> guard(kinds().lock);
  auto it = kinds().registered.upper_bound(address);
  if (it == kinds().registered.begin()) return false;
  --it;
  return address + bytes <= it->first + it->second.first;
}

hipError_t copy_bytes(void* to, const void* from, size_t bytes) {
  memmove(to, from, bytes);
  return hipSuccess;
}

}  // namespace emu

using namespace emu;

hipError_t hipMalloc(void** p, size_t size) { return set_error(allocate(p, size, hipMemoryTypeDevice)); }
hipError_t hipExtMallocWithFlags(void** p, size_t size, unsigned) { return hipMalloc(p, size); }
hipError_t hipMallocAsync(void** p, size_t size, hipStream_t) { return hipMalloc(p, size); }
hipError_t hipFree(void* p) { return set_error(release(p)); }
hipError_t hipFreeAsync(void* p, hipStream_t) { return hipFree(p); }
hipError_t hipMallocManaged(void** p, size_t size, unsigned) {
  return set_error(allocate(p, size, hipMemoryTypeManaged));
}
hipError_t hipHostMalloc(void** p, size_t size, unsigned flags) {
  return set_error(allocate(p, size, hipMemoryTypeHost, flags));
}
hipError_t hipHostAlloc(void** p, size_t size, unsigned flags) { return hipHostMalloc(p, size, flags); }
hipError_t hipMallocHost(void** p, size_t size) { return hipHostMalloc(p, size, 0); }
hipError_t hipMemAllocHost(void** p, size_t size) { return hipHostMalloc(p, size, 0); }
hipError_t hipHostFree(void* p) { return hipFree(p); }
hipError_t hipFreeHost(void* p) { return hipFree(p); }

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned) {
  EMU_REQUIRE(device && host, hipErrorInvalidValue);
  EMU_REQUIRE(is_device_memory(host) || is_registered_host(reinterpret_cast<u64>(host), 1), hipErrorInvalidValue);
  *device = host;
  return set_error(hipSuccess);
}

hipError_t hipHostGetFlags(unsigned* flags, void* host) {
  EMU_REQUIRE(flags, hipErrorInvalidValue);
  const std::lock_guard<std::mutex> guard(kinds().lock);
  const auto found = kinds().host_flags.find(reinterpret_cast<u64>(host));
  EMU_REQUIRE(found != kinds().host_flags.end(), hipErrorInvalidValue);
  *flags = found->second;
  return set_error(hipSuccess);
}

hipError_t hipMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  EMU_REQUIRE(p && pitch, hipErrorInvalidValue);
  *pitch = (width + 255) / 256 * 256;
  return set_error(allocate(p, *pitch * height, hipMemoryTypeDevice));
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* p, size_t* pitch, size_t width, size_t height, unsigned) {
  return hipMallocPitch(reinterpret_cast<void**>(p), pitch, width, height);
}
hipError_t hipMalloc3D(hipPitchedPtr* p, hipExtent extent) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  p->pitch = (extent.width + 255) / 256 * 256;
  p->xsize = extent.width;
  p->ysize = extent.height;
  return set_error(allocate(&p->ptr, p->pitch * extent.height * extent.depth, hipMemoryTypeDevice));
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  if (free) *free = kTotalMemory - arena_used();
  if (total) *total = kTotalMemory;
  return set_error(hipSuccess);
}
hipError_t hipMemPtrGetInfo(void* p, size_t* size) {
  u64 start, bytes;
  EMU_REQUIRE(size && arena_find(reinterpret_cast<u64>(p), start, bytes), hipErrorInvalidValue);
  *size = bytes;
  return set_error(hipSuccess);
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t p) {
  u64 start, bytes;
  EMU_REQUIRE(arena_find(reinterpret_cast<u64>(p), start, bytes), hipErrorNotFound);
  if (base) *base = reinterpret_cast<hipDeviceptr_t>(start);
  if (size) *size = bytes;
  return set_error(hipSuccess);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* p) {
  EMU_REQUIRE(attributes && p, hipErrorInvalidValue);
  memset(attributes, 0, sizeof *attributes);
  u64 start, bytes;
  if (!arena_find(reinterpret_cast<u64>(p), start, bytes)) {
    attributes->type = hipMemoryTypeUnregistered;
    return set_error(hipSuccess);
  }
  const std::lock_guard<std::mutex> guard(kinds().lock);
  const auto found = kinds().by_start.find(start);
  attributes->type = found == kinds().by_start.end() ? hipMemoryTypeDevice : found->second;
  attributes->isManaged = attributes->type == hipMemoryTypeManaged;
  attributes->devicePointer = const_cast<void*>(p);
  if (attributes->type != hipMemoryTypeDevice) attributes->hostPointer = const_cast<void*>(p);
  if (attributes->type == hipMemoryTypeHost) attributes->allocationFlags = kinds().host_flags[start];
  return set_error(hipSuccess);
}

hipError_t hipMemcpy(void* to, const void* from, size_t n, hipMemcpyKind kind) {
  return set_error(copy(to, from, n, kind, nullptr));
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t n, hipMemcpyKind kind, hipStream_t s) {
  return set_error(copy(to, from, n, kind, s));
}
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t n, hipMemcpyKind kind, hipStream_t s) {
  return hipMemcpyAsync(to, from, n, kind, s);
}
#if HIP_VERSION >= 70000000
using HostSource = const void*;
#else
using HostSource = void*;
#endif
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, HostSource from, size_t n) {
  return set_error(copy(to, from, n, hipMemcpyHostToDevice, nullptr));
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t n) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToHost, nullptr));
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t n) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToDevice, nullptr));
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, HostSource from, size_t n, hipStream_t s) {
  return set_error(copy(to, from, n, hipMemcpyHostToDevice, s));
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t n, hipStream_t s) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToHost, s));
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t n, hipStream_t s) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToDevice, s));
}
hipError_t hipMemcpyPeer(void* to, int, const void* from, int, size_t n) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToDevice, nullptr));
}
hipError_t hipMemcpyPeerAsync(void* to, int, const void* from, int, size_t n, hipStream_t s) {
  return set_error(copy(to, from, n, hipMemcpyDeviceToDevice, s));
}
hipError_t hipMemcpy2D(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h, hipMemcpyKind k) {
  return set_error(copy_2d(to, tp, from, fp, w, h, k, nullptr));
}
hipError_t hipMemcpy2DAsync(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                            hipMemcpyKind k, hipStream_t s) {
  return set_error(copy_2d(to, tp, from, fp, w, h, k, s));
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) { return set_error(copy_3d(p, nullptr)); }
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t s) { return set_error(copy_3d(p, s)); }

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t n, size_t offset, hipMemcpyKind k) {
  return set_error(to_symbol(symbol, from, n, offset, k, nullptr));
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t n, size_t offset,
                                  hipMemcpyKind k, hipStream_t s) {
  return set_error(to_symbol(symbol, from, n, offset, k, s));
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t n, size_t offset, hipMemcpyKind k) {
  return set_error(from_symbol(to, symbol, n, offset, k, nullptr));
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t n, size_t offset, hipMemcpyKind k,
                                    hipStream_t s) {
  return set_error(from_symbol(to, symbol, n, offset, k, s));
}

hipError_t hipMemset(void* to, int v, size_t n) { return set_error(fill<u8>(to, u8(v), n, nullptr)); }
hipError_t hipMemsetAsync(void* to, int v, size_t n, hipStream_t s) {
  return set_error(fill<u8>(to, u8(v), n, s));
}
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char v, size_t n) {
  return set_error(fill<u8>(to, v, n, nullptr));
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char v, size_t n, hipStream_t s) {
  return set_error(fill<u8>(to, v, n, s));
}
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short v, size_t n) {
  return set_error(fill<u16>(to, v, n, nullptr));
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short v, size_t n, hipStream_t s) {
  return set_error(fill<u16>(to, v, n, s));
}
hipError_t hipMemsetD32(hipDeviceptr_t to, int v, size_t n) {
  return set_error(fill<u32>(to, u32(v), n, nullptr));
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int v, size_t n, hipStream_t s) {
  return set_error(fill<u32>(to, u32(v), n, s));
}
hipError_t hipMemset2D(void* to, size_t pitch, int v, size_t w, size_t h) {
  return set_error(fill_2d(to, pitch, v, w, h, nullptr));
}
hipError_t hipMemset2DAsync(void* to, size_t pitch, int v, size_t w, size_t h, hipStream_t s) {
  return set_error(fill_2d(to, pitch, v, w, h, s));
}
hipError_t hipMemset3D(hipPitchedPtr p, int v, hipExtent e) {
  for (size_t z = 0; z < e.depth; z++)
    if (const hipError_t bad =
            fill_2d(static_cast<u8*>(p.ptr) + z * p.pitch * p.ysize, p.pitch, v, e.width, e.height, nullptr))
      return set_error(bad);
  return set_error(hipSuccess);
}

hipError_t hipMemAdvise(const void*, size_t, hipMemoryAdvise, int) { return set_error(hipSuccess); }
hipError_t hipMemPrefetchAsync(const void*, size_t, int, hipStream_t) { return set_error(hipSuccess); }
