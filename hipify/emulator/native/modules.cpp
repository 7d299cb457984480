// Code objects of a program: fat binaries, modules, and the registry of kernels and variables.
#include <dlfcn.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "runtime.hpp"

extern char** environ;

namespace emu {
namespace {

#ifndef HIPIFY_EMULATOR_PYTHON
#define HIPIFY_EMULATOR_PYTHON "python3"
#endif
#ifndef HIPIFY_EMULATOR_LISTINGS
#define HIPIFY_EMULATOR_LISTINGS "/tmp"
#endif

std::string setting(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value && *value ? value : otherwise;
}

/// 128 bits of FNV-1a with two bases: names the cached listing of a code object.
std::string content_key(const std::string& image) {
  u64 h[2] = {0xcbf29ce484222325ull, 0x84222325cbf29ce4ull};
  for (const char c : image)
    for (u32 k = 0; k < 2; k++) h[k] = (h[k] ^ u8(c)) * (k ? 0x100000001b5ull : 0x100000001b3ull);
  char text[40];
  snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
  return text;
}

bool read_file(const std::string& path, std::string& text) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::ostringstream all;
  all << in.rdbuf();
  text = all.str();
  return true;
}

bool run_translator(const std::string& code_object, const std::string& listing) {
  const std::string python = setting("HIPIFY_EMULATOR_PYTHON", HIPIFY_EMULATOR_PYTHON);
  const char* arguments[] = {python.c_str(), "-m", "hipify.emulator.translate",
                             code_object.c_str(), listing.c_str(), nullptr};
  std::vector<char*> variables = environment_of_others();
  pid_t child;
  if (posix_spawnp(&child, python.c_str(), nullptr, nullptr, const_cast<char**>(arguments),
                   variables.data())) {
    fprintf(stderr, "hipify emulator: cannot start %s; set HIPIFY_EMULATOR_PYTHON\n", python.c_str());
    return false;
  }
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The decoded listing, from the cache or freshly made.
bool listing_of(const std::string& image, std::string& listing) {
  const std::string folder = setting("HIPIFY_EMULATOR_LISTINGS", HIPIFY_EMULATOR_LISTINGS);
  const std::string path = folder + "/" + content_key(image) + ".lst";
  if (read_file(path, listing)) return true;
  std::string temporary = folder + "/codeXXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) {
    fprintf(stderr, "hipify emulator: cannot write to %s\n", folder.c_str());
    return false;
  }
  const bool written = write(file, image.data(), image.size()) == ssize_t(image.size());
  close(file);
  const bool made = written && run_translator(temporary, path);
  unlink(temporary.c_str());
  return made && read_file(path, listing);
}

constexpr char kBundle[] = "__CLANG_OFFLOAD_BUNDLE__";

u64 number(const char* at) {
  u64 x;
  memcpy(&x, at, 8);
  return x;
}

u64 elf_size(const char* p) {  // to the end of the section headers, which come last
  const u64 start = number(p + 40);
  u16 size, count;
  memcpy(&size, p + 58, 2);
  memcpy(&count, p + 60, 2);
  return start + u64(size) * count;
}

/// Whether a bundle entry ("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-") is for an architecture.
bool is_for(const std::string& id, const std::string& arch) {
  if (id.compare(0, 3, "hip") != 0) return false;
  const size_t at = id.rfind("--");
  if (at == std::string::npos) return false;
  const std::string target = id.substr(at + 2);
  return target.substr(0, target.find(':')) == arch;
}

struct Entry {
  std::string id;
  const char* data;
  u64 size;
};

std::vector<Entry> entries(const char* bundle) {
  std::vector<Entry> found;
  const u64 count = number(bundle + 24);
  const char* p = bundle + 32;
  for (u64 k = 0; k < count; k++) {
    const u64 offset = number(p), size = number(p + 8), length = number(p + 16);
    found.push_back({std::string(p + 24, length), bundle + offset, size});
    p += 24 + length;
  }
  return found;
}

std::string choose_architecture(const char* bundle) {
  for (const Entry& e : entries(bundle)) {
    if (e.size == 0 || e.id.compare(0, 3, "hip") != 0) continue;
    const std::string target = e.id.substr(e.id.rfind("--") + 2);
    return target.substr(0, target.find(':'));
  }
  return "";
}

std::string& chosen() {
  static std::string* arch = new std::string(setting("HIPIFY_EMULATOR_ARCH", ""));
  return *arch;
}

}  // namespace

std::vector<char*> environment_of_others() {
  std::vector<char*> variables;
  for (char** e = environ; *e; e++)
    if (strncmp(*e, "LD_PRELOAD=", 11) != 0) variables.push_back(*e);
  variables.push_back(nullptr);
  return variables;
}

const std::string& architecture() {
  static const std::string fallback = "gfx90a";
  return chosen().empty() ? fallback : chosen();
}

unsigned wave_size() { return architecture().compare(0, 4, "gfx9") == 0 ? 64 : 32; }

std::unique_ptr<Module> module_from_image(const void* image) {
  const char* p = static_cast<const char*>(image);
  if (memcmp(p, "\177ELF", 4) == 0) return std::make_unique<Module>(std::string(p, elf_size(p)));
  if (memcmp(p, kBundle, 24) != 0) {
    fputs("hipify emulator: unknown kind of code object (compressed bundles are not supported)\n", stderr);
    return nullptr;
  }
  if (chosen().empty()) chosen() = choose_architecture(p);
  for (const Entry& e : entries(p))
    if (e.size && is_for(e.id, architecture()))
      return std::make_unique<Module>(std::string(e.data, e.size));
  return nullptr;
}

Program* Module::program() {
  const std::lock_guard<std::mutex> guard(lock_);
  if (program_ || failed_) return program_.get();
  std::string listing;
  failed_ = !listing_of(image_, listing);
  if (failed_) return nullptr;
  try {
    program_ = load_program(image_.data(), image_.size(), listing);
  } catch (const LoadError& e) {
    fprintf(stderr, "hipify emulator: %s\n", e.text.c_str());
    failed_ = true;
  }
  return program_.get();
}

const Kernel* Module::kernel(const std::string& name) {
  Program* p = program();
  if (!p) return nullptr;
  const auto found = p->kernels.find(name);
  return found == p->kernels.end() ? nullptr : &found->second;
}

bool Module::symbol(const std::string& name, Symbol& found) {
  Program* p = program();
  if (!p) return false;
  const auto it = p->symbols.find(name);
  if (it == p->symbols.end()) return false;
  found = it->second;
  return true;
}

// ---------------------------------------------------------------- registration

namespace {

struct FatBinary {
  std::unique_ptr<Module> module;  // null when nothing in it is for this architecture
};

struct HostName {
  FatBinary* binary;
  std::string name;
};

struct Managed {
  FatBinary* binary;
  std::string name;
  void* memory;
  bool bound = false;
};

struct Registry {
  std::mutex lock;
  std::map<const void*, HostName> functions, variables;
  std::vector<Managed> managed;
};

Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

/// Device code reaches a managed variable through a pointer of the same name.
void bind_managed() {
  for (Managed& m : registry().managed) {
    Symbol s;
    if (m.bound || !m.binary->module || !m.binary->module->symbol(m.name, s)) continue;
    memcpy(reinterpret_cast<void*>(s.address), &m.memory, sizeof m.memory);
    m.bound = true;
  }
}

}  // namespace

const Kernel* registered_kernel(const void* host_function) {
  Registry& r = registry();
  const std::lock_guard<std::mutex> guard(r.lock);
  const auto found = r.functions.find(host_function);
  if (found == r.functions.end() || !found->second.binary->module) return nullptr;
  const Kernel* k = found->second.binary->module->kernel(found->second.name);
  bind_managed();
  return k;
}

bool registered_symbol(const void* host_symbol, Symbol& symbol) {
  Registry& r = registry();
  const std::lock_guard<std::mutex> guard(r.lock);
  const auto found = r.variables.find(host_symbol);
  return found != r.variables.end() && found->second.binary->module &&
         found->second.binary->module->symbol(found->second.name, symbol);
}

}  // namespace emu

using namespace emu;

extern "C" {

void** __hipRegisterFatBinary(const void* data) {
  struct Wrapper {
    u32 magic, version;
    const void* binary;
    void* unused;
  };
  const Wrapper* w = static_cast<const Wrapper*>(data);
  if (w->magic != 0x48495046) {
    fputs("hipify emulator: not a HIP fat binary\n", stderr);
    abort();
  }
  return reinterpret_cast<void**>(new FatBinary{module_from_image(w->binary)});
}

void __hipUnregisterFatBinary(void**) {}  // the process is ending; kernels may still be asked for

void __hipRegisterFunction(void** handle, const void* host, char*, const char* name, unsigned, void*,
                           void*, void*, void*, int*) {
  Registry& r = registry();
  const std::lock_guard<std::mutex> guard(r.lock);
  r.functions[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

void __hipRegisterVar(void** handle, void* host, char*, char* name, int, size_t, int, int) {
  Registry& r = registry();
  const std::lock_guard<std::mutex> guard(r.lock);
  r.variables[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

void __hipRegisterManagedVar(void* handle, void** pointer, void* initial, const char* name, size_t size,
                             unsigned align) {
  Registry& r = registry();
  const std::lock_guard<std::mutex> guard(r.lock);
  void* memory = arena_allocate(size, align);
  memcpy(memory, initial, size);
  *pointer = memory;
  r.variables[pointer] = {static_cast<FatBinary*>(handle), name};
  r.managed.push_back({static_cast<FatBinary*>(handle), name, memory});
}

}  // extern "C"

// ---------------------------------------------------------------- modules

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  EMU_REQUIRE(module && image, hipErrorInvalidValue);
  std::unique_ptr<Module> m = module_from_image(image);
  EMU_REQUIRE(m, hipErrorNoBinaryForGpu);
  EMU_REQUIRE(m->program(), hipErrorInvalidImage);
  *module = reinterpret_cast<hipModule_t>(m.release());
  return set_error(hipSuccess);
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleLoad(hipModule_t* module, const char* name) {
  EMU_REQUIRE(module && name, hipErrorInvalidValue);
  std::string image;
  EMU_REQUIRE(read_file(name, image), hipErrorFileNotFound);
  image.resize(image.size() + 64);  // headers are read before lengths are known
  return hipModuleLoadData(module, image.data());
}

hipError_t hipModuleUnload(hipModule_t module) {
  EMU_REQUIRE(module, hipErrorInvalidHandle);
  delete reinterpret_cast<Module*>(module);
  return set_error(hipSuccess);
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  EMU_REQUIRE(function && name, hipErrorInvalidValue);
  EMU_REQUIRE(module, hipErrorInvalidHandle);
  const Kernel* k = reinterpret_cast<Module*>(module)->kernel(name);
  EMU_REQUIRE(k, hipErrorNotFound);
  *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(k));
  return set_error(hipSuccess);
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name) {
  EMU_REQUIRE(name && module, hipErrorInvalidValue);
  Symbol s;
  EMU_REQUIRE(reinterpret_cast<Module*>(module)->symbol(name, s), hipErrorNotFound);
  if (address) *address = reinterpret_cast<hipDeviceptr_t>(s.address);
  if (bytes) *bytes = s.size;
  return set_error(hipSuccess);
}

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  Symbol s;
  EMU_REQUIRE(address, hipErrorInvalidValue);
  EMU_REQUIRE(registered_symbol(symbol, s), hipErrorInvalidSymbol);
  *address = reinterpret_cast<void*>(s.address);
  return set_error(hipSuccess);
}

hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  Symbol s;
  EMU_REQUIRE(size, hipErrorInvalidValue);
  EMU_REQUIRE(registered_symbol(symbol, s), hipErrorInvalidSymbol);
  *size = s.size;
  return set_error(hipSuccess);
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
  EMU_REQUIRE(function, hipErrorInvalidValue);
  const Kernel* k = registered_kernel(symbol);
  EMU_REQUIRE(k, hipErrorInvalidDeviceFunction);
  *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(k));
  return set_error(hipSuccess);
}
