// Running launches: work-groups, their waves, and the threads that interleave them.
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <thread>

#include "memory.hpp"

namespace emu {
namespace {

struct Fault {
  int error;
  std::string text;
};

thread_local const Wave* running = nullptr;  // the wave that a signal belongs to
thread_local sigjmp_buf escape;
thread_local u64 bad_address = 0;

std::mutex fault_lock;
std::string fault_text;

constexpr i64 kQuantum = 200000;  // instructions that a wave may run before others have their turn

std::string describe(const Wave& w, const Insn* i, const std::string& what) {
  const Launch& l = *w.group->launch;
  const Dim& g = w.group->id;
  const Program& p = *w.program;
  const std::string where = p.where(i);
  char place[160];
  snprintf(place, sizeof place, "block (%u,%u,%u), wave %u", g.x, g.y, g.z, w.index);
  return "hipify emulator: " + what + "\n  kernel " + l.kernel->name + " on " + p.target.name + ", " +
         place + "\n  at " + (where.empty() ? "(compile with -gline-tables-only for lines)" : where) +
         "\n  instruction " + p.texts[i->index] + "\n";
}

}  // namespace

void fault(const Wave& w, const Insn* i, int error, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  throw Fault{error, describe(w, w.pc && !i ? w.pc : i, text)};
}

std::string last_fault() {
  const std::lock_guard<std::mutex> guard(fault_lock);
  return fault_text;
}

namespace {

struct sigaction previous_segv, previous_bus;

void on_signal(int number, siginfo_t* info, void* context) {
  if (running) {
    bad_address = reinterpret_cast<u64>(info->si_addr);
    siglongjmp(escape, 1);
  }
  // Not ours: the program's own bug. Let the handler that was there before have it.
  const struct sigaction& previous = number == SIGSEGV ? previous_segv : previous_bus;
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

void catch_signals() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
  });
}

// ---------------------------------------------------------------- starting waves

/// Where the registers that a wave starts with are filled in.
struct Setup {
  Wave& w;
  u32 next = 0;
  void put(u32 x) { w.s[next++] = x; }
  void put64(u64 x) {
    put(u32(x));
    put(u32(x >> 32));
  }
};

void user_registers(Setup& s, const Launch& launch) {
  const Kernel& k = *launch.kernel;
  if (k.properties & 1) {  // private segment descriptor
    s.put(0);
    s.put(0);
    s.put(BufferSpace::kPrivateMark);
    s.put(0);
  }
  if (k.properties & 2) s.put64(launch.packet);
  if (k.properties & 4) s.put64(0);  // queue
  if (k.properties & 8) s.put64(launch.kernarg);
  if (k.properties & 16) s.put64(0);  // dispatch id
  if (k.properties & 32) s.put64(0);  // flat scratch
  if (k.properties & 64) s.put(k.private_size);
  const u32 count = k.preload & 127, from = k.preload >> 7 & 511;
  for (u32 n = 0; n < count; n++) {
    u32 x;
    memcpy(&x, reinterpret_cast<const void*>(launch.kernarg + 4 * (from + n)), 4);
    s.put(x);
  }
  s.next = std::max(s.next, k.rsrc2 >> 1 & 31);
}

void system_registers(Setup& s, const Group& g, const Launch& launch) {
  const Kernel& k = *launch.kernel;
  if (k.program->target.major >= 12) {
    s.w.s[kTtmp + 9] = g.id.x;
    s.w.s[kTtmp + 7] = g.id.y | g.id.z << 16;
  }
  if (k.rsrc2 >> 7 & 1) s.put(g.id.x);
  if (k.rsrc2 >> 8 & 1) s.put(g.id.y);
  if (k.rsrc2 >> 9 & 1) s.put(g.id.z);
  if (k.rsrc2 >> 10 & 1) s.put(0);  // work-group info
  if ((k.rsrc2 & 1) && !k.program->target.flat_scratch) s.put(0);  // scratch offset of the wave
}

void lane_ids(Wave& w, const Launch& launch) {
  const Dim& b = launch.block;
  const Kernel& k = *launch.kernel;
  for (u32 l = 0; l < w.lanes; l++) {
    const u32 t = w.index * w.lanes + l;
    const u32 x = t % b.x, y = t / b.x % b.y, z = t / (b.x * b.y);
    if (k.program->target.packed_ids) {
      w.v[l] = x | y << 10 | z << 20;
    } else {
      w.v[l] = x;
      if ((k.rsrc2 >> 11 & 3) >= 1) w.v[l + w.lanes] = y;
      if ((k.rsrc2 >> 11 & 3) >= 2) w.v[l + 2 * w.lanes] = z;
    }
  }
}

void start_wave(Wave& w, Group& g, Launch& launch, u32 index) {
  const Kernel& k = *launch.kernel;
  const Program& p = *k.program;
  memset(w.s, 0, sizeof w.s);
  w.state = State::Ready;
  w.group = &g;
  w.program = &p;
  w.lanes = p.lanes;
  w.index = index;
  w.executed = 0;
  w.grid_barrier = 0;
  const u32 mode = k.rsrc1 >> 12 & 255;
  w.mode = {u8(mode & 3), u8(mode >> 2 & 3), u8(mode >> 4 & 3), u8(mode >> 6 & 3)};
  w.mode_rest = (k.rsrc1 >> 21 & 1) << 8 | (k.rsrc1 >> 23 & 1) << 9;  // clamp, IEEE
  w.split_modes = w.mode.round32 != w.mode.round64 || w.mode.denorm32 != w.mode.denorm64;
  const u32 total = u32(launch.block.count()), here = std::min(total - index * w.lanes, w.lanes);
  w.set64(kExec, here == 64 ? ~u64(0) : (u64(1) << here) - 1);
  w.set64(kSharedBase, kSharedAperture);
  w.set64(kSharedLimit, kSharedAperture | 0xffffffffu);
  w.set64(kPrivateBase, kPrivateAperture);
  w.set64(kPrivateLimit, kPrivateAperture | 0xffffffffu);
  Setup s{w};
  user_registers(s, launch);
  system_registers(s, g, launch);
  lane_ids(w, launch);
  w.pc = p.find(k.entry);
}

constexpr u32 kDynamicStack = 16384;  // bytes a lane where the compiler could not know the depth

void build_group(Group& g, Launch& launch) {
  const Kernel& k = *launch.kernel;
  const Program& p = *k.program;
  const u32 waves = u32((launch.block.count() + p.lanes - 1) / p.lanes);
  const u32 registers = std::max(p.vgprs, 3u) + 4;  // four more: pairs and quads at the end
  const u32 lane_bytes = (k.private_size + (k.dynamic_stack ? kDynamicStack : 0) + 15) / 16 * 16;
  g.launch = &launch;
  g.lds_size = launch.lds;
  g.memory.reset(new u8[launch.lds + 64]());
  g.lds = g.memory.get() + (64 - reinterpret_cast<u64>(g.memory.get()) % 64) % 64;
  g.registers.reset(new u32[u64(waves) * registers * p.lanes + 16]());
  u32* aligned = g.registers.get() + (64 - reinterpret_cast<u64>(g.registers.get()) % 64) % 64 / 4;
  g.scratch.reset(new u8[u64(waves) * p.lanes * lane_bytes + 16]());
  g.waves.resize(waves);
  for (u32 n = 0; n < waves; n++) {
    g.waves[n].v = aligned + u64(n) * registers * p.lanes;
    g.waves[n].lanes = p.lanes;
    g.waves[n].scratch = g.scratch.get() + u64(n) * p.lanes * lane_bytes;
    g.waves[n].scratch_lane = lane_bytes;
  }
}

void start_group(Group& g, Launch& launch, u64 number) {
  g.id.x = u32(number % launch.grid.x);
  g.id.y = u32(number / launch.grid.x % launch.grid.y);
  g.id.z = u32(number / (u64(launch.grid.x) * launch.grid.y));
  for (u32 n = 0; n < g.waves.size(); n++) start_wave(g.waves[n], g, launch, n);
}

// ---------------------------------------------------------------- running waves

void run_wave(Wave& w) {
  const Insn* i = w.pc;
  w.state = State::Ready;
  w.budget = kQuantum;
  set_host_mode(w.mode, false);
  do {
    i = i->run(w, i);
  } while (i);
}

/// Runs every wave until it waits, yields or ends. False when all have ended.
bool turn(Group& g) {
  u32 waiting = 0, alive = 0;
  for (Wave& w : g.waves) {
    if (w.state == State::Ended) continue;
    if (w.state != State::Barrier) {
      running = &w;
      run_wave(w);
      running = nullptr;
    }
    if (w.state == State::Ended) {
      g.launch->executed += w.executed;
      continue;
    }
    alive++;
    waiting += w.state == State::Barrier;
  }
  if (alive && waiting == alive)
    for (Wave& w : g.waves)
      if (w.state == State::Barrier) w.state = State::Ready;
  return alive != 0;
}

bool has_yielded(const Group& g) {
  for (const Wave& w : g.waves)
    if (w.state == State::Yielded) return true;
  return false;
}

/// Runs a group until it ends (true) or only yields (false).
bool run_group(Group& g) {
  for (;;) {
    if (!turn(g)) return true;
    if (has_yielded(g)) return false;
  }
}

void check_limit(Group& g) {
  u64 executed = 0;
  for (const Wave& w : g.waves) executed += w.executed;
  if (g.launch->limit && g.launch->executed + executed > g.launch->limit)
    for (const Wave& w : g.waves)
      if (w.state != State::Ended)
        fault(w, w.pc, 719, "the launch ran more than %llu instructions",
              (unsigned long long)g.launch->limit);
}

struct Worker {
  Launch& launch;
  std::deque<std::unique_ptr<Group>> parked;  // groups that gave way to others
  std::vector<std::unique_ptr<Group>> spare;
  static constexpr size_t kResident = 4096;

  std::unique_ptr<Group> fresh() {
    if (parked.size() >= kResident) return nullptr;
    const u64 number = launch.next++;
    if (number >= launch.grid.count()) return nullptr;
    std::unique_ptr<Group> g;
    if (spare.empty()) {
      g = std::make_unique<Group>();
      build_group(*g, launch);
    } else {
      g = std::move(spare.back());
      spare.pop_back();
    }
    start_group(*g, launch, number);
    return g;
  }

  void run() {
    while (!launch.failed) {
      std::unique_ptr<Group> g = fresh();
      if (!g) {
        if (parked.empty()) return;
        g = std::move(parked.front());
        parked.pop_front();
      }
      current = std::move(g);
      if (run_group(*current)) {
        spare.push_back(std::move(current));
      } else {
        check_limit(*current);
        parked.push_back(std::move(current));
      }
    }
  }
  std::unique_ptr<Group> current;  // a member, so that a fault's long jump skips no destructor
};

void record(Launch& launch, const std::string& text) {
  const std::lock_guard<std::mutex> guard(fault_lock);
  if (!launch.failed.exchange(true)) fault_text = text;
}

int guarded(Worker& worker) {
  const unsigned csr = __builtin_ia32_stmxcsr();
  int error = 0;
  if (sigsetjmp(escape, 0)) {
    const Wave& w = *running;
    running = nullptr;
    char text[96];
    snprintf(text, sizeof text, "access to address 0x%llx, which is not allocated",
             (unsigned long long)bad_address);
    record(worker.launch, describe(w, w.pc, text));
    error = 700;
  } else {
    try {
      worker.run();
    } catch (const Fault& f) {
      running = nullptr;
      record(worker.launch, f.text);
      error = f.error;
    }
  }
  __builtin_ia32_ldmxcsr(csr);
  return error;
}

}  // namespace

bool run_listing(Wave& w, std::string& error) {
  const unsigned csr = __builtin_ia32_stmxcsr();
  bool ended = false;
  try {
    run_wave(w);
    ended = w.state == State::Ended;
    if (!ended) error = "the wave stopped before its end";
  } catch (const Fault& f) {
    error = f.text;
  }
  __builtin_ia32_ldmxcsr(csr);
  return ended;
}

int run_launch(Launch& launch, unsigned threads) {
  catch_signals();
  // A thread costs tens of microseconds to start: small launches do without.
  const u64 work = launch.grid.count() * launch.block.count();
  const unsigned count = unsigned(std::min<u64>(work < 16384 ? 1 : threads, launch.grid.count()));
  std::atomic<int> error{0};
  const auto one = [&] {
    Worker worker{launch};
    if (const int e = guarded(worker)) error = e;
  };
  std::vector<std::thread> pool;
  for (unsigned n = 1; n < count; n++) pool.emplace_back(one);
  one();
  for (std::thread& t : pool) t.join();
  return error;
}

}  // namespace emu
