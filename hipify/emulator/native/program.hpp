// A loaded code object, and the work-groups that run it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core.hpp"

namespace emu {

/// Where lanes of source 0 come from (data parallel primitives), or which parts of registers an
/// instruction reads and writes (sub-dword access).
struct LaneAccess {
  bool dpp = false;
  u8 lane[64];        // source lane of each lane; 255: none
  u64 write = ~u64(0);  // lanes that the row and bank masks leave on
  bool bound = false;   // lanes without a source read 0 instead of being left alone
  bool fetch_inactive = false;
  // Sub-dword access: selectors 0-3 a byte, 4-5 a word, 6 the whole register.
  u8 source[2] = {6, 6};
  bool extend[2] = {false, false};
  u8 result = 6;
  u8 unused = 2;  // other result bits: 0 zeros, 1 sign, 2 as they were
};

struct Argument {
  u32 offset = 0, size = 0;
  std::string kind;
};

struct Kernel {
  std::string name, descriptor_symbol;
  const Program* program = nullptr;
  u32 kernarg_size = 0, group_size = 0, private_size = 0, vgprs = 0, sgprs = 0;
  u32 max_threads = 1024;
  bool dynamic_stack = false;
  std::vector<Argument> arguments;  // explicit ones first, then hidden ones
  u64 entry = 0;                    // address of the first instruction
  u64 descriptor = 0;               // address
  u32 rsrc1 = 0, rsrc2 = 0, rsrc3 = 0, properties = 0, preload = 0;
};

/// Traits of an architecture that change how its instructions behave.
struct Target {
  std::string name;       // gfx90a
  int major = 9;
  bool packed_ids = true;      // work-item ids share one register
  bool flat_scratch = false;   // private memory without a buffer descriptor
  bool fnuz = false;           // 8-bit floats without infinities and negative zero
};

struct Symbol {
  u64 address = 0, size = 0;
};

struct SourceLine {
  u64 pc;
  u32 file, line;
};

struct Program {
  Target target;
  u64 base = 0, size = 0;  // the loaded image
  std::vector<Insn> code;
  std::vector<u64> pcs;              // address of each instruction
  std::vector<std::string> texts;    // assembly, for messages
  std::vector<u32> at;               // (address - text start) / 4 to index into code
  u64 text_start = 0;
  u32 vgprs = 0;                     // vector registers that the code names
  u32 lanes = 64;
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Symbol> symbols;
  std::vector<std::string> files;
  std::vector<SourceLine> lines;
  std::vector<std::unique_ptr<u32[]>> splats;
  std::vector<std::unique_ptr<LaneAccess>> accesses;

  /// The instruction at an address, or nullptr.
  const Insn* find(u64 address) const {
    const u64 k = (address - text_start) / 4;
    return k < at.size() && at[k] != ~0u ? &code[at[k]] : nullptr;
  }
  std::string where(const Insn* i) const;  // "file:line" or ""
};

struct LoadError {
  std::string text;
};

/// Loads an ELF code object into device memory. `listing` is what `hipify.emulator.translate` made of it.
std::unique_ptr<Program> load_program(const void* elf, size_t size, const std::string& listing);

struct Dim {
  u32 x = 1, y = 1, z = 1;
  u64 count() const { return u64(x) * y * z; }
};

/// One kernel launch.
struct Launch {
  const Kernel* kernel = nullptr;
  Dim grid;   // in work-groups
  Dim block;  // in work-items
  u32 lds = 0;
  u64 kernarg = 0;   // addresses in device memory
  u64 packet = 0;
  bool cooperative = false;
  u64 limit = 0;     // instructions; 0: none
  std::atomic<u64> next{0};
  std::atomic<u64> executed{0};
  std::atomic<bool> failed{false};
  std::atomic<u64> grid_arrived{0}, grid_generation{0};
};

struct Group {
  Launch* launch = nullptr;
  Dim id;
  u8* lds = nullptr;
  u32 lds_size = 0;
  std::vector<Wave> waves;
  std::unique_ptr<u32[]> registers;
  std::unique_ptr<u8[]> memory, scratch;
};

/// Runs a launch to its end on up to `threads` threads. Returns a HIP error code.
int run_launch(Launch& launch, unsigned threads);

/// The text of the last fault, for whoever has to report it.
std::string last_fault();

// Device memory: one reserved range of addresses, so that stray pointers are recognised.
constexpr u64 kArenaBase = 0x100000000000ull, kArenaSize = u64(1) << 40;
constexpr u64 kSharedAperture = 0x1000000000000ull, kPrivateAperture = 0x2000000000000ull;
void* arena_allocate(size_t size, size_t align);
bool arena_free(void* p);
/// The allocation around an address: its start and size, or false.
bool arena_find(u64 address, u64& start, u64& size);
u64 arena_used();
/// Whether a range of host memory was registered with the device.
bool is_registered_host(u64 address, u64 bytes);

void service_hostcall(u64 buffer);
u64 hostcall_buffer();

}  // namespace emu
