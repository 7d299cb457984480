// The machine state that instruction handlers work on, and the templates that handlers are made of.
//
// A decoded instruction (Insn) holds a pointer to its handler and resolved operands. A handler executes
// the instruction for all lanes of a wave and returns the instruction to run next, or nullptr when the
// wave has to stop (Wave::state says why). All state of a wave lives in Wave, so that any wave can be
// left at any instruction and taken up again later.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace emu {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using u128 = unsigned __int128;
using i128 = __int128;
using f16 = _Float16;
using f32 = float;
using f64 = double;

/// bfloat16: the upper half of an f32. Arithmetic is done in f32.
struct bf16 {
  u16 bits;
};

template <class To, class From>
inline To bits(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  memcpy(&y, &x, sizeof y);
  return y;
}

struct Wave;
struct Insn;
struct Group;
struct Program;
using Handler = const Insn* (*)(Wave&, const Insn*);

enum class Kind : u8 {
  None,     // absent operand
  Vector,   // a vector register as it is
  Splat,    // a constant, spread over all lanes when the program was loaded
  Scalar,   // a scalar register
  Altered,  // a vector register with a half selected or with sign modifiers
};

/// One operand. For a vector register `offset` is its place in Wave::v (register times lanes).
struct Operand {
  Kind kind = Kind::None;
  u8 shift = 0;             // 16 selects the upper half
  u8 dwords = 1;            // width that the handler reads, in registers
  u32 offset = 0;           // Vector/Altered: index into Wave::v; Scalar: index into Wave::s
  u32 keep = ~0u;           // sign modifiers, applied to the top dword: (x & keep) ^ flip
  u32 flip = 0;
  const u32* splat = nullptr;
  u64 value = 0;            // constants

  bool plain() const { return keep == ~0u && flip == 0 && shift == 0; }
};

constexpr int kOperands = 7;

/// Lane crossing of source 0 (data parallel primitives) or sub-dword access, see cross.cpp.
struct LaneAccess;

struct Insn {
  Handler run = nullptr;    // what the loop calls: the handler or the outermost wrapper
  Handler inner = nullptr;  // what a lane-access wrapper calls
  Handler core = nullptr;   // the handler proper
  Operand op[kOperands];    // op[0] is the destination where there is one
  u32 keep = 0;             // bits of a 16-bit destination's register that stay
  u8 shift = 0;             // 16: a 16-bit destination is the upper half
  u8 omod = 0;              // 1: times 2, 2: times 4, 3: divided by 2
  bool clamp = false;
  bool returns = false;     // an atomic that gives back the old value
  u8 result = 0;            // type of the result for output modifiers: 16, 32, 64; 33: pairs of f16
  u16 sel = 0;              // op_sel and its kin, packed by the decoder
  i64 imm = 0;              // offset, branch delta, message, ...
  i64 imm2 = 0;
  const Insn* target = nullptr;  // direct branches
  const LaneAccess* access = nullptr;
  u32 index = 0;            // position in Program::code
};

enum class State : u8 { Ready, Barrier, Yielded, Ended, Faulted };

// Indexes into Wave::s. Special registers have fixed places beyond the numbered ones.
constexpr u32 kVcc = 106, kTtmp = 108, kM0 = 124, kExec = 126;
constexpr u32 kFlatScratch = 128, kXnack = 130, kSharedBase = 132, kSharedLimit = 134,
              kPrivateBase = 136, kPrivateLimit = 138, kScc = 140, kVccz = 141, kExecz = 142,
              kNull = 144, kScalars = 180;

/// Rounding and denormal handling as in the MODE register's low byte.
struct FloatMode {
  u8 round32 = 0, round64 = 0, denorm32 = 3, denorm64 = 3;
};

struct Wave {
  u32* v = nullptr;  // vector registers: v[reg * lanes + lane]
  u32 lanes = 64;
  State state = State::Ready;
  bool split_modes = false;  // f32 and f64/f16 differ in rounding or denormals
  FloatMode mode;
  u32 mode_rest = 0;         // other bits of MODE, kept for s_getreg
  alignas(16) u32 s[kScalars] = {};
  const Insn* pc = nullptr;
  Group* group = nullptr;
  const Program* program = nullptr;
  u8* scratch = nullptr;     // private memory of lane 0
  u32 scratch_lane = 0;      // bytes of private memory a lane
  u32 index = 0;             // number within the work-group
  i64 budget = 0;            // instructions until the wave has to let others run
  u64 executed = 0;
  u64 grid_barrier = 0;      // generation of the grid barrier that the wave waits for

  u64 get64(u32 reg) const {
    u64 x;
    memcpy(&x, s + reg, 8);
    return x;
  }
  void set64(u32 reg, u64 x) { memcpy(s + reg, &x, 8); }
  u64 exec() const { return get64(kExec); }
  u64 full() const { return lanes == 64 ? ~u64(0) : u64(0xffffffffu); }
  u64 mask(u32 reg) const { return lanes == 64 ? get64(reg) : s[reg]; }
  void set_mask(u32 reg, u64 x) {
    if (lanes == 64) {
      set64(reg, x);
    } else {
      s[reg] = u32(x);
    }
  }
};

[[noreturn]] void fault(const Wave& w, const Insn* i, int error, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

void set_host_mode(const FloatMode& mode, bool wide);

/// While it lives, the host rounds and flushes as MODE asks for f64 and f16.
struct WideMode {
  Wave& w;
  explicit WideMode(Wave& wave) : w(wave) {
    if (w.split_modes) [[unlikely]]
      set_host_mode(w.mode, true);
  }
  ~WideMode() {
    if (w.split_modes) [[unlikely]]
      set_host_mode(w.mode, false);
  }
};

// ---------------------------------------------------------------- operands

/// Scratch space for operands that do not lie in a vector register: up to four dwords a lane.
struct alignas(64) Buffer {
  u32 lane[2 * 64];
};

const u32* gather_operand(const Wave& w, const Operand& o, u32* buffer);

/// Lane values of a source: lane l's dword k is at [l + k * lanes].
inline const u32* fetch(const Wave& w, const Operand& o, Buffer& b) {
  if (o.kind == Kind::Vector) return w.v + o.offset;
  if (o.kind == Kind::Splat) return o.splat;
  return gather_operand(w, o, b.lane);
}

inline u64 scalar64(const Wave& w, const Operand& o) {
  return o.kind == Kind::Scalar ? w.get64(o.offset) : o.value;
}
inline u32 scalar32(const Wave& w, const Operand& o) {
  return o.kind == Kind::Scalar ? w.s[o.offset] : u32(o.value);
}
inline u64 mask_operand(const Wave& w, const Operand& o) {
  return o.kind == Kind::Scalar ? w.mask(o.offset) : o.value & w.full();
}

template <class T>
struct Slot {  // 32-bit types
  static T get(const u32* p, u32 l, u32) { return bits<T>(p[l]); }
  static void put(u32* d, u32 l, u32, bool on, T x, u32, u32) {
    u32 r = bits<u32>(x);
    d[l] = on ? r : d[l];
  }
};

template <class T>
struct Slot16 {
  static T get(const u32* p, u32 l, u32) { return bits<T>(u16(p[l])); }
  static void put(u32* d, u32 l, u32, bool on, T x, u32 keep, u32 shift) {
    u32 old = d[l];
    u32 r = (old & keep) | u32(bits<u16>(x)) << shift;
    d[l] = on ? r : old;
  }
};
template <>
struct Slot<u16> : Slot16<u16> {};
template <>
struct Slot<i16> : Slot16<i16> {};
template <>
struct Slot<f16> : Slot16<f16> {};
template <>
struct Slot<bf16> : Slot16<bf16> {};

template <class T>
struct Slot64 {
  static T get(const u32* p, u32 l, u32 lanes) {
    return bits<T>(u64(p[l]) | u64(p[l + lanes]) << 32);
  }
  static void put(u32* d, u32 l, u32 lanes, bool on, T x, u32, u32) {
    u64 r = bits<u64>(x);
    u32 lo = u32(r), hi = u32(r >> 32);
    d[l] = on ? lo : d[l];
    d[l + lanes] = on ? hi : d[l + lanes];
  }
};
template <>
struct Slot<u64> : Slot64<u64> {};
template <>
struct Slot<i64> : Slot64<i64> {};
template <>
struct Slot<f64> : Slot64<f64> {};

template <class T>
constexpr bool is_wide = std::is_same_v<T, f64> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

struct NoMode {
  explicit NoMode(Wave&) {}
};
template <class... T>
using ModeFor = std::conditional_t<(is_wide<T> || ...), WideMode, NoMode>;

// ---------------------------------------------------------------- vector handlers

template <class D, class... S, class F, size_t... K>
[[gnu::always_inline]] inline const Insn* map_lanes(Wave& w, const Insn* i, F f,
                                                   std::index_sequence<K...>) {
  ModeFor<D, S...> mode(w);
  Buffer buffer[sizeof...(S)];
  const u32* p[] = {fetch(w, i->op[K + 1], buffer[K])...};
  u32* d = w.v + i->op[0].offset;
  const u32 lanes = w.lanes, keep = i->keep, shift = i->shift;
  const u64 exec = w.exec();
  for (u32 h = 0; h < lanes; h += 32) {
    const u32 on = u32(exec >> h);
    if (on == 0) continue;
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (u32 l = 0; l < 32; l++)
      Slot<D>::put(d, h + l, lanes, on >> l & 1, f(Slot<S>::get(p[K], h + l, lanes)...), keep, shift);
  }
  return i + 1;
}

/// d = f(sources...) for every active lane.
template <class D, class... S, class F>
[[gnu::always_inline]] inline const Insn* map(Wave& w, const Insn* i, F f) {
  return map_lanes<D, S...>(w, i, f, std::index_sequence_for<S...>{});
}

/// d = f(sources..., bit, out) where op[1] receives a mask of `out` bits and `bit` comes from the mask
/// operand that follows the sources (false where there is none).
template <bool Reads, class D, class... S, class F, size_t... K>
[[gnu::always_inline]] inline const Insn* map_carry_lanes(Wave& w, const Insn* i, F f,
                                                         std::index_sequence<K...>) {
  ModeFor<D, S...> mode(w);
  Buffer buffer[sizeof...(S)];
  const u32* p[] = {fetch(w, i->op[K + 2], buffer[K])...};
  u32* d = w.v + i->op[0].offset;
  const u32 lanes = w.lanes;
  const u64 exec = w.exec();
  const u64 in = Reads ? mask_operand(w, i->op[2 + sizeof...(S)]) : 0;
  u64 out = 0;
  for (u32 h = 0; h < lanes; h += 32) {
    const u32 on = u32(exec >> h), carry = u32(in >> h);
    u32 half = 0;
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (u32 l = 0; l < 32; l++) {
      u32 q = 0;
      D r = f(Slot<S>::get(p[K], h + l, lanes)..., carry >> l & 1, q);
      Slot<D>::put(d, h + l, lanes, on >> l & 1, r, 0, 0);
      half |= (q & 1) << l;
    }
    out |= u64(half & on) << h;
  }
  w.set_mask(i->op[1].offset, out);
  return i + 1;
}

template <bool Reads, class D, class... S, class F>
[[gnu::always_inline]] inline const Insn* map_carry(Wave& w, const Insn* i, F f) {
  return map_carry_lanes<Reads, D, S...>(w, i, f, std::index_sequence_for<S...>{});
}

/// d = f(sources..., bit of the mask operand after the sources).
template <class D, class... S, class F, size_t... K>
[[gnu::always_inline]] inline const Insn* map_select_lanes(Wave& w, const Insn* i, F f,
                                                          std::index_sequence<K...>) {
  ModeFor<D, S...> mode(w);
  Buffer buffer[sizeof...(S)];
  const u32* p[] = {fetch(w, i->op[K + 1], buffer[K])...};
  u32* d = w.v + i->op[0].offset;
  const u32 lanes = w.lanes, keep = i->keep, shift = i->shift;
  const u64 exec = w.exec(), in = mask_operand(w, i->op[1 + sizeof...(S)]);
  for (u32 h = 0; h < lanes; h += 32) {
    const u32 on = u32(exec >> h), bit = u32(in >> h);
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (u32 l = 0; l < 32; l++)
      Slot<D>::put(d, h + l, lanes, on >> l & 1,
                   f(Slot<S>::get(p[K], h + l, lanes)..., bit >> l & 1), keep, shift);
  }
  return i + 1;
}

template <class D, class... S, class F>
[[gnu::always_inline]] inline const Insn* map_select(Wave& w, const Insn* i, F f) {
  return map_select_lanes<D, S...>(w, i, f, std::index_sequence_for<S...>{});
}

/// Mask of lanes for which f holds, written to op[0] (and to EXEC when `imm` asks for it).
template <class A, class B, class F>
[[gnu::always_inline]] inline const Insn* compare(Wave& w, const Insn* i, F f) {
  ModeFor<A, B> mode(w);
  Buffer ba, bb;
  const u32* a = fetch(w, i->op[1], ba);
  const u32* b = fetch(w, i->op[2], bb);
  const u32 lanes = w.lanes;
  u64 out = 0;
  for (u32 h = 0; h < lanes; h += 32) {
    u32 half = 0;
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (u32 l = 0; l < 32; l++)
      half |= u32(f(Slot<A>::get(a, h + l, lanes), Slot<B>::get(b, h + l, lanes))) << l;
    out |= u64(half) << h;
  }
  out &= w.exec();
  if (i->op[0].kind == Kind::Scalar) w.set_mask(i->op[0].offset, out);
  if (i->imm) w.set_mask(kExec, out);
  return i + 1;
}

/// Halves of packed operands: `sel` holds four bits a source: low half's choice, high half's choice,
/// negate low, negate high.
template <class T, class F, size_t... K>
[[gnu::always_inline]] inline const Insn* map_packed_lanes(Wave& w, const Insn* i, F f,
                                                          std::index_sequence<K...>) {
  ModeFor<T> mode(w);
  constexpr bool is_float = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
  Buffer buffer[sizeof...(K)];
  const u32* p[] = {fetch(w, i->op[K + 1], buffer[K])...};
  const u32 low[] = {(i->sel >> (4 * K) & 1u) * u32(16)...};
  const u32 high[] = {(i->sel >> (4 * K + 1) & 1u) * u32(16)...};
  const u16 neg_low[] = {u16(is_float ? (i->sel >> (4 * K + 2) & 1u) << 15 : 0u)...};
  const u16 neg_high[] = {u16(is_float ? (i->sel >> (4 * K + 3) & 1u) << 15 : 0u)...};
  u32* d = w.v + i->op[0].offset;
  const u32 lanes = w.lanes;
  const u64 exec = w.exec();
  for (u32 h = 0; h < lanes; h += 32) {
    const u32 on = u32(exec >> h);
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (u32 l = 0; l < 32; l++) {
      T lo = f(bits<T>(u16(u16(p[K][h + l] >> low[K]) ^ neg_low[K]))...);
      T hi = f(bits<T>(u16(u16(p[K][h + l] >> high[K]) ^ neg_high[K]))...);
      u32 r = u32(bits<u16>(lo)) | u32(bits<u16>(hi)) << 16;
      d[h + l] = on >> l & 1 ? r : d[h + l];
    }
  }
  return i + 1;
}

template <class T, int N, class F>
[[gnu::always_inline]] inline const Insn* map_packed(Wave& w, const Insn* i, F f) {
  return map_packed_lanes<T>(w, i, f, std::make_index_sequence<N>{});
}

/// Packed f32: two registers an operand, with the same selection bits as map_packed.
template <int N, class F>
inline const Insn* map_packed32(Wave& w, const Insn* i, F f) {
  Buffer buffer[3];
  const u32* p[3] = {};
  u32 low[3] = {}, high[3] = {}, neg_low[3] = {}, neg_high[3] = {};
  const u32 lanes = w.lanes;
  for (int k = 0; k < N; k++) {
    p[k] = fetch(w, i->op[k + 1], buffer[k]);
    low[k] = (i->sel >> (4 * k) & 1u) * lanes;
    high[k] = (i->sel >> (4 * k + 1) & 1u) * lanes;
    neg_low[k] = (i->sel >> (4 * k + 2) & 1u) << 31;
    neg_high[k] = (i->sel >> (4 * k + 3) & 1u) << 31;
  }
  u32* d = w.v + i->op[0].offset;
  const u64 exec = w.exec();
  for (u32 l = 0; l < lanes; l++) {
    f32 lo[3] = {}, hi[3] = {};
    for (int k = 0; k < N; k++) {
      lo[k] = bits<f32>(p[k][l + low[k]] ^ neg_low[k]);
      hi[k] = bits<f32>(p[k][l + high[k]] ^ neg_high[k]);
    }
    const f32 x = f(lo[0], lo[1], lo[2]), y = f(hi[0], hi[1], hi[2]);
    if (exec >> l & 1) {
      d[l] = bits<u32>(x);
      d[l + lanes] = bits<u32>(y);
    }
  }
  return i + 1;
}

// ---------------------------------------------------------------- scalar handlers

template <class T>
inline T scalar_get(const Wave& w, const Operand& o) {
  if constexpr (sizeof(T) == 8) {
    return bits<T>(scalar64(w, o));
  } else if constexpr (sizeof(T) == 2) {
    return bits<T>(u16(((scalar32(w, o) >> o.shift) & o.keep) ^ o.flip));
  } else {
    return bits<T>((scalar32(w, o) & o.keep) ^ o.flip);
  }
}

template <class T>
inline void scalar_put(Wave& w, const Operand& o, T x) {
  if constexpr (sizeof(T) == 8) {
    w.set64(o.offset, bits<u64>(x));
  } else if constexpr (sizeof(T) == 2) {
    w.s[o.offset] = bits<u16>(x);
  } else {
    w.s[o.offset] = bits<u32>(x);
  }
}

template <class D, class... S, class F, size_t... K>
inline const Insn* scalar_op(Wave& w, const Insn* i, F f, std::index_sequence<K...>) {
  D r = f(scalar_get<S>(w, i->op[K + 1])...);
  scalar_put<D>(w, i->op[0], r);
  return i + 1;
}

/// A scalar operation; f may set w.s[kScc].
template <class D, class... S, class F>
inline const Insn* scalar(Wave& w, const Insn* i, F f) {
  return scalar_op<D, S...>(w, i, f, std::index_sequence_for<S...>{});
}

/// A scalar operation that only sets w.s[kScc].
template <class... S, class F, size_t... K>
inline const Insn* scalar_test_op(Wave& w, const Insn* i, F f, std::index_sequence<K...>) {
  w.s[kScc] = f(scalar_get<S>(w, i->op[K + 1])...);
  return i + 1;
}
template <class... S, class F>
inline const Insn* scalar_test(Wave& w, const Insn* i, F f) {
  return scalar_test_op<S...>(w, i, f, std::index_sequence_for<S...>{});
}

// ---------------------------------------------------------------- handler registry

struct NamedHandler {
  const char* name;
  Handler run;
};

/// Registers handlers when the library is loaded: `static Handlers h{{"v_add_u32", v_add_u32}, ...};`
struct Handlers {
  Handlers(std::initializer_list<NamedHandler> list);
};
Handler find_handler(const std::string& name);

}  // namespace emu
