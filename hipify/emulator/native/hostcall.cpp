// Calls from device code to the host: printf, assert messages and memory requests.
//
// Device code takes a packet from a free list, fills one slot a lane, pushes the packet on a ready list,
// rings a bell and waits until the packet's control word says that the answer is in the slots.
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "program.hpp"

namespace emu {
namespace {

struct Header {
  u64 next, active;
  u32 service, control;
};
struct Payload {
  u64 slot[64][8];
};
struct HostcallBuffer {
  Header* headers;
  Payload* payloads;
  u64 doorbell, free_stack, ready_stack, index_mask;
};
struct Signal {  // the part of a doorbell that device code touches
  u64 kind, value, mailbox;
  u32 event, unused;
  u64 rest[4];
};

constexpr u64 kPackets = 1024;
enum Service : u32 { kPrintf = 2, kMemory = 3 };

std::map<u64, std::vector<u64>>& messages() {
  static auto* m = new std::map<u64, std::vector<u64>>;
  return *m;
}
u64 next_message = 1;

HostcallBuffer* make_buffer() {
  u8* p = static_cast<u8*>(
      arena_allocate(sizeof(HostcallBuffer) + 256 + kPackets * (sizeof(Header) + sizeof(Payload)), 4096));
  auto* b = reinterpret_cast<HostcallBuffer*>(p);
  auto* signal = reinterpret_cast<Signal*>(p + 128);
  memset(p, 0, 256);
  b->headers = reinterpret_cast<Header*>(p + 256);
  b->payloads = reinterpret_cast<Payload*>(p + 256 + kPackets * sizeof(Header));
  signal->mailbox = reinterpret_cast<u64>(p + 120);
  signal->event = 1;
  b->doorbell = reinterpret_cast<u64>(signal);
  b->index_mask = kPackets - 1;
  // Entries carry a tag above the index, so that none is zero.
  u64 next = 0;
  for (u64 k = 0; k < kPackets; k++) {
    b->headers[k] = {next, 0, 0, 0};
    next = kPackets | k;
  }
  b->free_stack = next;
  b->ready_stack = 0;
  return b;
}

// ---------------------------------------------------------------- printf

/// Prints one conversion with up to two star arguments before its value.
template <class T>
void print_value(FILE* out, const std::string& spec, const u64* stars, u32 star_count, T value) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  if (star_count == 0) fprintf(out, spec.c_str(), value);
  if (star_count == 1) fprintf(out, spec.c_str(), int(stars[0]), value);
  if (star_count == 2) fprintf(out, spec.c_str(), int(stars[0]), int(stars[1]), value);
#pragma clang diagnostic pop
}

/// Prints a conversion and returns how many words of arguments it took.
size_t print_conversion(FILE* out, const std::string& spec, const u64* at, size_t left) {
  u32 stars = 0;
  for (const char c : spec) stars += c == '*';
  if (stars > 2 || left < stars + 1) return left;
  const u64* value = at + stars;
  switch (spec.back()) {
    case 's': {
      const char* text = reinterpret_cast<const char*>(value);
      print_value(out, spec, at, stars, text);
      return stars + (strnlen(text, (left - stars) * 8) + 8) / 8;
    }
    case 'n': break;
    case 'p': print_value(out, spec, at, stars, reinterpret_cast<void*>(*value)); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      print_value(out, spec, at, stars, bits<f64>(*value));
      break;
    default: print_value(out, spec, at, stars, *value); break;
  }
  return stars + 1;
}

/// A message is a control word (bit 0: to stderr), the format and its arguments, in 8-byte units.
void print_message(const std::vector<u64>& message) {
  if (message.size() < 2) return;
  FILE* out = message[0] & 1 ? stderr : stdout;
  const std::string format(reinterpret_cast<const char*>(&message[1]));
  size_t next = 1 + (format.size() + 8) / 8, k = 0;
  while (k < format.size()) {
    const size_t percent = std::min(format.find('%', k), format.size());
    fwrite(&format[k], 1, percent - k, out);
    if (percent == format.size()) break;
    if (format[percent + 1] == '%') {
      fputc('%', out);
      k = percent + 2;
      continue;
    }
    const size_t end = format.find_first_of("diouxXfFeEgGaAcspn", percent + 1);
    if (end == std::string::npos || next >= message.size()) break;
    next += print_conversion(out, format.substr(percent, end + 1 - percent), &message[next],
                             message.size() - next);
    k = end + 1;
  }
}

/// Slot 0 describes a piece of a message: bit 0 begins it, bit 1 ends it, bits 5-7 count its words,
/// the bits above name it.
void take_message_piece(u64* slot) {
  u64 descriptor = slot[0];
  if (descriptor & 1) {
    descriptor = (descriptor & 0xfe) | next_message++ << 8;
    messages()[descriptor >> 8];
  }
  const auto found = messages().find(descriptor >> 8);
  if (found == messages().end()) return;
  const u64 count = descriptor >> 5 & 7;
  found->second.insert(found->second.end(), slot + 1, slot + 1 + count);
  slot[0] = descriptor;
  if (descriptor & 2) {
    print_message(found->second);
    messages().erase(found);
    slot[0] = 0;
  }
}

void serve_memory(u64* slot) {
  if (slot[0]) {
    arena_free(reinterpret_cast<void*>(slot[0]));
    slot[0] = 0;
  } else {
    slot[0] = reinterpret_cast<u64>(arena_allocate(slot[1], 4096));
  }
}

}  // namespace

u64 hostcall_buffer() {
  static HostcallBuffer* b = make_buffer();
  return reinterpret_cast<u64>(b);
}

void service_hostcall(u64 address) {
  static std::mutex lock;
  const std::lock_guard<std::mutex> guard(lock);
  auto* b = reinterpret_cast<HostcallBuffer*>(address);
  u64 entry = __atomic_exchange_n(&b->ready_stack, u64(0), __ATOMIC_ACQ_REL);
  std::vector<u64> order;
  for (; entry; entry = b->headers[entry & b->index_mask].next) order.push_back(entry);
  for (size_t k = order.size(); k-- > 0;) {  // the stack has the oldest last
    Header& h = b->headers[order[k] & b->index_mask];
    Payload& p = b->payloads[order[k] & b->index_mask];
    for (u64 on = h.active; on; on &= on - 1) {
      u64* slot = p.slot[__builtin_ctzll(on)];
      if (h.service == kPrintf) take_message_piece(slot);
      else if (h.service == kMemory) serve_memory(slot);
      else fprintf(stderr, "hipify emulator: unknown host call %u\n", h.service);
    }
    __atomic_store_n(&h.control, h.control & ~1u, __ATOMIC_RELEASE);
  }
}

}  // namespace emu
