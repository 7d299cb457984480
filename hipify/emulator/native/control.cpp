// Branches, calls, barriers, messages, state registers, and the registry of handlers.
#include <chrono>
#include <unordered_map>

#include "floats.hpp"
#include "program.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#error "the emulator sets rounding modes of x86-64 hosts; other hosts are not supported yet"
#endif

namespace emu {

// ---------------------------------------------------------------- registry

namespace {
std::unordered_map<std::string, Handler>& registry() {
  static std::unordered_map<std::string, Handler> handlers;
  return handlers;
}
}  // namespace

Handlers::Handlers(std::initializer_list<NamedHandler> list) {
  for (const NamedHandler& h : list) registry()[h.name] = h.run;
}

Handler find_handler(const std::string& name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : found->second;
}

// ---------------------------------------------------------------- floating-point mode

void set_host_mode(const FloatMode& mode, bool wide) {
  const u8 round = wide ? mode.round64 : mode.round32, denorm = wide ? mode.denorm64 : mode.denorm32;
  // AMD: nearest, up, down, zero. x86: nearest, down, up, zero.
  static constexpr unsigned kRound[] = {0x0000, 0x4000, 0x2000, 0x6000};
  unsigned csr = 0x1f80 | kRound[round & 3];
  if (!(denorm & 1)) csr |= 0x0040;  // inputs are zeros
  if (!(denorm & 2)) csr |= 0x8000;  // outputs flush to zero
  _mm_setcsr(csr);
}

namespace {

void mode_changed(Wave& w) {
  const FloatMode& m = w.mode;
  w.split_modes = m.round32 != m.round64 || m.denorm32 != m.denorm64;
  set_host_mode(m, false);
}

u32 mode_register(const Wave& w) {
  const FloatMode& m = w.mode;
  return (w.mode_rest & ~0xffu) | m.round32 | u32(m.round64) << 2 | u32(m.denorm32) << 4 |
         u32(m.denorm64) << 6;
}

void set_mode_register(Wave& w, u32 x) {
  w.mode = {u8(x & 3), u8(x >> 2 & 3), u8(x >> 4 & 3), u8(x >> 6 & 3)};
  w.mode_rest = x & ~0xffu;
  mode_changed(w);
}

/// Nanoseconds since an arbitrary point: one clock for all waves.
u64 now() {
  using namespace std::chrono;
  return u64(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

// ---------------------------------------------------------------- branches

/// Leaves the wave ready to go on at `next`, to let others run.
const Insn* leave(Wave& w, const Insn* next, State state) {
  w.pc = next;
  w.state = state;
  return nullptr;
}

const Insn* jump(Wave& w, const Insn* i, const Insn* to) {
  if (!to) fault(w, i, 719, "a branch leaves the code");
  if (to <= i) {
    const i64 passed = i - to + 1;
    w.executed += u64(passed);
    w.budget -= passed;
    if (w.budget < 0) [[unlikely]]
      return leave(w, to, State::Yielded);
  }
  return to;
}

const Insn* s_branch(Wave& w, const Insn* i) { return jump(w, i, i->target); }
const Insn* s_cbranch_scc0(Wave& w, const Insn* i) { return w.s[kScc] ? i + 1 : jump(w, i, i->target); }
const Insn* s_cbranch_scc1(Wave& w, const Insn* i) { return w.s[kScc] ? jump(w, i, i->target) : i + 1; }
const Insn* s_cbranch_vccz(Wave& w, const Insn* i) {
  return w.mask(kVcc) ? i + 1 : jump(w, i, i->target);
}
const Insn* s_cbranch_vccnz(Wave& w, const Insn* i) {
  return w.mask(kVcc) ? jump(w, i, i->target) : i + 1;
}
const Insn* s_cbranch_execz(Wave& w, const Insn* i) { return w.exec() ? i + 1 : jump(w, i, i->target); }
const Insn* s_cbranch_execnz(Wave& w, const Insn* i) { return w.exec() ? jump(w, i, i->target) : i + 1; }

u64 next_pc(const Wave& w, const Insn* i) { return w.program->pcs[i->index] + u64(i->imm2); }

const Insn* s_getpc_b64(Wave& w, const Insn* i) {
  w.set64(i->op[0].offset, next_pc(w, i));
  return i + 1;
}

const Insn* jump_to_address(Wave& w, const Insn* i, u64 address) {
  const Insn* to = w.program->find(address);
  if (!to) fault(w, i, 719, "a jump to 0x%llx, where there is no instruction", (unsigned long long)address);
  return jump(w, i, to);
}

const Insn* s_setpc_b64(Wave& w, const Insn* i) { return jump_to_address(w, i, scalar64(w, i->op[1])); }

const Insn* s_swappc_b64(Wave& w, const Insn* i) {
  const u64 to = scalar64(w, i->op[1]);
  w.set64(i->op[0].offset, next_pc(w, i));
  return jump_to_address(w, i, to);
}

const Insn* s_call_b64(Wave& w, const Insn* i) {
  w.set64(i->op[0].offset, next_pc(w, i));
  return jump(w, i, i->target);
}

// ---------------------------------------------------------------- waves and messages

const Insn* s_nop(Wave&, const Insn* i) { return i + 1; }
const Insn* s_endpgm(Wave& w, const Insn* i) {
  w.executed += 1;
  return leave(w, i, State::Ended);
}
const Insn* s_barrier(Wave& w, const Insn* i) { return leave(w, i + 1, State::Barrier); }
const Insn* s_sleep(Wave& w, const Insn* i) { return leave(w, i + 1, State::Yielded); }

const Insn* s_trap(Wave& w, const Insn* i) {
  if (i->imm == 2) fault(w, i, 719, "the kernel stopped itself (a failed assert or __builtin_trap)");
  return i + 1;  // debugger traps do nothing without a debugger
}

constexpr i64 kInterrupt = 1;
const Insn* s_sendmsg(Wave& w, const Insn* i) {
  // The message that a host call is ready; the host answers at once.
  if ((i->imm & 15) == kInterrupt) service_hostcall(hostcall_buffer());
  if ((i->imm & 15) == 2 || (i->imm & 15) == 3) fault(w, i, 719, "geometry messages are not supported");
  return i + 1;
}

const Insn* s_sendmsg_rtn(Wave& w, const Insn* i) {
  constexpr i64 kRealTime = 131;
  if (i->imm != kRealTime) fault(w, i, 719, "message %lld is not supported", (long long)i->imm);
  w.set64(i->op[0].offset, now() / 10);
  return i + 1;
}

const Insn* read_clock(Wave& w, const Insn* i) {
  w.set64(i->op[0].offset, now());
  return i + 1;
}
const Insn* read_real_time(Wave& w, const Insn* i) {  // 100 MHz
  w.set64(i->op[0].offset, now() / 10);
  return i + 1;
}

/// The barrier of a cooperative grid, at which one wave of each work-group arrives.
const Insn* ds_gws_barrier(Wave& w, const Insn* i) {
  Launch& l = *w.group->launch;
  if (!w.exec()) return i + 1;  // waves that only pass by on the way to the next barrier
  if (!l.cooperative) fault(w, i, 719, "a grid barrier in a launch that is not cooperative");
  if (!w.grid_barrier) {
    w.grid_barrier = l.grid_generation + 1;
    if (++l.grid_arrived == l.grid.count()) {
      l.grid_arrived = 0;
      l.grid_generation++;
    }
  }
  if (l.grid_generation < w.grid_barrier) return leave(w, i, State::Yielded);
  w.grid_barrier = 0;
  return i + 1;
}

// ---------------------------------------------------------------- state registers

/// imm: register number | offset << 6 | (size - 1) << 11.
u32 read_state(Wave& w, const Insn* i, u32 id) {
  switch (id) {
    case 1: return mode_register(w);
    case 2: return 0;                   // STATUS: no trap, no exception
    case 4:                             // HW_ID
    case 23:                            // HW_ID1
    case 24: return w.index & 15;       // HW_ID2
    case 5: return 0;                   // GPR_ALLOC
    case 6: return w.group->lds_size / 512 << 12;  // LDS_ALLOC
    case 15: return u32(kSharedAperture >> 48) << 16 | u32(kPrivateAperture >> 48);  // SH_MEM_BASES
    case 20: return w.program->target.major >= 10 ? u32(u64(w.scratch)) : 0;         // XCC_ID or FLAT_SCR_LO
    case 21: return u32(u64(w.scratch) >> 32);
    case 29: return u32(now());         // SHADER_CYCLES
    default: fault(w, i, 719, "reading hardware register %u is not supported", id);
  }
}

const Insn* s_getreg_b32(Wave& w, const Insn* i) {
  const u32 id = u32(i->imm) & 63, offset = u32(i->imm) >> 6 & 31, size = (u32(i->imm) >> 11 & 31) + 1;
  const u32 x = read_state(w, i, id) >> offset;
  w.s[i->op[0].offset] = size == 32 ? x : x & ((1u << size) - 1);
  return i + 1;
}

const Insn* s_setreg_b32(Wave& w, const Insn* i) {
  const u32 id = u32(i->imm) & 63, offset = u32(i->imm) >> 6 & 31, size = (u32(i->imm) >> 11 & 31) + 1;
  if (id == 20 || id == 21) return i + 1;  // the private segment's place is the emulator's affair
  if (id != 1) fault(w, i, 719, "writing hardware register %u is not supported", id);
  const u32 mask = (size == 32 ? ~0u : (1u << size) - 1) << offset;
  set_mode_register(w, (mode_register(w) & ~mask) | (scalar32(w, i->op[1]) << offset & mask));
  return i + 1;
}

const Insn* s_round_mode(Wave& w, const Insn* i) {
  set_mode_register(w, (mode_register(w) & ~15u) | (u32(i->imm) & 15));
  return i + 1;
}
const Insn* s_denorm_mode(Wave& w, const Insn* i) {
  set_mode_register(w, (mode_register(w) & ~0xf0u) | (u32(i->imm) & 15) << 4);
  return i + 1;
}

// ---------------------------------------------------------------- relative scalar registers

template <u32 kDwords, bool kSource>
const Insn* scalar_relative(Wave& w, const Insn* i) {
  const u32 shift = w.s[kM0];
  if (shift + kDwords > 106) fault(w, i, 719, "relative scalar register %u", shift);
  if (kSource) {
    memmove(w.s + i->op[0].offset, w.s + i->op[1].offset + shift, 4 * kDwords);
  } else {
    const u64 x = kDwords == 2 ? scalar64(w, i->op[1]) : scalar32(w, i->op[1]);
    memcpy(w.s + i->op[0].offset + shift, &x, 4 * kDwords);
  }
  return i + 1;
}

const Handlers registered{
    {"s_branch", s_branch},
    {"s_cbranch_scc0", s_cbranch_scc0},
    {"s_cbranch_scc1", s_cbranch_scc1},
    {"s_cbranch_vccz", s_cbranch_vccz},
    {"s_cbranch_vccnz", s_cbranch_vccnz},
    {"s_cbranch_execz", s_cbranch_execz},
    {"s_cbranch_execnz", s_cbranch_execnz},
    {"s_call_b64", s_call_b64},
    {"s_getpc_b64", s_getpc_b64},
    {"s_setpc_b64", s_setpc_b64},
    {"s_swappc_b64", s_swappc_b64},
    {"s_nop", s_nop},
    {"s_endpgm", s_endpgm},
    {"s_barrier", s_barrier},
    {"s_barrier_signal", s_nop},
    {"s_barrier_wait", s_barrier},
    {"s_sleep", s_sleep},
    {"s_trap", s_trap},
    {"ds_gws_barrier", ds_gws_barrier},
    {"ds_gws_init", s_nop},
    {"s_sendmsg", s_sendmsg},
    {"s_sendmsg_rtn_b32", s_sendmsg_rtn},
    {"s_sendmsg_rtn_b64", s_sendmsg_rtn},
    {"s_memtime", read_clock},
    {"s_memrealtime", read_real_time},
    {"s_getreg_b32", s_getreg_b32},
    {"s_setreg_b32", s_setreg_b32},
    {"s_round_mode", s_round_mode},
    {"s_denorm_mode", s_denorm_mode},
    {"s_movrels_b32", scalar_relative<1, true>},
    {"s_movrels_b64", scalar_relative<2, true>},
    {"s_movreld_b32", scalar_relative<1, false>},
    {"s_movreld_b64", scalar_relative<2, false>},
};

}  // namespace

}  // namespace emu
