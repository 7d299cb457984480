// Arrays of the HIP API: pitched device memory with a channel format. Reading them through textures
// needs image instructions, which are not emulated; those calls are left out, so that they fail by name.
#include "runtime.hpp"

namespace emu {
namespace {

struct Array {
  void* memory;
  size_t pitch, rows, slices;
  hipChannelFormatDesc format;
  hipExtent extent;
  unsigned flags;
};

Array* array_of(hipArray_const_t a) { return reinterpret_cast<Array*>(const_cast<hipArray_t>(a)); }

size_t element_bytes(const hipChannelFormatDesc& d) { return size_t(d.x + d.y + d.z + d.w) / 8; }

u8* place(const Array& a, size_t x_bytes, size_t y) {
  return static_cast<u8*>(a.memory) + y * a.pitch + x_bytes;
}

bool holds(const Array& a, size_t x_bytes, size_t y, size_t width, size_t rows) {
  return x_bytes + width <= a.pitch && y + rows <= a.rows;
}

}  // namespace

/// The memory behind an array as a pitched pointer, for 3D copies.
hipPitchedPtr array_memory(hipArray_const_t array) {
  const Array& a = *array_of(array);
  return {a.memory, a.pitch, a.extent.width, a.rows};
}
size_t array_element(hipArray_const_t array) { return element_bytes(array_of(array)->format); }

}  // namespace emu

using namespace emu;

extern "C" hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}

hipError_t hipMalloc3DArray(hipArray_t* out, const hipChannelFormatDesc* d, hipExtent e, unsigned flags) {
  EMU_REQUIRE(out && d && e.width && element_bytes(*d), hipErrorInvalidValue);
  auto a = std::make_unique<Array>();
  a->format = *d;
  a->extent = e;
  a->flags = flags;
  a->rows = std::max<size_t>(e.height, 1);
  a->slices = std::max<size_t>(e.depth, 1);
  a->pitch = (e.width * element_bytes(*d) + 255) / 256 * 256;
  a->memory = arena_allocate(a->pitch * a->rows * a->slices, 4096);
  EMU_REQUIRE(a->memory, hipErrorOutOfMemory);
  *out = reinterpret_cast<hipArray_t>(a.release());
  return set_error(hipSuccess);
}
hipError_t hipMallocArray(hipArray_t* out, const hipChannelFormatDesc* d, size_t w, size_t h, unsigned flags) {
  return hipMalloc3DArray(out, d, {w, h, 0}, flags);
}
hipError_t hipFreeArray(hipArray_t array) {
  EMU_REQUIRE(array, hipErrorInvalidValue);
  arena_free(array_of(array)->memory);
  delete array_of(array);
  return set_error(hipSuccess);
}
hipError_t hipArrayDestroy(hipArray_t array) { return hipFreeArray(array); }
hipError_t hipArrayGetInfo(hipChannelFormatDesc* d, hipExtent* e, unsigned* flags, hipArray_t array) {
  EMU_REQUIRE(array, hipErrorInvalidHandle);
  if (d) *d = array_of(array)->format;
  if (e) *e = array_of(array)->extent;
  if (flags) *flags = array_of(array)->flags;
  return set_error(hipSuccess);
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t w,
                                   size_t h, hipMemcpyKind kind, hipStream_t s) {
  EMU_REQUIRE(to && holds(*array_of(to), x, y, w, h), hipErrorInvalidValue);
  return hipMemcpy2DAsync(place(*array_of(to), x, y), array_of(to)->pitch, from, pitch, w, h, kind, s);
}
hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t w,
                              size_t h, hipMemcpyKind kind) {
  return hipMemcpy2DToArrayAsync(to, x, y, from, pitch, w, h, kind, nullptr);
}
hipError_t hipMemcpy2DFromArrayAsync(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
                                     size_t w, size_t h, hipMemcpyKind kind, hipStream_t s) {
  EMU_REQUIRE(from && holds(*array_of(from), x, y, w, h), hipErrorInvalidValue);
  return hipMemcpy2DAsync(to, pitch, place(*array_of(from), x, y), array_of(from)->pitch, w, h, kind, s);
}
hipError_t hipMemcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t w,
                                size_t h, hipMemcpyKind kind) {
  return hipMemcpy2DFromArrayAsync(to, pitch, from, x, y, w, h, kind, nullptr);
}

/// `count` bytes row by row, as a plain copy would fill them.
hipError_t hipMemcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t count,
                            hipMemcpyKind kind) {
  EMU_REQUIRE(to, hipErrorInvalidValue);
  const Array& a = *array_of(to);
  const size_t row = a.extent.width * element_bytes(a.format);
  if (x + count <= row) return hipMemcpy2DToArray(to, x, y, from, count, count, 1, kind);
  EMU_REQUIRE(x == 0 && count % row == 0, hipErrorNotSupported);
  return hipMemcpy2DToArray(to, 0, y, from, row, row, count / row, kind);
}
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t count,
                              hipMemcpyKind kind) {
  EMU_REQUIRE(from, hipErrorInvalidValue);
  const Array& a = *array_of(from);
  const size_t row = a.extent.width * element_bytes(a.format);
  if (x + count <= row) return hipMemcpy2DFromArray(to, count, from, x, y, count, 1, kind);
  EMU_REQUIRE(x == 0 && count % row == 0, hipErrorNotSupported);
  return hipMemcpy2DFromArray(to, row, from, 0, y, row, count / row, kind);
}
