// Devices, errors, occupancy and function attributes of the HIP API.
#include <cstdio>
#include <cstdlib>

#include "runtime.hpp"

namespace emu {
namespace {

thread_local hipError_t last_error = hipSuccess;
thread_local int current_device = 0;
std::atomic<int> sticky{0};

struct ErrorText {
  hipError_t code;
  const char *name, *text;
};
#define EMU_ERROR(CODE, TEXT) {CODE, #CODE, TEXT}
constexpr ErrorText kErrors[] = {
    EMU_ERROR(hipSuccess, "no error"),
    EMU_ERROR(hipErrorInvalidValue, "invalid argument"),
    EMU_ERROR(hipErrorOutOfMemory, "out of memory"),
    EMU_ERROR(hipErrorNotInitialized, "initialization error"),
    EMU_ERROR(hipErrorDeinitialized, "driver shutting down"),
    EMU_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    EMU_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    EMU_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    EMU_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    EMU_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    EMU_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    EMU_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    EMU_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    EMU_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    EMU_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    EMU_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    EMU_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    EMU_ERROR(hipErrorInvalidContext, "invalid device context"),
    EMU_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    EMU_ERROR(hipErrorInvalidSource, "invalid source"),
    EMU_ERROR(hipErrorFileNotFound, "file not found"),
    EMU_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    EMU_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    EMU_ERROR(hipErrorNotFound, "named symbol not found"),
    EMU_ERROR(hipErrorNotReady, "device not ready"),
    EMU_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    EMU_ERROR(hipErrorLaunchOutOfResources, "out of resources required for launch"),
    EMU_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    EMU_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    EMU_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    EMU_ERROR(hipErrorAssert, "device-side assert triggered"),
    EMU_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    EMU_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    EMU_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    EMU_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    EMU_ERROR(hipErrorNotSupported, "operation not supported"),
    EMU_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    EMU_ERROR(hipErrorStreamCaptureInvalidated,
              "operation failed due to a previous error during capture"),
    EMU_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    EMU_ERROR(hipErrorStreamCaptureIsolation,
              "dependency created on uncaptured work in another stream"),
    EMU_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    EMU_ERROR(hipErrorGraphExecUpdateFailure,
              "the graph update was not performed because it included changes which violated "
              "constraints specific to instantiated graph update"),
    EMU_ERROR(hipErrorUnknown, "unknown error"),
};
#undef EMU_ERROR

/// What differs between the emulated architectures, as their manuals and data sheets give it.
struct Traits {
  const char *arch, *name;
  int units, clock_khz, memory_khz, bus, l2;
};
constexpr Traits kTraits[] = {
    {"gfx90a", "AMD Instinct MI250X (emulated)", 110, 1700000, 1600000, 4096, 8 << 20},
    {"gfx942", "AMD Instinct MI300X (emulated)", 304, 2100000, 1300000, 8192, 4 << 20},
    {"gfx950", "AMD Instinct MI350X (emulated)", 256, 2200000, 2000000, 8192, 4 << 20},
    {"gfx1030", "AMD Radeon RX 6800 XT (emulated)", 36, 2250000, 1000000, 256, 4 << 20},
    {"gfx1100", "AMD Radeon RX 7900 XTX (emulated)", 48, 2500000, 1250000, 384, 6 << 20},
    {"gfx1201", "AMD Radeon RX 9070 XT (emulated)", 32, 2970000, 1250000, 256, 8 << 20},
};

const Traits& traits() {
  for (const Traits& t : kTraits)
    if (architecture() == t.arch) return t;
  static const std::string name = architecture() + " (emulated)";
  static const Traits other = {architecture().c_str(), name.c_str(), 64, 2000000, 1000000, 256, 4 << 20};
  return other;
}

int threads_per_unit() { return wave_size() == 64 ? 2048 : 2048; }

void fill_properties(hipDeviceProp_t* p) {
  const Traits& t = traits();
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", t.name);
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", architecture().c_str());
  size_t unused;
  (void)hipMemGetInfo(&unused, &p->totalGlobalMem);
  p->sharedMemPerBlock = p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = 65536;
  p->maxSharedMemoryPerMultiProcessor = 65536;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = int(wave_size());
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = threads_per_unit();
  p->maxBlocksPerMultiProcessor = threads_per_unit() / int(wave_size());
  for (int k = 0; k < 3; k++) p->maxThreadsDim[k] = 1024;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65536;
  p->clockRate = t.clock_khz;
  p->memoryClockRate = t.memory_khz;
  p->memoryBusWidth = t.bus;
  p->totalConstMem = 2147483647;
  p->multiProcessorCount = t.units;
  p->l2CacheSize = t.l2;
  const int version = std::atoi(architecture().c_str() + 3);
  p->major = architecture().size() == 6 ? 9 : version / 100;
  p->minor = architecture().size() == 6 ? 0 : version / 10 % 10;
  p->concurrentKernels = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
  p->concurrentManagedAccess = p->cooperativeLaunch = p->memPitch = 1;
  p->memPitch = 2147483647;
  p->textureAlignment = 256;
  p->texturePitchAlignment = 256;
  p->maxTexture1D = p->maxTexture2D[0] = p->maxTexture2D[1] = 16384;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
  p->asyncEngineCount = 1;
  p->isLargeBar = 1;
  p->pciBusID = 1;
  hipDeviceArch_t& a = p->arch;
  a.hasGlobalInt32Atomics = a.hasGlobalFloatAtomicExch = a.hasSharedInt32Atomics = 1;
  a.hasSharedFloatAtomicExch = a.hasFloatAtomicAdd = a.hasGlobalInt64Atomics = 1;
  a.hasSharedInt64Atomics = a.hasDoubles = a.hasWarpVote = a.hasWarpBallot = a.hasWarpShuffle = 1;
  a.hasThreadFenceSystem = a.hasSyncThreadsExt = a.has3dGrid = 1;
}

/// Work-groups that fit a compute unit: limited by waves, LDS and registers.
int resident_groups(const Kernel& k, int block, size_t dynamic_lds) {
  const int waves = (block + int(wave_size()) - 1) / int(wave_size());
  int groups = threads_per_unit() / int(wave_size()) / std::max(waves, 1);
  const u64 lds = k.group_size + dynamic_lds;
  if (lds > 65536) return 0;
  if (lds) groups = std::min(groups, int(65536 / lds));
  if (k.vgprs) {
    const int file = wave_size() == 64 ? 512 : 1536, simds = 4;
    const int per_simd = std::max(1, file / std::max(int(k.vgprs), 1));
    groups = std::min(groups, std::max(per_simd * simds / std::max(waves, 1), int(waves <= simds * per_simd)));
  }
  return groups;
}

}  // namespace

hipError_t set_error(hipError_t error) {
  if (error != hipSuccess && error != hipErrorNotReady) last_error = error;
  return error;
}
hipError_t sticky_error() { return hipError_t(sticky.load()); }
void set_sticky_error(hipError_t error) { sticky = error; }

hipError_t launch_attributes(const Kernel* k, hipFuncAttributes* a) {
  if (!k) return hipErrorInvalidDeviceFunction;
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes = k->group_size;
  a->localSizeBytes = k->private_size;
  a->numRegs = int(k->vgprs);
  a->maxThreadsPerBlock = int(k->max_threads);
  a->maxDynamicSharedSizeBytes = int(65536 - k->group_size);
  a->binaryVersion = a->ptxVersion = 90;
  return hipSuccess;
}

}  // namespace emu

using namespace emu;

hipError_t hipInit(unsigned) { return set_error(hipSuccess); }
hipError_t hipDriverGetVersion(int* v) {
  EMU_REQUIRE(v, hipErrorInvalidValue);
  *v = HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH;
  return set_error(hipSuccess);
}
hipError_t hipRuntimeGetVersion(int* v) { return hipDriverGetVersion(v); }

hipError_t hipGetLastError() {
  const hipError_t e = last_error;
  last_error = sticky_error();
  return e;
}
hipError_t hipExtGetLastError() { return hipGetLastError(); }
hipError_t hipPeekAtLastError() { return last_error; }

const char* hipGetErrorName(hipError_t error) {
  for (const auto& e : kErrors)
    if (e.code == error) return e.name;
  return "hipErrorUnknown";
}
const char* hipGetErrorString(hipError_t error) {
  for (const auto& e : kErrors)
    if (e.code == error) return e.text;
  return "unknown error";
}
hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  *text = hipGetErrorName(error);
  return hipSuccess;
}
hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  *text = hipGetErrorString(error);
  return hipSuccess;
}

hipError_t hipGetDeviceCount(int* count) {
  EMU_REQUIRE(count, hipErrorInvalidValue);
  *count = 1;
  return set_error(hipSuccess);
}
hipError_t hipSetDevice(int device) {
  EMU_REQUIRE(device == 0, hipErrorInvalidDevice);
  current_device = device;
  return set_error(hipSuccess);
}
hipError_t hipGetDevice(int* device) {
  EMU_REQUIRE(device, hipErrorInvalidValue);
  *device = current_device;
  return set_error(hipSuccess);
}
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  EMU_REQUIRE(device, hipErrorInvalidValue);
  EMU_REQUIRE(ordinal == 0, hipErrorInvalidDevice);
  *device = 0;
  return set_error(hipSuccess);
}
hipError_t hipDeviceGetName(char* name, int length, hipDevice_t) {
  snprintf(name, size_t(length), "%s", traits().name);
  return set_error(hipSuccess);
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t) {
  hipDeviceProp_t p;
  fill_properties(&p);
  *major = p.major;
  *minor = p.minor;
  return set_error(hipSuccess);
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t) {
  size_t unused;
  return hipMemGetInfo(&unused, bytes);
}
hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  EMU_REQUIRE(id && length > 0, hipErrorInvalidValue);
  EMU_REQUIRE(device == 0, hipErrorInvalidDevice);
  snprintf(id, size_t(length), "0000:01:00.0");
  return set_error(hipSuccess);
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int device) {
  EMU_REQUIRE(p, hipErrorInvalidValue);
  EMU_REQUIRE(device == 0, hipErrorInvalidDevice);
  fill_properties(p);
  return set_error(hipSuccess);
}

hipError_t hipChooseDevice(int* device, const hipDeviceProp_t*) {
  *device = 0;
  return set_error(hipSuccess);
}

hipError_t hipDeviceGetAttribute(int* v, hipDeviceAttribute_t a, int device) {
  EMU_REQUIRE(v, hipErrorInvalidValue);
  EMU_REQUIRE(device == 0, hipErrorInvalidDevice);
  hipDeviceProp_t p;
  fill_properties(&p);
  switch (a) {
    case hipDeviceAttributeWarpSize: *v = p.warpSize; break;
    case hipDeviceAttributeMultiprocessorCount: *v = p.multiProcessorCount; break;
    case hipDeviceAttributeMaxThreadsPerBlock: *v = p.maxThreadsPerBlock; break;
    case hipDeviceAttributeMaxBlockDimX: *v = p.maxThreadsDim[0]; break;
    case hipDeviceAttributeMaxBlockDimY: *v = p.maxThreadsDim[1]; break;
    case hipDeviceAttributeMaxBlockDimZ: *v = p.maxThreadsDim[2]; break;
    case hipDeviceAttributeMaxGridDimX: *v = p.maxGridSize[0]; break;
    case hipDeviceAttributeMaxGridDimY: *v = p.maxGridSize[1]; break;
    case hipDeviceAttributeMaxGridDimZ: *v = p.maxGridSize[2]; break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: *v = int(p.sharedMemPerBlock); break;
    case hipDeviceAttributeSharedMemPerBlockOptin: *v = int(p.sharedMemPerBlockOptin); break;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: *v = int(p.sharedMemPerMultiprocessor); break;
    case hipDeviceAttributeTotalConstantMemory: *v = int(p.totalConstMem); break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: *v = p.maxThreadsPerMultiProcessor; break;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor: *v = p.maxBlocksPerMultiProcessor; break;
    case hipDeviceAttributeMaxRegistersPerBlock: *v = p.regsPerBlock; break;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor: *v = p.regsPerMultiprocessor; break;
    case hipDeviceAttributeClockRate: *v = p.clockRate; break;
    case hipDeviceAttributeWallClockRate: *v = 100000; break;
    case hipDeviceAttributeMemoryClockRate: *v = p.memoryClockRate; break;
    case hipDeviceAttributeMemoryBusWidth: *v = p.memoryBusWidth; break;
    case hipDeviceAttributeL2CacheSize: *v = p.l2CacheSize; break;
    case hipDeviceAttributeComputeCapabilityMajor: *v = p.major; break;
    case hipDeviceAttributeComputeCapabilityMinor: *v = p.minor; break;
    case hipDeviceAttributeConcurrentKernels: case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeManagedMemory: case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeCanMapHostMemory: case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeHostRegisterSupported: case hipDeviceAttributeAsyncEngineCount:
    case hipDeviceAttributeStreamPrioritiesSupported: case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributePciBusId: case hipDeviceAttributeIsLargeBar: *v = 1; break;
    case hipDeviceAttributePciDeviceId: case hipDeviceAttributePciDomainID:
    case hipDeviceAttributeIntegrated: case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeComputeMode: case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributeCooperativeMultiDeviceLaunch: case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributeImageSupport: *v = 0; break;
    case hipDeviceAttributeTextureAlignment: *v = int(p.textureAlignment); break;
    case hipDeviceAttributeMaxPitch: *v = int(p.memPitch); break;
    default:
      fprintf(stderr, "hipify emulator: device attribute %d is not modelled\n", int(a));
      return set_error(hipErrorInvalidValue);
  }
  return set_error(hipSuccess);
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  EMU_REQUIRE(can, hipErrorInvalidValue);
  EMU_REQUIRE(device == 0 && peer == 0, hipErrorInvalidDevice);
  *can = 0;
  return set_error(hipSuccess);
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned) { return set_error(hipErrorInvalidDevice); }
hipError_t hipDeviceDisablePeerAccess(int) { return set_error(hipErrorPeerAccessNotEnabled); }

hipError_t hipDeviceSynchronize() { return set_error(sticky_error()); }
hipError_t hipDeviceReset() { return set_error(hipSuccess); }
hipError_t hipSetDeviceFlags(unsigned) { return set_error(hipSuccess); }
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return set_error(hipSuccess); }
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) { return set_error(hipSuccess); }
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return set_error(hipSuccess); }
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) { return set_error(hipSuccess); }
hipError_t hipFuncSetAttribute(const void* f, hipFuncAttribute, int) {
  EMU_REQUIRE(registered_kernel(f), hipErrorInvalidDeviceFunction);
  return set_error(hipSuccess);
}

hipError_t hipDeviceGetLimit(size_t* v, hipLimit_t limit) {
  EMU_REQUIRE(v, hipErrorInvalidValue);
  switch (limit) {
    case hipLimitStackSize: *v = 1024; break;
    case hipLimitMallocHeapSize: *v = 8 << 20; break;
    case hipLimitPrintfFifoSize: *v = 1 << 20; break;
    default: return set_error(hipErrorUnsupportedLimit);
  }
  return set_error(hipSuccess);
}
hipError_t hipDeviceSetLimit(hipLimit_t, size_t) { return set_error(hipSuccess); }
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 1;
  if (greatest) *greatest = -1;
  return set_error(hipSuccess);
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* a, const void* f) {
  EMU_REQUIRE(a, hipErrorInvalidValue);
  return set_error(emu::launch_attributes(registered_kernel(f), a));
}

hipError_t hipFuncGetAttribute(int* v, hipFunction_attribute what, hipFunction_t f) {
  EMU_REQUIRE(v && f, hipErrorInvalidValue);
  hipFuncAttributes a;
  (void)emu::launch_attributes(reinterpret_cast<const Kernel*>(f), &a);
  switch (what) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *v = a.maxThreadsPerBlock; break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *v = int(a.sharedSizeBytes); break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *v = int(a.localSizeBytes); break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS: *v = a.numRegs; break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *v = a.maxDynamicSharedSizeBytes; break;
    default: *v = 0; break;
  }
  return set_error(hipSuccess);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int block, size_t lds) {
  EMU_REQUIRE(blocks && block > 0, hipErrorInvalidValue);
  const Kernel* k = registered_kernel(f);
  EMU_REQUIRE(k, hipErrorInvalidDeviceFunction);
  *blocks = resident_groups(*k, block, lds);
  return set_error(hipSuccess);
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int block,
                                                                 size_t lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block, lds);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t f, int block,
                                                              size_t lds) {
  EMU_REQUIRE(blocks && f && block > 0, hipErrorInvalidValue);
  *blocks = resident_groups(*reinterpret_cast<const Kernel*>(f), block, lds);
  return set_error(hipSuccess);
}

namespace {
void best_block(const Kernel& k, size_t lds, int limit, int* grid, int* block) {
  const int top = std::min(limit > 0 ? limit : 1024, int(k.max_threads));
  int best = 0;
  for (int b = top / int(wave_size()) * int(wave_size()); b > 0; b -= int(wave_size())) {
    const int threads = resident_groups(k, b, lds) * b;
    if (threads > best) {
      best = threads;
      *block = b;
      *grid = resident_groups(k, b, lds) * traits().units;
    }
  }
}
}  // namespace

hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* f, size_t lds, int limit) {
  EMU_REQUIRE(grid && block, hipErrorInvalidValue);
  const Kernel* k = registered_kernel(f);
  EMU_REQUIRE(k, hipErrorInvalidDeviceFunction);
  best_block(*k, lds, limit, grid, block);
  return set_error(hipSuccess);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t f, size_t lds,
                                                   int limit) {
  EMU_REQUIRE(grid && block && f, hipErrorInvalidValue);
  best_block(*reinterpret_cast<const Kernel*>(f), lds, limit, grid, block);
  return set_error(hipSuccess);
}
