// Device memory: a reserved range of addresses with unmapped pages between allocations.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "memory.hpp"

namespace emu {
namespace {

struct Block {
  size_t size, mapped;
};

struct Arena {
  std::mutex lock;
  u64 next = kArenaBase;
  u64 used = 0;
  std::map<u64, Block> blocks;
  std::multimap<size_t, u64> free;  // returned ranges by mapped size, for reuse

  Arena() {
    void* p = mmap(reinterpret_cast<void*>(kArenaBase), kArenaSize, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != reinterpret_cast<void*>(kArenaBase)) {
      fputs("hipify emulator: cannot reserve the address range of device memory\n", stderr);
      abort();
    }
  }
};

Arena& arena() {
  static Arena* a = new Arena;  // never destroyed: exit handlers of programs may still free memory
  return *a;
}

constexpr size_t kPage = 4096;

}  // namespace

void* arena_allocate(size_t size, size_t align) {
  Arena& a = arena();
  const std::lock_guard<std::mutex> guard(a.lock);
  const size_t mapped = (std::max<size_t>(size, 1) + kPage - 1) / kPage * kPage;
  if (mapped > kArenaSize - kPage || a.used + mapped > kArenaSize / 2) return nullptr;
  align = std::max(align, kPage);
  u64 start = 0;
  for (auto [it, last] = a.free.equal_range(mapped); it != last; ++it) {
    if (it->second % align) continue;
    start = it->second;
    a.free.erase(it);
    break;
  }
  if (!start) {
    start = (a.next + align - 1) / align * align;
    if (start + mapped + kPage > kArenaBase + kArenaSize) return nullptr;
    a.next = start + mapped + kPage;  // one page stays unmapped behind each block
  }
  if (mprotect(reinterpret_cast<void*>(start), mapped, PROT_READ | PROT_WRITE)) return nullptr;
  a.blocks[start] = {size, mapped};
  a.used += mapped;
  return reinterpret_cast<void*>(start);
}

bool arena_free(void* p) {
  Arena& a = arena();
  const std::lock_guard<std::mutex> guard(a.lock);
  const auto found = a.blocks.find(reinterpret_cast<u64>(p));
  if (found == a.blocks.end()) return false;
  const size_t mapped = found->second.mapped;
  madvise(p, mapped, MADV_DONTNEED);
  mprotect(p, mapped, PROT_NONE);
  a.free.emplace(mapped, found->first);
  a.used -= mapped;
  a.blocks.erase(found);
  return true;
}

bool arena_find(u64 address, u64& start, u64& size) {
  Arena& a = arena();
  const std::lock_guard<std::mutex> guard(a.lock);
  auto it = a.blocks.upper_bound(address);
  if (it == a.blocks.begin()) return false;
  --it;
  start = it->first;
  size = it->second.size;
  return address < start + std::max<u64>(size, 1);
}

u64 arena_used() {
  Arena& a = arena();
  const std::lock_guard<std::mutex> guard(a.lock);
  return a.used;
}

void check_global_slow(const Wave& w, const Insn* i, u64 address, u32 bytes, u32 lane) {
  if (is_registered_host(address, bytes)) return;
  fault(w, i, 700, "address 0x%llx (%u bytes, lane %u) is not in device memory%s",
        (unsigned long long)address, bytes, lane,
        address < 4096 ? " (a null pointer)" : "");
}

}  // namespace emu
