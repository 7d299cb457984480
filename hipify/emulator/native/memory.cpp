// Memory instructions: global, flat, scratch, buffer, LDS and scalar loads, stores and atomics.
#include "floats.hpp"
#include "memory.hpp"

namespace emu {
namespace {

// ---------------------------------------------------------------- formats

/// How a load fills registers or a store takes from them. `bytes` is the size in memory.
template <class T>
struct Narrow {  // zero- or sign-extended to a register
  static constexpr u32 bytes = sizeof(T), dwords = 1;
  static void load(u32* d, u32, const u8* m) {
    T x;
    memcpy(&x, m, sizeof x);
    *d = u32(i32(x));
  }
  static void store(const u32* s, u32, u8* m) {
    const T x = T(*s);
    memcpy(m, &x, sizeof x);
  }
};
template <class T>
struct Low16 {  // into the lower half, the upper stays
  static constexpr u32 bytes = sizeof(T), dwords = 1;
  static void load(u32* d, u32, const u8* m) {
    T x;
    memcpy(&x, m, sizeof x);
    *d = (*d & 0xffff0000u) | u16(i16(x));
  }
};
template <class T>
struct High16 {
  static constexpr u32 bytes = sizeof(T), dwords = 1;
  static void load(u32* d, u32, const u8* m) {
    T x;
    memcpy(&x, m, sizeof x);
    *d = (*d & 0xffffu) | u32(u16(i16(x))) << 16;
  }
  static void store(const u32* s, u32, u8* m) {
    const T x = T(*s >> 16);
    memcpy(m, &x, sizeof x);
  }
};
template <u32 N>
struct Dwords {
  static constexpr u32 bytes = 4 * N, dwords = N;
  static void load(u32* d, u32 lanes, const u8* m) {
    for (u32 k = 0; k < N; k++) memcpy(d + k * lanes, m + 4 * k, 4);
  }
  static void store(const u32* s, u32 lanes, u8* m) {
    for (u32 k = 0; k < N; k++) memcpy(m + 4 * k, s + k * lanes, 4);
  }
};

// ---------------------------------------------------------------- loads and stores

template <class Space, class F>
const Insn* load(Wave& w, const Insn* i) {
  w.pc = i;
  const Space space(w, i);
  const u32 lanes = w.lanes;
  u32* d = w.v + i->op[0].offset;
  if constexpr (F::bytes == 4 && Space::contiguous) {
    if (const u8* m = space.run_of(4)) {
      memcpy(d, m, 4 * lanes);
      return i + 1;
    }
  }
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    if (const u8* m = space.at(l, F::bytes, false)) {
      F::load(d + l, lanes, m);
    } else {
      const u8 zero[16] = {};
      F::load(d + l, lanes, zero);
    }
  }
  return i + 1;
}

template <class Space, class F>
const Insn* store(Wave& w, const Insn* i) {
  w.pc = i;
  const Space space(w, i);
  const u32 lanes = w.lanes;
  Buffer buffer;
  const u32* s = fetch(w, i->op[2], buffer);
  if constexpr (F::bytes == 4 && Space::contiguous) {
    if (u8* m = space.run_of(4)) {
      memcpy(m, s, 4 * lanes);
      return i + 1;
    }
  }
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    if (u8* m = space.at(l, F::bytes, true)) F::store(s + l, lanes, m);
  }
  return i + 1;
}

// ---------------------------------------------------------------- atomics

template <class T>
T load_relaxed(u8* m) {
  return __atomic_load_n(reinterpret_cast<T*>(m), __ATOMIC_RELAXED);
}

/// Atomically replaces *m by f(*m); gives back the old value. Integer types only.
template <class T, class F>
T update(u8* m, F f) {
  T old = load_relaxed<T>(m);
  while (!__atomic_compare_exchange_n(reinterpret_cast<T*>(m), &old, f(old), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class T, class Raw, class F>
Raw update_as(u8* m, F f) {
  return update<Raw>(m, [&](Raw old) { return bits<Raw>(f(bits<T>(old))); });
}

// Each operation: `Raw` is what memory holds, `operands` how many of them the data operand holds.
#define EMU_ATOMIC(NAME, RAW, EXPRESSION)                        \
  struct NAME {                                                  \
    using Raw = RAW;                                             \
    static constexpr u32 operands = 1;                           \
    static Raw apply(u8* m, const Raw* data) {                   \
      const Raw x = data[0];                                     \
      return EXPRESSION;                                         \
    }                                                            \
  };

template <class T>
struct Atomic {
  using S = std::make_signed_t<T>;
  static constexpr int order = __ATOMIC_ACQ_REL;
  EMU_ATOMIC(Swap, T, __atomic_exchange_n((T*)m, x, order))
  EMU_ATOMIC(Add, T, __atomic_fetch_add((T*)m, x, order))
  EMU_ATOMIC(Sub, T, __atomic_fetch_sub((T*)m, x, order))
  EMU_ATOMIC(Rsub, T, update<T>(m, [&](T o) { return T(x - o); }))
  EMU_ATOMIC(And, T, __atomic_fetch_and((T*)m, x, order))
  EMU_ATOMIC(Or, T, __atomic_fetch_or((T*)m, x, order))
  EMU_ATOMIC(Xor, T, __atomic_fetch_xor((T*)m, x, order))
  EMU_ATOMIC(MinU, T, update<T>(m, [&](T o) { return o < x ? o : x; }))
  EMU_ATOMIC(MaxU, T, update<T>(m, [&](T o) { return o > x ? o : x; }))
  EMU_ATOMIC(MinI, T, update<T>(m, [&](T o) { return S(o) < S(x) ? o : x; }))
  EMU_ATOMIC(MaxI, T, update<T>(m, [&](T o) { return S(o) > S(x) ? o : x; }))
  EMU_ATOMIC(Inc, T, update<T>(m, [&](T o) { return o >= x ? T(0) : T(o + 1); }))
  EMU_ATOMIC(Dec, T, update<T>(m, [&](T o) { return o == 0 || o > x ? x : T(o - 1); }))
  EMU_ATOMIC(SubClamp, T, update<T>(m, [&](T o) { return o < x ? T(0) : T(o - x); }))
  EMU_ATOMIC(CondSub, T, update<T>(m, [&](T o) { return o < x ? o : T(o - x); }))
  struct CompareSwap {
    using Raw = T;
    static constexpr u32 operands = 2;
    static T apply(u8* m, const T* data) {  // data: new value, expected value
      T expected = data[1];
      __atomic_compare_exchange_n((T*)m, &expected, data[0], false, order, __ATOMIC_RELAXED);
      return expected;
    }
  };
};

template <class T, class R>
struct AtomicFloat {
  EMU_ATOMIC(Add, R, (update_as<T, R>(m, [&](T o) { return T(o + bits<T>(x)); })))
  EMU_ATOMIC(Min, R, (update_as<T, R>(m, [&](T o) { return minimum_number(o, bits<T>(x)); })))
  EMU_ATOMIC(Max, R, (update_as<T, R>(m, [&](T o) { return maximum_number(o, bits<T>(x)); })))
  struct CompareSwap {
    using Raw = R;
    static constexpr u32 operands = 2;
    static R apply(u8* m, const R* data) {
      return update<R>(m, [&](R o) { return bits<T>(o) == bits<T>(data[1]) ? data[0] : o; });
    }
  };
};

u32 add_pair_f16(u32 a, u32 b) {
  const f16 lo = f16(bits<f16>(u16(a)) + bits<f16>(u16(b)));
  const f16 hi = f16(bits<f16>(u16(a >> 16)) + bits<f16>(u16(b >> 16)));
  return u32(bits<u16>(lo)) | u32(bits<u16>(hi)) << 16;
}
u32 add_pair_bf16(u32 a, u32 b) {
  const bf16 lo = to_bf16(bits<f32>(a << 16) + bits<f32>(b << 16));
  const bf16 hi = to_bf16(bits<f32>(a & 0xffff0000u) + bits<f32>(b & 0xffff0000u));
  return u32(lo.bits) | u32(hi.bits) << 16;
}
EMU_ATOMIC(AddPairF16, u32, update<u32>(m, [&](u32 o) { return add_pair_f16(o, x); }))
EMU_ATOMIC(AddPairBf16, u32, update<u32>(m, [&](u32 o) { return add_pair_bf16(o, x); }))
#undef EMU_ATOMIC

/// Data of a lane; LDS compare-and-swap has its two values in two operands.
template <class Raw>
Raw lane_data(const u32* s, u32 l, u32 lanes, u32 k) {
  if constexpr (sizeof(Raw) == 4) {
    return s[l + k * lanes];
  } else {
    return u64(s[l + 2 * k * lanes]) | u64(s[l + (2 * k + 1) * lanes]) << 32;
  }
}

template <class Space, class A>
const Insn* atomic(Wave& w, const Insn* i) {
  using Raw = typename A::Raw;
  w.pc = i;
  const Space space(w, i);
  const u32 lanes = w.lanes;
  u32* d = w.v + i->op[0].offset;
  Buffer buffer[2];
  const u32* s = fetch(w, i->op[2], buffer[0]);
  constexpr bool split = std::is_same_v<Space, SharedSpace> && A::operands == 2;
  const u32* second = split ? fetch(w, i->op[3], buffer[1]) : nullptr;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    u8* m = space.at(l, sizeof(Raw), true);
    if (!m) continue;
    if (reinterpret_cast<u64>(m) % sizeof(Raw)) [[unlikely]]
      fault(w, i, 716, "misaligned atomic on address 0x%llx by lane %u", (unsigned long long)m, l);
    Raw data[2] = {};
    data[0] = lane_data<Raw>(s, l, lanes, 0);
    if (A::operands == 2) data[1] = split ? lane_data<Raw>(second, l, lanes, 0) : lane_data<Raw>(s, l, lanes, 1);
    const Raw old = A::apply(m, data);
    if (i->returns) {
      d[l] = u32(old);
      if constexpr (sizeof(Raw) == 8) d[l + lanes] = u32(old >> 32);
    }
  }
  return i + 1;
}

// ---------------------------------------------------------------- LDS pairs

template <class T, u32 kStride>
const Insn* load_pair(Wave& w, const Insn* i) {
  w.pc = i;
  const SharedSpace space(w, i);
  const u32 lanes = w.lanes, n = sizeof(T) / 4;
  u32* d = w.v + i->op[0].offset;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const u32 first = u32(i->imm) * sizeof(T) * kStride, second = u32(i->imm2) * sizeof(T) * kStride;
    u32 x[2 * n];
    memcpy(x, space.at_offset(l, first, sizeof(T)), sizeof(T));
    memcpy(x + n, space.at_offset(l, second, sizeof(T)), sizeof(T));
    for (u32 k = 0; k < 2 * n; k++) d[l + k * lanes] = x[k];
  }
  return i + 1;
}

template <class T, u32 kStride, bool kExchange>
const Insn* store_pair(Wave& w, const Insn* i) {
  w.pc = i;
  const SharedSpace space(w, i);
  const u32 lanes = w.lanes, n = sizeof(T) / 4;
  Buffer buffer[2];
  const u32* s[2] = {fetch(w, i->op[2], buffer[0]), fetch(w, i->op[3], buffer[1])};
  u32* d = w.v + i->op[0].offset;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    T data[2];
    for (u32 k = 0; k < 2; k++) data[k] = lane_data<T>(s[k], l, lanes, 0);
    for (u32 k = 0; k < 2; k++) {
      const u32 offset = u32(k ? i->imm2 : i->imm) * sizeof(T) * kStride;
      u8* m = space.at_offset(l, offset, sizeof(T));
      T old;
      memcpy(&old, m, sizeof old);
      memcpy(m, &data[k], sizeof(T));
      if constexpr (kExchange)
        for (u32 j = 0; j < n; j++) d[l + (k * n + j) * lanes] = u32(u64(old) >> (32 * j));
    }
  }
  return i + 1;
}

template <class T>
const Insn* masked_or(Wave& w, const Insn* i) {  // (old & ~mask) | data
  w.pc = i;
  const SharedSpace space(w, i);
  Buffer buffer[2];
  const u32* mask = fetch(w, i->op[2], buffer[0]);
  const u32* data = fetch(w, i->op[3], buffer[1]);
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    u8* m = space.at(l, sizeof(T), true);
    const T old = update<T>(m, [&](T o) {
      return T((o & ~lane_data<T>(mask, l, w.lanes, 0)) | lane_data<T>(data, l, w.lanes, 0));
    });
    if (!i->returns) continue;
    w.v[i->op[0].offset + l] = u32(old);
    if constexpr (sizeof(T) == 8) w.v[i->op[0].offset + l + w.lanes] = u32(old >> 32);
  }
  return i + 1;
}

/// Adds (or takes) the number of active lanes to a counter that M0 and the offset address.
template <int kSign>
const Insn* append(Wave& w, const Insn* i) {
  w.pc = i;
  u8* m = SharedSpace::checked(w, i, u32(i->imm), 4, 0);
  const u32 count = u32(__builtin_popcountll(w.exec()));
  const u32 old = __atomic_fetch_add((u32*)m, kSign * count, __ATOMIC_ACQ_REL);
  for (u64 on = w.exec(); on; on &= on - 1) w.v[i->op[0].offset + u32(__builtin_ctzll(on))] = old;
  return i + 1;
}

// ---------------------------------------------------------------- scalar loads

u64 scalar_address(Wave& w, const Insn* i, u32 bytes) {
  u64 address = scalar64(w, i->op[1]) + u64(i->imm);
  if (i->op[2].kind != Kind::None) address += scalar32(w, i->op[2]);
  if (bytes >= 4) address &= ~u64(3);
  check_global(w, i, address, bytes, 0);
  return address;
}

template <u32 N>
const Insn* scalar_load(Wave& w, const Insn* i) {
  w.pc = i;
  u32 x[N];
  memcpy(x, reinterpret_cast<const void*>(scalar_address(w, i, 4 * N)), sizeof x);
  memcpy(w.s + i->op[0].offset, x, sizeof x);
  return i + 1;
}

template <class T>
const Insn* scalar_load_narrow(Wave& w, const Insn* i) {
  w.pc = i;
  T x;
  memcpy(&x, reinterpret_cast<const void*>(scalar_address(w, i, sizeof x)), sizeof x);
  w.s[i->op[0].offset] = u32(i32(x));
  return i + 1;
}

template <u32 N>
const Insn* scalar_store(Wave& w, const Insn* i) {
  w.pc = i;
  memcpy(reinterpret_cast<void*>(scalar_address(w, i, 4 * N)), w.s + i->op[0].offset, 4 * N);
  return i + 1;
}

template <u32 N, class T>
const Insn* scalar_buffer_load(Wave& w, const Insn* i) {
  w.pc = i;
  const u32* rsrc = w.s + i->op[1].offset;
  const u64 base = (u64(rsrc[1] & 0xffff) << 32) | rsrc[0];
  u32 offset = u32(i->imm);
  if (i->op[2].kind != Kind::None) offset += scalar32(w, i->op[2]);
  const u32 stride = rsrc[1] >> 16 & 0x3fff;
  const u64 limit = stride ? u64(stride) * rsrc[2] : rsrc[2];
  u32 x[16] = {};
  for (u32 k = 0; k < N; k++) {
    const u64 at = (offset & ~u32(sizeof(T) == 4 ? 3 : 0)) + 4 * k;
    if (at + sizeof(T) > limit) continue;
    check_global(w, i, base + at, sizeof(T), 0);
    T value;
    memcpy(&value, reinterpret_cast<const void*>(base + at), sizeof value);
    x[k] = u32(i32(value));
  }
  memcpy(w.s + i->op[0].offset, x, 4 * N);
  return i + 1;
}

// ---------------------------------------------------------------- names


#define EMU_LOADS(PREFIX, SPACE)                                     \
  {PREFIX "_load_u8", load<SPACE, Narrow<u8>>},                      \
  {PREFIX "_load_i8", load<SPACE, Narrow<i8>>},                      \
  {PREFIX "_load_u16", load<SPACE, Narrow<u16>>},                    \
  {PREFIX "_load_i16", load<SPACE, Narrow<i16>>},                    \
  {PREFIX "_load_b32", load<SPACE, Dwords<1>>},                      \
  {PREFIX "_load_b64", load<SPACE, Dwords<2>>},                      \
  {PREFIX "_load_b96", load<SPACE, Dwords<3>>},                      \
  {PREFIX "_load_b128", load<SPACE, Dwords<4>>},                     \
  {PREFIX "_store_b8", store<SPACE, Narrow<u8>>},                    \
  {PREFIX "_store_b16", store<SPACE, Narrow<u16>>},                  \
  {PREFIX "_store_b32", store<SPACE, Dwords<1>>},                    \
  {PREFIX "_store_b64", store<SPACE, Dwords<2>>},                    \
  {PREFIX "_store_b96", store<SPACE, Dwords<3>>},                    \
  {PREFIX "_store_b128", store<SPACE, Dwords<4>>}

#define EMU_HALVES(PREFIX, SPACE)                                    \
  {PREFIX "_load_d16_u8", load<SPACE, Low16<u8>>},                   \
  {PREFIX "_load_d16_i8", load<SPACE, Low16<i8>>},                   \
  {PREFIX "_load_d16_b16", load<SPACE, Low16<u16>>},                 \
  {PREFIX "_load_d16_hi_u8", load<SPACE, High16<u8>>},               \
  {PREFIX "_load_d16_hi_i8", load<SPACE, High16<i8>>},               \
  {PREFIX "_load_d16_hi_b16", load<SPACE, High16<u16>>},             \
  {PREFIX "_store_d16_hi_b8", store<SPACE, High16<u8>>},             \
  {PREFIX "_store_d16_hi_b16", store<SPACE, High16<u16>>}

#define EMU_ATOMICS_OF(PREFIX, SPACE, T, N)                          \
  {PREFIX "_atomic_swap_b" N, atomic<SPACE, Atomic<T>::Swap>},       \
  {PREFIX "_atomic_cmpswap_b" N, atomic<SPACE, Atomic<T>::CompareSwap>}, \
  {PREFIX "_atomic_add_u" N, atomic<SPACE, Atomic<T>::Add>},         \
  {PREFIX "_atomic_sub_u" N, atomic<SPACE, Atomic<T>::Sub>},         \
  {PREFIX "_atomic_rsub_u" N, atomic<SPACE, Atomic<T>::Rsub>},       \
  {PREFIX "_atomic_and_b" N, atomic<SPACE, Atomic<T>::And>},         \
  {PREFIX "_atomic_or_b" N, atomic<SPACE, Atomic<T>::Or>},           \
  {PREFIX "_atomic_xor_b" N, atomic<SPACE, Atomic<T>::Xor>},         \
  {PREFIX "_atomic_min_u" N, atomic<SPACE, Atomic<T>::MinU>},        \
  {PREFIX "_atomic_max_u" N, atomic<SPACE, Atomic<T>::MaxU>},        \
  {PREFIX "_atomic_min_i" N, atomic<SPACE, Atomic<T>::MinI>},        \
  {PREFIX "_atomic_max_i" N, atomic<SPACE, Atomic<T>::MaxI>},        \
  {PREFIX "_atomic_inc_u" N, atomic<SPACE, Atomic<T>::Inc>},         \
  {PREFIX "_atomic_dec_u" N, atomic<SPACE, Atomic<T>::Dec>}

#define EMU_ATOMICS(PREFIX, SPACE)                                   \
  EMU_ATOMICS_OF(PREFIX, SPACE, u32, "32"),                          \
  EMU_ATOMICS_OF(PREFIX, SPACE, u64, "64"),                          \
  {PREFIX "_atomic_sub_clamp_u32", atomic<SPACE, Atomic<u32>::SubClamp>}, \
  {PREFIX "_atomic_cond_sub_u32", atomic<SPACE, Atomic<u32>::CondSub>}, \
  {PREFIX "_atomic_add_f32", atomic<SPACE, AtomicFloat<f32, u32>::Add>}, \
  {PREFIX "_atomic_min_f32", atomic<SPACE, AtomicFloat<f32, u32>::Min>}, \
  {PREFIX "_atomic_max_f32", atomic<SPACE, AtomicFloat<f32, u32>::Max>}, \
  {PREFIX "_atomic_cmpswap_f32", atomic<SPACE, AtomicFloat<f32, u32>::CompareSwap>}, \
  {PREFIX "_atomic_add_f64", atomic<SPACE, AtomicFloat<f64, u64>::Add>}, \
  {PREFIX "_atomic_min_f64", atomic<SPACE, AtomicFloat<f64, u64>::Min>}, \
  {PREFIX "_atomic_max_f64", atomic<SPACE, AtomicFloat<f64, u64>::Max>}, \
  {PREFIX "_atomic_cmpswap_f64", atomic<SPACE, AtomicFloat<f64, u64>::CompareSwap>}, \
  {PREFIX "_atomic_pk_add_f16", atomic<SPACE, AddPairF16>},          \
  {PREFIX "_atomic_pk_add_bf16", atomic<SPACE, AddPairBf16>}

#define EMU_PAIRS(T, N)                                              \
  {"ds_load_2addr_b" N, load_pair<T, 1>},                            \
  {"ds_load_2addr_stride64_b" N, load_pair<T, 64>},                  \
  {"ds_store_2addr_b" N, store_pair<T, 1, false>},                   \
  {"ds_store_2addr_stride64_b" N, store_pair<T, 64, false>},         \
  {"ds_storexchg_2addr_rtn_b" N, store_pair<T, 1, true>},            \
  {"ds_storexchg_2addr_stride64_rtn_b" N, store_pair<T, 64, true>},  \
  {"ds_mskor_b" N, masked_or<T>}

const Handlers registered{
    EMU_LOADS("global", GlobalSpace), EMU_HALVES("global", GlobalSpace),
    EMU_ATOMICS("global", GlobalSpace),
    EMU_LOADS("flat", FlatSpace), EMU_HALVES("flat", FlatSpace), EMU_ATOMICS("flat", FlatSpace),
    EMU_LOADS("scratch", ScratchSpace), EMU_HALVES("scratch", ScratchSpace),
    EMU_LOADS("buffer", BufferSpace), EMU_HALVES("buffer", BufferSpace),
    EMU_ATOMICS("buffer", BufferSpace),
    EMU_LOADS("ds", SharedSpace), EMU_ATOMICS("ds", SharedSpace),
    EMU_PAIRS(u32, "32"), EMU_PAIRS(u64, "64"),
    {"ds_load_u8_d16", load<SharedSpace, Low16<u8>>},
    {"ds_load_i8_d16", load<SharedSpace, Low16<i8>>},
    {"ds_load_u16_d16", load<SharedSpace, Low16<u16>>},
    {"ds_load_u8_d16_hi", load<SharedSpace, High16<u8>>},
    {"ds_load_i8_d16_hi", load<SharedSpace, High16<i8>>},
    {"ds_load_u16_d16_hi", load<SharedSpace, High16<u16>>},
    {"ds_store_b8_d16_hi", store<SharedSpace, High16<u8>>},
    {"ds_store_b16_d16_hi", store<SharedSpace, High16<u16>>},
    {"ds_append", append<1>},
    {"ds_consume", append<-1>},
    {"s_load_b32", scalar_load<1>},
    {"s_load_b64", scalar_load<2>},
    {"s_load_b96", scalar_load<3>},
    {"s_load_b128", scalar_load<4>},
    {"s_load_b256", scalar_load<8>},
    {"s_load_b512", scalar_load<16>},
    {"s_load_u8", scalar_load_narrow<u8>},
    {"s_load_i8", scalar_load_narrow<i8>},
    {"s_load_u16", scalar_load_narrow<u16>},
    {"s_load_i16", scalar_load_narrow<i16>},
    {"s_store_b32", scalar_store<1>},
    {"s_store_b64", scalar_store<2>},
    {"s_store_b128", scalar_store<4>},
    {"s_buffer_load_b32", scalar_buffer_load<1, u32>},
    {"s_buffer_load_b64", scalar_buffer_load<2, u32>},
    {"s_buffer_load_b96", scalar_buffer_load<3, u32>},
    {"s_buffer_load_b128", scalar_buffer_load<4, u32>},
    {"s_buffer_load_b256", scalar_buffer_load<8, u32>},
    {"s_buffer_load_b512", scalar_buffer_load<16, u32>},
    {"s_buffer_load_u8", scalar_buffer_load<1, u8>},
    {"s_buffer_load_i8", scalar_buffer_load<1, i8>},
    {"s_buffer_load_u16", scalar_buffer_load<1, u16>},
    {"s_buffer_load_i16", scalar_buffer_load<1, i16>},
};

}  // namespace
}  // namespace emu
