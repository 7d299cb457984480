// Contexts, memory pools, registered host memory and other calls that the emulator needs little state for.
#include <sys/mman.h>

#include "runtime.hpp"

using namespace emu;

namespace {

// One device has one context and one pool; these stand for them.
int the_context, the_pool;
hipCtx_t context() { return reinterpret_cast<hipCtx_t>(&the_context); }
hipMemPool_t pool() { return reinterpret_cast<hipMemPool_t>(&the_pool); }

}  // namespace

hipError_t hipCtxCreate(hipCtx_t* c, unsigned, hipDevice_t) {
  EMU_REQUIRE(c, hipErrorInvalidValue);
  *c = context();
  return set_error(hipSuccess);
}
hipError_t hipCtxDestroy(hipCtx_t) { return set_error(hipSuccess); }
hipError_t hipCtxPopCurrent(hipCtx_t* c) {
  if (c) *c = context();
  return set_error(hipSuccess);
}
hipError_t hipCtxPushCurrent(hipCtx_t) { return set_error(hipSuccess); }
hipError_t hipCtxSetCurrent(hipCtx_t) { return set_error(hipSuccess); }
hipError_t hipCtxGetCurrent(hipCtx_t* c) {
  EMU_REQUIRE(c, hipErrorInvalidValue);
  *c = context();
  return set_error(hipSuccess);
}
hipError_t hipCtxGetDevice(hipDevice_t* d) {
  EMU_REQUIRE(d, hipErrorInvalidValue);
  *d = 0;
  return set_error(hipSuccess);
}
hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* c, hipDevice_t) { return hipCtxGetCurrent(c); }
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t) { return set_error(hipSuccess); }
hipError_t hipDevicePrimaryCtxReset(hipDevice_t) { return set_error(hipSuccess); }
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t, unsigned* flags, int* active) {
  if (flags) *flags = 0;
  if (active) *active = 1;
  return set_error(hipSuccess);
}

hipError_t hipProfilerStart() { return set_error(hipSuccess); }
hipError_t hipProfilerStop() { return set_error(hipSuccess); }
hipError_t hipGetDeviceFlags(unsigned* flags) {
  EMU_REQUIRE(flags, hipErrorInvalidValue);
  *flags = 0;
  return set_error(hipSuccess);
}

// ---------------------------------------------------------------- pools

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* p, int) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  *p = pool();
  return set_error(hipSuccess);
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* p, int device) { return hipDeviceGetDefaultMemPool(p, device); }
hipError_t hipDeviceSetMemPool(int, hipMemPool_t) { return set_error(hipSuccess); }
hipError_t hipMemPoolCreate(hipMemPool_t* p, const hipMemPoolProps*) { return hipDeviceGetDefaultMemPool(p, 0); }
hipError_t hipMemPoolDestroy(hipMemPool_t) { return set_error(hipSuccess); }
hipError_t hipMemPoolTrimTo(hipMemPool_t, size_t) { return set_error(hipSuccess); }
hipError_t hipMemPoolSetAttribute(hipMemPool_t, hipMemPoolAttr, void* value) {
  EMU_REQUIRE(value, hipErrorInvalidValue);
  return set_error(hipSuccess);
}
hipError_t hipMallocFromPoolAsync(void** p, size_t size, hipMemPool_t, hipStream_t s) {
  return hipMallocAsync(p, size, s);
}

// ---------------------------------------------------------------- memory operations of streams

hipError_t hipStreamWriteValue32(hipStream_t s, void* p, uint32_t value, unsigned) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  return set_error(submit(s, hipGraphNodeTypeMemset, [=] { return copy_bytes(p, &value, 4); }));
}
hipError_t hipStreamWriteValue64(hipStream_t s, void* p, uint64_t value, unsigned) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  return set_error(submit(s, hipGraphNodeTypeMemset, [=] { return copy_bytes(p, &value, 8); }));
}
hipError_t hipStreamAttachMemAsync(hipStream_t, void*, size_t, unsigned) { return set_error(hipSuccess); }

// ---------------------------------------------------------------- registered host memory

hipError_t hipHostRegister(void* p, size_t size, unsigned) {
  EMU_REQUIRE(p && size, hipErrorInvalidValue);
  return set_error(register_host(p, size) ? hipSuccess : hipErrorHostMemoryAlreadyRegistered);
}
hipError_t hipHostUnregister(void* p) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  return set_error(unregister_host(p) ? hipSuccess : hipErrorHostMemoryNotRegistered);
}
