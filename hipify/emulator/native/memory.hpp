// Address spaces: how an instruction's operands become a host address for each lane, with the checks
// that keep a wrong pointer from becoming a wrong answer.
#pragma once

#include "program.hpp"

namespace emu {

/// Faults unless [address, address + bytes) lies within device memory that is allocated.
void check_global_slow(const Wave& w, const Insn* i, u64 address, u32 bytes, u32 lane);

inline void check_global(const Wave& w, const Insn* i, u64 address, u32 bytes, u32 lane) {
  if (address - kArenaBase >= kArenaSize) [[unlikely]]
    check_global_slow(w, i, address, bytes, lane);
}

inline u8* private_address(const Wave& w, const Insn* i, u32 lane, i64 offset, u32 bytes) {
  if (offset < 0 || u64(offset) + bytes > w.scratch_lane) [[unlikely]]
    fault(w, i, 700, "private memory offset %lld of lane %u is outside its %u bytes",
          (long long)offset, lane, w.scratch_lane);
  return w.scratch + u64(lane) * w.scratch_lane + u64(offset);
}

struct SharedSpace {
  static constexpr bool contiguous = false;
  const Wave& w;
  const Insn* i;
  const u32* address;
  Buffer buffer;

  SharedSpace(const Wave& wave, const Insn* insn) : w(wave), i(insn) {
    address = fetch(w, i->op[1], buffer);
  }
  static u8* checked(const Wave& w, const Insn* i, u32 offset, u32 bytes, u32 lane) {
    const Group& g = *w.group;
    if (u64(offset) + bytes > g.lds_size) [[unlikely]]
      fault(w, i, 700, "shared memory offset %u (%u bytes) of lane %u is outside the block's %u bytes",
            offset, bytes, lane, g.lds_size);
    return g.lds + offset;
  }
  u8* at_offset(u32 lane, u32 offset, u32 bytes) const {
    return checked(w, i, address[lane] + offset, bytes, lane);
  }
  u8* at(u32 lane, u32 bytes, bool) const { return at_offset(lane, u32(i->imm), bytes); }
  u8* run_of(u32) const { return nullptr; }
};

struct GlobalSpace {
  static constexpr bool contiguous = true;
  const Wave& w;
  const Insn* i;
  const u32* address;
  u64 base;
  bool wide;
  Buffer buffer;

  GlobalSpace(const Wave& wave, const Insn* insn) : w(wave), i(insn) {
    const bool scalar_base = i->op[3].kind != Kind::None;
    base = u64(i->imm) + (scalar_base ? scalar64(w, i->op[3]) : 0);
    wide = !scalar_base;
    address = fetch(w, i->op[1], buffer);
  }
  u64 of(u32 lane) const {
    return base + (wide ? u64(address[lane]) | u64(address[lane + w.lanes]) << 32 : address[lane]);
  }
  u8* at(u32 lane, u32 bytes, bool) const {
    const u64 a = of(lane);
    check_global(w, i, a, bytes, lane);
    return reinterpret_cast<u8*>(a);
  }
  /// The address of lane 0 when all lanes are on and follow each other in steps of `bytes`.
  u8* run_of(u32 bytes) const {
    if (w.exec() != w.full()) return nullptr;
    u32 differs = 0;
    const u32 first = address[0], lanes = w.lanes;
    for (u32 l = 0; l < lanes; l++) differs |= address[l] ^ (first + l * bytes);
    if (wide)
      for (u32 l = 0; l < lanes; l++) differs |= address[l + lanes] ^ address[lanes];
    if (differs || first > ~0u - lanes * bytes) return nullptr;
    const u64 a = of(0);
    if (a - kArenaBase >= kArenaSize - 4096) return nullptr;
    return reinterpret_cast<u8*>(a);
  }
};

struct FlatSpace : GlobalSpace {
  static constexpr bool contiguous = false;
  using GlobalSpace::GlobalSpace;
  u8* at(u32 lane, u32 bytes, bool) const {
    const u64 a = of(lane);
    const u32 high = u32(a >> 32);
    if (high == u32(kSharedAperture >> 32)) return SharedSpace::checked(w, i, u32(a), bytes, lane);
    if (high == u32(kPrivateAperture >> 32)) return private_address(w, i, lane, i64(u32(a)), bytes);
    check_global(w, i, a, bytes, lane);
    return reinterpret_cast<u8*>(a);
  }
};

struct ScratchSpace {
  static constexpr bool contiguous = false;
  const Wave& w;
  const Insn* i;
  const u32* address = nullptr;
  i64 base;
  Buffer buffer;

  ScratchSpace(const Wave& wave, const Insn* insn) : w(wave), i(insn) {
    base = i->imm;
    if (i->op[3].kind != Kind::None) base += i64(scalar32(w, i->op[3]));
    if (i->op[1].kind != Kind::None) address = fetch(w, i->op[1], buffer);
  }
  u8* at(u32 lane, u32 bytes, bool) const {
    return private_address(w, i, lane, base + (address ? i64(address[lane]) : 0), bytes);
  }
  u8* run_of(u32) const { return nullptr; }
};

/// A buffer descriptor: raw and structured buffers, and the private segment of older targets.
struct BufferSpace {
  static constexpr bool contiguous = false;
  static constexpr u32 kOffset = 1, kIndex = 2;  // Insn::sel
  static constexpr u32 kPrivateMark = 0x5c7a0000;  // word 2 of the descriptor that launches hand out
  const Wave& w;
  const Insn* i;
  u32 rsrc[4];
  u32 scalar_offset;
  const u32* address = nullptr;
  Buffer buffer;

  BufferSpace(const Wave& wave, const Insn* insn) : w(wave), i(insn) {
    memcpy(rsrc, w.s + i->op[3].offset, sizeof rsrc);
    scalar_offset = scalar32(w, i->op[4]);
    if (i->op[1].kind != Kind::None) address = fetch(w, i->op[1], buffer);
  }
  u8* at(u32 lane, u32 bytes, bool) const {
    u32 offset = u32(i->imm), index = 0;
    if (i->sel & kIndex) index = address[lane];
    if (i->sel & kOffset) offset += address[lane + (i->sel & kIndex ? w.lanes : 0)];
    if (rsrc[2] == kPrivateMark) {
      // The scalar offset counts bytes of the whole wave.
      return private_address(w, i, lane, i64(offset) + i64(i32(scalar_offset)) / w.lanes, bytes);
    }
    const u32 stride = rsrc[1] >> 16 & 0x3fff;
    if (rsrc[1] >> 31) fault(w, i, 719, "swizzled buffer descriptors are not supported");
    const u64 base = (u64(rsrc[1] & 0xffff) << 32) | rsrc[0];
    const u64 from = u64(stride) * index + offset;
    const bool out = stride && (i->sel & kIndex) ? index >= rsrc[2] || offset + bytes > stride
                                                 : from + scalar_offset + bytes > rsrc[2];
    if (out) return nullptr;  // reads give 0, writes are dropped
    const u64 a = base + scalar_offset + from;
    check_global(w, i, a, bytes, lane);
    return reinterpret_cast<u8*>(a);
  }
  u8* run_of(u32) const { return nullptr; }
};

}  // namespace emu
