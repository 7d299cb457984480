// Instructions that look across lanes, and the wrappers for lane access and output modifiers.
#include "floats.hpp"
#include "program.hpp"

namespace emu {

const u32* gather_operand(const Wave& w, const Operand& o, u32* buffer) {
  const u32 lanes = w.lanes, top = o.dwords - 1;
  for (u32 k = 0; k < o.dwords; k++) {
    u32* to = buffer + k * lanes;
    const u32 keep = k == top ? o.keep : ~0u, flip = k == top ? o.flip : 0;
    if (o.kind == Kind::Altered) {
      const u32* from = w.v + o.offset + k * lanes;
      for (u32 l = 0; l < lanes; l++) to[l] = ((from[l] >> o.shift) & keep) ^ flip;
    } else if (o.kind == Kind::Scalar) {
      const u32 x = ((w.s[o.offset + k] >> o.shift) & keep) ^ flip;
      for (u32 l = 0; l < lanes; l++) to[l] = x;
    } else {
      fault(w, w.pc, 719, "an operand is missing");
    }
  }
  return buffer;
}

// ---------------------------------------------------------------- wrappers

namespace {

template <class T>
T modified(T x, u8 omod, bool clamp) {
  if (omod == 1) x = T(x * T(2));
  if (omod == 2) x = T(x * T(4));
  if (omod == 3) x = T(x * T(0.5));
  if (clamp) x = x != x ? T(0) : x < T(0) ? T(0) : x > T(1) ? T(1) : x;
  return x;
}

u16 modified_half(u16 x, u8 omod, bool clamp) { return bits<u16>(modified(bits<f16>(x), omod, clamp)); }

}  // namespace

/// Output multiplier and clamp of floating-point results.
const Insn* with_output_modifiers(Wave& w, const Insn* i) {
  i->core(w, i);
  const u32 lanes = w.lanes;
  u32* d = w.v + i->op[0].offset;
  for (u64 on = w.exec(); on; on &= on - 1) {
    u32* x = d + __builtin_ctzll(on);
    if (i->result == 32) {
      *x = bits<u32>(modified(bits<f32>(*x), i->omod, i->clamp));
    } else if (i->result == 16) {
      const u16 r = modified_half(u16(*x >> i->shift), i->omod, i->clamp);
      *x = (*x & ~(0xffffu << i->shift)) | u32(r) << i->shift;
    } else if (i->result == 33) {
      *x = u32(modified_half(u16(*x), 0, i->clamp)) | u32(modified_half(u16(*x >> 16), 0, i->clamp)) << 16;
    } else if (i->result == 34) {
      for (u32 k = 0; k < 2; k++)
        x[k * lanes] = bits<u32>(modified(bits<f32>(x[k * lanes]), 0, i->clamp));
    } else {
      const u64 raw = u64(x[0]) | u64(x[lanes]) << 32;
      const u64 r = bits<u64>(modified(bits<f64>(raw), i->omod, i->clamp));
      x[0] = u32(r);
      x[lanes] = u32(r >> 32);
    }
  }
  return i + 1;
}

namespace {

/// Points an operand of a copied instruction at per-lane values.
void redirect(Operand& o, const u32* values) {
  o = Operand{};
  o.kind = Kind::Splat;
  o.splat = values;
}

void run_with_dpp(Wave& w, Insn& copy, u32 source_index) {
  const LaneAccess& a = *copy.access;
  const u32 lanes = w.lanes;
  const u64 exec = w.exec();
  const Operand source = copy.op[source_index];
  Buffer raw, crossed;
  const u32* from = fetch(w, source, raw);
  u64 write = exec & a.write;
  for (u32 l = 0; l < lanes; l++) {
    const u32 k = a.lane[l];
    const bool valid = k < lanes && (a.fetch_inactive || (exec >> k & 1));
    for (u32 j = 0; j < source.dwords; j++)
      crossed.lane[l + j * lanes] = valid ? from[k + j * lanes] : 0;
    if (!valid && !a.bound) write &= ~(u64(1) << l);
  }
  // Modifiers of a source that is missing apply to the zero that stands in for it.
  redirect(copy.op[source_index], crossed.lane);
  w.set64(kExec, write);
  copy.inner(w, &copy);
  // A compare that writes EXEC has just done so.
  if (!(copy.imm && copy.op[0].kind == Kind::Scalar && copy.op[0].offset == kExec)) w.set64(kExec, exec);
}

u32 select_part(u32 x, u8 sel, bool extend) {
  if (sel < 4) {
    const u32 b = x >> (8 * sel) & 255;
    return extend ? u32(i32(i8(b))) : b;
  }
  if (sel < 6) {
    const u32 h = x >> (16 * (sel - 4)) & 0xffff;
    return extend ? u32(i32(i16(h))) : h;
  }
  return x;
}

u32 place_part(u32 value, u32 old, u8 sel, u8 unused) {
  if (sel == 6) return value;
  const u32 width = sel < 4 ? 8 : 16, at = sel < 4 ? 8 * sel : 16 * (sel - 4);
  const u32 mask = ((1u << width) - 1) << at, part = value << at & mask;
  if (unused == 2) return (old & ~mask) | part;
  if (unused == 1) {
    const u32 sign = value >> (width - 1) & 1 ? ~0u : 0;
    const u32 above = at + width >= 32 ? 0 : ~0u << (at + width);
    return part | (sign & above);
  }
  return part;
}

void run_with_sdwa(Wave& w, Insn& copy, u32 source_index) {
  const LaneAccess& a = *copy.access;
  const u32 lanes = w.lanes;
  Buffer raw[2], part[2];
  for (u32 k = 0; k < 2; k++) {
    Operand o = copy.op[source_index + k];
    if (o.kind == Kind::None || a.source[k] == 6) continue;
    const u32 keep = o.keep, flip = o.flip;
    o.keep = ~0u;
    o.flip = 0;
    if (o.kind == Kind::Altered) o.kind = Kind::Vector;
    const u32* from = fetch(w, o, raw[k]);
    for (u32 l = 0; l < lanes; l++)
      part[k].lane[l] = (select_part(from[l], a.source[k], a.extend[k]) & keep) ^ flip;
    redirect(copy.op[source_index + k], part[k].lane);
  }
  if (a.result == 6 || copy.op[0].kind == Kind::Scalar) {
    copy.inner(w, &copy);
    return;
  }
  u32* d = w.v + copy.op[0].offset;
  u32 old[64];
  memcpy(old, d, 4 * lanes);
  copy.keep = 0;
  copy.inner(w, &copy);
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    d[l] = place_part(d[l], old[l], a.result, a.unused);
  }
}

}  // namespace

/// Data parallel primitives and sub-dword access: prepares the sources, then runs the instruction.
const Insn* with_lane_access(Wave& w, const Insn* i) {
  Insn copy = *i;
  const u32 first = u32(i->imm2);  // the decoder says where the sources start
  if (i->access->dpp) {
    run_with_dpp(w, copy, first);
  } else {
    run_with_sdwa(w, copy, first);
  }
  return i + 1;
}

// ---------------------------------------------------------------- lane crossing

namespace {

u32 first_active(const Wave& w) {
  return w.exec() ? u32(__builtin_ctzll(w.exec())) : 0;
}

const Insn* v_readfirstlane_b32(Wave& w, const Insn* i) {
  Buffer b;
  w.s[i->op[0].offset] = fetch(w, i->op[1], b)[first_active(w)];
  return i + 1;
}

const Insn* v_readlane_b32(Wave& w, const Insn* i) {
  Buffer b;
  w.s[i->op[0].offset] = fetch(w, i->op[1], b)[scalar32(w, i->op[2]) & (w.lanes - 1)];
  return i + 1;
}

const Insn* v_writelane_b32(Wave& w, const Insn* i) {
  w.v[i->op[0].offset + (scalar32(w, i->op[2]) & (w.lanes - 1))] = scalar32(w, i->op[1]);
  return i + 1;
}

/// Writes f(lane) to active lanes after all of them were computed.
template <class F>
const Insn* cross(Wave& w, const Insn* i, F f) {
  u32 result[64];
  const u64 exec = w.exec();
  for (u32 l = 0; l < w.lanes; l++) result[l] = exec >> l & 1 ? f(l) : 0;
  u32* d = w.v + i->op[0].offset;
  for (u32 l = 0; l < w.lanes; l++) d[l] = exec >> l & 1 ? result[l] : d[l];
  return i + 1;
}

/// Arbitrary choice within rows of 16, from the same row or its neighbour. `sel` bit 0: fetch inactive
/// lanes too; bit 1: read 0 where the source lane is off.
template <bool kOther, bool kVariable>
const Insn* permute_rows(Wave& w, const Insn* i) {
  Buffer b, c;
  const u32* from = fetch(w, i->op[1], b);
  const u32* old = w.v + i->op[0].offset;
  const u32* choice = kVariable ? fetch(w, i->op[2], c) : nullptr;
  const u64 select = kVariable ? 0 : u64(scalar32(w, i->op[2])) | u64(scalar32(w, i->op[3])) << 32;
  return cross(w, i, [&](u32 l) {
    const u32 k = kVariable ? choice[l] & 15 : u32(select >> (4 * (l & 15)) & 15);
    const u32 row = kOther ? (l & ~15u) ^ 16 : l & ~15u;
    if ((i->sel & 1) || (w.exec() >> (row + k) & 1)) return from[row + k];
    return i->sel & 2 ? 0 : old[l];
  });
}

const Insn* v_permlane64_b32(Wave& w, const Insn* i) {
  Buffer b;
  const u32* from = fetch(w, i->op[1], b);
  return w.lanes == 64 ? cross(w, i, [&](u32 l) { return from[l ^ 32]; }) : i + 1;
}

/// Exchanges odd rows of one register with even rows of the other.
template <u32 kRow>
const Insn* swap_rows(Wave& w, const Insn* i) {
  u32* d = w.v + i->op[0].offset;
  u32* s = w.v + i->op[1].offset;
  for (u32 l = 0; l < w.lanes; l++)
    if (!(l & kRow)) std::swap(s[l], d[l + kRow]);
  return i + 1;
}

const Insn* v_swap_b32(Wave& w, const Insn* i) {
  u32* d = w.v + i->op[0].offset;
  u32* s = w.v + i->op[1].offset;
  for (u64 on = w.exec(); on; on &= on - 1) std::swap(d[__builtin_ctzll(on)], s[__builtin_ctzll(on)]);
  return i + 1;
}

const Insn* v_swap_b16(Wave& w, const Insn* i) {
  u32* d = w.v + i->op[0].offset;
  u32* s = w.v + i->op[1].offset;
  const u32 a = i->shift, b = i->op[1].shift;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const u32 x = d[l] >> a & 0xffff, y = s[l] >> b & 0xffff;
    d[l] = (d[l] & ~(0xffffu << a)) | y << a;
    s[l] = (s[l] & ~(0xffffu << b)) | x << b;
  }
  return i + 1;
}

// Relative vector addressing through M0.
const Insn* v_movrels_b32(Wave& w, const Insn* i) {
  const u32* from = w.v + i->op[1].offset + w.s[kM0] * w.lanes;
  return cross(w, i, [&](u32 l) { return from[l]; });
}
const Insn* v_movreld_b32(Wave& w, const Insn* i) {
  Buffer b;
  const u32* from = fetch(w, i->op[1], b);
  u32* d = w.v + i->op[0].offset + w.s[kM0] * w.lanes;
  for (u64 on = w.exec(); on; on &= on - 1) d[__builtin_ctzll(on)] = from[__builtin_ctzll(on)];
  return i + 1;
}

template <bool kHigh>
const Insn* mbcnt(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* mask = fetch(w, i->op[1], b[0]);
  const u32* add = fetch(w, i->op[2], b[1]);
  return cross(w, i, [&](u32 l) {
    const u64 below = (u64(1) << l) - 1;
    return add[l] + u32(__builtin_popcount(mask[l] & u32(kHigh ? below >> 32 : below)));
  });
}

const Insn* ds_bpermute_b32(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* address = fetch(w, i->op[1], b[0]);
  const u32* data = fetch(w, i->op[2], b[1]);
  const u64 exec = w.exec();
  return cross(w, i, [&](u32 l) {
    const u32 k = (address[l] + u32(i->imm)) / 4 & (w.lanes - 1);
    return exec >> k & 1 ? data[k] : 0;
  });
}

const Insn* ds_bpermute_fi_b32(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* address = fetch(w, i->op[1], b[0]);
  const u32* data = fetch(w, i->op[2], b[1]);
  return cross(w, i, [&](u32 l) { return data[(address[l] + u32(i->imm)) / 4 & (w.lanes - 1)]; });
}

const Insn* ds_permute_b32(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* address = fetch(w, i->op[1], b[0]);
  const u32* data = fetch(w, i->op[2], b[1]);
  u32 sent[64] = {};
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    sent[(address[l] + u32(i->imm)) / 4 & (w.lanes - 1)] = data[l];
  }
  return cross(w, i, [&](u32 l) { return sent[l]; });
}

u32 swizzled_lane(u32 l, u32 pattern, u32 lanes) {
  const u32 group = l & ~31u;
  if (pattern >= 0xe000) {  // bit reversal within powers of two
    const u32 mask = pattern & 31;
    u32 j = reverse_bits(l & 31) >> 27;
    j >>= __builtin_popcount(mask);
    return (j | (l & mask)) | group;
  }
  if (pattern >= 0xc000) {  // rotation within groups that the mask keeps apart
    const u32 mask = pattern & 31, n = pattern >> 5 & 31;
    const u32 step = pattern >> 10 & 1 ? 32 - n : n;
    return (l & mask) | ((l + step) & ~mask & 31) | group;
  }
  if (pattern & 0x8000) return (l & ~3u) | (pattern >> (2 * (l & 3)) & 3);
  const u32 j = (((l & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31)) & 31;
  (void)lanes;
  return j | group;
}

const Insn* ds_swizzle_b32(Wave& w, const Insn* i) {
  Buffer b;
  const u32* from = fetch(w, i->op[1], b);
  const u64 exec = w.exec();
  return cross(w, i, [&](u32 l) {
    const u32 k = swizzled_lane(l, u32(i->imm), w.lanes);
    return exec >> k & 1 ? from[k] : 0;
  });
}

// ---------------------------------------------------------------- mixed precision

/// Source `k` as f32: whole, or a half of it; `sel` holds op_sel, op_sel_hi, negate, absolute.
f32 mixed(const Insn* i, u32 k, u32 raw) {
  const u32 sel = i->sel >> (4 * k) & 15;
  f32 x = sel & 2 ? f32(bits<f16>(u16(sel & 1 ? raw >> 16 : raw))) : bits<f32>(raw);
  if (sel & 8) x = absolute(x);
  return sel & 4 ? -x : x;
}

enum class MixTo { F32, Low, High };

template <MixTo kTo, bool kFused>
const Insn* mix(Wave& w, const Insn* i) {
  WideMode mode(w);
  Buffer b[3];
  const u32* p[3] = {fetch(w, i->op[1], b[0]), fetch(w, i->op[2], b[1]), fetch(w, i->op[3], b[2])};
  u32* d = w.v + i->op[0].offset;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const f32 x = mixed(i, 0, p[0][l]), y = mixed(i, 1, p[1][l]), z = mixed(i, 2, p[2][l]);
    f32 r = kFused ? fma(x, y, z) : x * y + z;
    if (i->imm) r = r != r ? 0 : r < 0 ? 0 : r > 1 ? 1 : r;  // clamp
    if (kTo == MixTo::F32) d[l] = bits<u32>(r);
    if (kTo == MixTo::Low) d[l] = (d[l] & 0xffff0000u) | bits<u16>(f16(r));
    if (kTo == MixTo::High) d[l] = (d[l] & 0xffffu) | u32(bits<u16>(f16(r))) << 16;
  }
  return i + 1;
}

const Insn* v_pk_mov_b32(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* x = fetch(w, i->op[1], b[0]);
  const u32* y = fetch(w, i->op[2], b[1]);
  u32* d = w.v + i->op[0].offset;
  const u32 lanes = w.lanes;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const u32 low = x[l + (i->sel & 1) * lanes], high = y[l + (i->sel >> 5 & 1) * lanes];
    d[l] = low;
    d[l + lanes] = high;
  }
  return i + 1;
}

const Insn* v_pk_fmac_f16(Wave& w, const Insn* i) {
  Buffer b[2];
  const u32* x = fetch(w, i->op[1], b[0]);
  const u32* y = fetch(w, i->op[2], b[1]);
  u32* d = w.v + i->op[0].offset;
  const auto half = [](u32 r, u32 k) { return bits<f16>(u16(r >> 16 * k)); };
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    u32 r = 0;
    for (u32 k = 0; k < 2; k++)
      r |= u32(bits<u16>(fma(half(x[l], k), half(y[l], k), half(d[l], k)))) << 16 * k;
    d[l] = r;
  }
  return i + 1;
}

/// Dot products with a sign flag for each source (`sel` bits 0 and 1).
template <u32 kBits>
const Insn* dot_mixed_signs(Wave& w, const Insn* i) {
  Buffer b[3];
  const u32* p[3] = {fetch(w, i->op[1], b[0]), fetch(w, i->op[2], b[1]), fetch(w, i->op[3], b[2])};
  const auto part = [&](u32 x, u32 k, bool is_signed) {
    const u32 top = x << (32 - kBits - kBits * k);
    return is_signed ? i64(i32(top) >> (32 - kBits)) : i64(top >> (32 - kBits));
  };
  return cross(w, i, [&](u32 l) {
    i64 sum = i32(p[2][l]);
    for (u32 k = 0; k < 32 / kBits; k++)
      sum += part(p[0][l], k, i->sel & 1) * part(p[1][l], k, i->sel & 2);
    return i->clamp ? u32(clamp_to<i32>(sum)) : u32(sum);
  });
}

u32 bit_operation(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (u32 k = 0; k < 8; k++)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}

const Insn* v_bitop3_b32(Wave& w, const Insn* i) {
  const u32 table = u32(i->imm);
  return map<u32, u32, u32, u32>(w, i, [=](u32 a, u32 b, u32 c) { return bit_operation(a, b, c, table); });
}
const Insn* v_bitop3_b16(Wave& w, const Insn* i) {
  const u32 table = u32(i->imm);
  return map<u16, u16, u16, u16>(
      w, i, [=](u16 a, u16 b, u16 c) { return u16(bit_operation(a, b, c, table)); });
}

// ---------------------------------------------------------------- 8-bit floats

template <bool kWide>
const Insn* cvt_f32_fp8(Wave& w, const Insn* i) {
  const bool fnuz = w.program->target.fnuz;
  const u32 k = i->sel;  // byte
  return map<f32, u32>(w, i, [=](u32 a) { return from_fp8(u8(a >> 8 * k), kWide, fnuz); });
}

template <bool kWide>
const Insn* cvt_pk_f32_fp8(Wave& w, const Insn* i) {
  const bool fnuz = w.program->target.fnuz;
  const u32 k = i->sel;  // word
  return map<u64, u32>(w, i, [=](u32 a) {
    const u32 lo = bits<u32>(from_fp8(u8(a >> 16 * k), kWide, fnuz));
    const u32 hi = bits<u32>(from_fp8(u8(a >> (16 * k + 8)), kWide, fnuz));
    return u64(lo) | u64(hi) << 32;
  });
}

template <bool kWide>
const Insn* cvt_pk_fp8_f32(Wave& w, const Insn* i) {
  const bool fnuz = w.program->target.fnuz, saturate = w.mode_rest >> 23 & 1;
  Buffer b[2];
  const u32* x = fetch(w, i->op[1], b[0]);
  const u32* y = fetch(w, i->op[2], b[1]);
  u32* d = w.v + i->op[0].offset;
  const u32 at = i->sel & 1 ? 16 : 0;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const u32 pair = to_fp8(bits<f32>(x[l]), kWide, fnuz, saturate) |
                     to_fp8(bits<f32>(y[l]), kWide, fnuz, saturate) << 8;
    d[l] = (d[l] & ~(0xffffu << at)) | pair << at;
  }
  return i + 1;
}

template <bool kWide>
const Insn* cvt_sr_fp8_f32(Wave& w, const Insn* i) {
  const bool fnuz = w.program->target.fnuz, saturate = w.mode_rest >> 23 & 1;
  Buffer b[2];
  const u32* x = fetch(w, i->op[1], b[0]);
  const u32* y = fetch(w, i->op[2], b[1]);
  u32* d = w.v + i->op[0].offset;
  const u32 at = 8 * (i->sel & 3), shift = kWide ? 11 : 12;
  for (u64 on = w.exec(); on; on &= on - 1) {
    const u32 l = u32(__builtin_ctzll(on));
    const u32 raw = x[l], mantissa = ((raw & 0x7fffff) + (y[l] >> shift)) & 0x7fffff;
    const f32 noisy = bits<f32>((raw & 0xff800000u) | mantissa);
    d[l] = (d[l] & ~(255u << at)) | u32(to_fp8(noisy, kWide, fnuz, saturate)) << at;
  }
  return i + 1;
}

const Handlers registered{
    {"v_readfirstlane_b32", v_readfirstlane_b32},
    {"v_readlane_b32", v_readlane_b32},
    {"v_writelane_b32", v_writelane_b32},
    {"v_permlane16_b32", permute_rows<false, false>},
    {"v_permlanex16_b32", permute_rows<true, false>},
    {"v_permlane16_var_b32", permute_rows<false, true>},
    {"v_permlanex16_var_b32", permute_rows<true, true>},
    {"v_permlane64_b32", v_permlane64_b32},
    {"v_permlane16_swap_b32", swap_rows<16>},
    {"v_permlane32_swap_b32", swap_rows<32>},
    {"v_swap_b32", v_swap_b32},
    {"v_swap_b16", v_swap_b16},
    {"v_movrels_b32", v_movrels_b32},
    {"v_movreld_b32", v_movreld_b32},
    {"v_mbcnt_lo_u32_b32", mbcnt<false>},
    {"v_mbcnt_hi_u32_b32", mbcnt<true>},
    {"ds_bpermute_b32", ds_bpermute_b32},
    {"ds_bpermute_fi_b32", ds_bpermute_fi_b32},
    {"ds_permute_b32", ds_permute_b32},
    {"ds_swizzle_b32", ds_swizzle_b32},
    {"v_fma_mix_f32", mix<MixTo::F32, true>},
    {"v_fma_mixlo_f16", mix<MixTo::Low, true>},
    {"v_fma_mixhi_f16", mix<MixTo::High, true>},
    {"v_mad_mix_f32", mix<MixTo::F32, false>},
    {"v_mad_mixlo_f16", mix<MixTo::Low, false>},
    {"v_mad_mixhi_f16", mix<MixTo::High, false>},
    {"v_pk_mov_b32", v_pk_mov_b32},
    {"v_pk_fmac_f16", v_pk_fmac_f16},
    {"v_dot4_i32_iu8", dot_mixed_signs<8>},
    {"v_dot8_i32_iu4", dot_mixed_signs<4>},
    {"v_bitop3_b32", v_bitop3_b32},
    {"v_bitop3_b16", v_bitop3_b16},
    {"v_cvt_f32_fp8", cvt_f32_fp8<false>},
    {"v_cvt_f32_bf8", cvt_f32_fp8<true>},
    {"v_cvt_pk_f32_fp8", cvt_pk_f32_fp8<false>},
    {"v_cvt_pk_f32_bf8", cvt_pk_f32_fp8<true>},
    {"v_cvt_pk_fp8_f32", cvt_pk_fp8_f32<false>},
    {"v_cvt_pk_bf8_f32", cvt_pk_fp8_f32<true>},
    {"v_cvt_sr_fp8_f32", cvt_sr_fp8_f32<false>},
    {"v_cvt_sr_bf8_f32", cvt_sr_fp8_f32<true>},
};

}  // namespace
}  // namespace emu
