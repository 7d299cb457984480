// A wave of 32 or 64 lanes on the host: each lane is a fiber, and the builtins that look across lanes wait
// until all lanes of the same branch have come to them. Enough to run warp32.hpp's functions by value.

#pragma once

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define __device__
#define __HIPCC_RTC__  // No runtime header: this file stands in for it.
#define __builtin_amdgcn_fence(order, scope) static_cast<void>(order)

namespace wave {

enum class Op { none, ballot, first_lane, permute, barrier };

struct Lane {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(64 * 1024);
  std::function<void()> program;
  int branch = 0;
  bool done = true;
  Op op = Op::none;
  int argument = 0, index = 0;
  unsigned long long result = 0;
};

inline std::vector<Lane> lanes;
inline unsigned current;
inline ucontext_t scheduler;

inline unsigned long long wait_for_others(Op op, int argument, int index = 0) {
  Lane &lane = lanes[current];
  lane.op = op, lane.argument = argument, lane.index = index;
  swapcontext(&lane.context, &scheduler);
  return lane.result;
}

inline void start() {
  lanes[current].program();
  lanes[current].done = true;
  setcontext(&scheduler);
}

// What the hardware does with one instruction, given the lanes that execute it.
inline void execute(const std::vector<unsigned> &active) {
  unsigned long long votes = 0;
  for (unsigned at : active) votes |= static_cast<unsigned long long>(lanes[at].argument != 0) << at;
  for (unsigned at : active) {
    Lane &lane = lanes[at];
    if (lane.op != lanes[active[0]].op) std::puts("lanes of one branch diverge"), std::exit(2);
    if (lane.op == Op::ballot) lane.result = votes;
    if (lane.op == Op::first_lane) lane.result = static_cast<unsigned>(lanes[active[0]].argument);
    if (lane.op == Op::permute) {
      const unsigned source = static_cast<unsigned>(lane.index) / 4 % lanes.size();
      lane.result = 0;  // of lanes that are not there
      for (unsigned other : active) {
        if (other == source) lane.result = static_cast<unsigned>(lanes[source].argument);
      }
    }
  }
}

// Runs each lane's program; lanes without one have exited. Branches run one after another.
inline void run(int branches) {
  for (int branch = 0; branch < branches; ++branch) {
    for (;;) {
      std::vector<unsigned> active;
      for (current = 0; current < lanes.size(); ++current) {
        Lane &lane = lanes[current];
        if (lane.done || lane.branch != branch) continue;
        swapcontext(&scheduler, &lane.context);
        if (!lane.done) active.push_back(current);
      }
      if (active.empty()) break;
      execute(active);
    }
  }
}

inline void set(unsigned at, int branch, std::function<void()> program) {
  Lane &lane = lanes[at];
  lane.program = std::move(program), lane.branch = branch, lane.done = false;
  getcontext(&lane.context);
  lane.context.uc_stack.ss_sp = lane.stack.data();
  lane.context.uc_stack.ss_size = lane.stack.size();
  lane.context.uc_link = nullptr;
  makecontext(&lane.context, start, 0);
}

}  // namespace wave

inline unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned add) {
  const unsigned before = wave::current < 32 ? (1u << wave::current) - 1u : ~0u;
  return static_cast<unsigned>(__builtin_popcount(mask & before)) + add;
}
inline unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned add) {
  const unsigned before = wave::current < 32 ? 0u : (1u << (wave::current - 32)) - 1u;
  return static_cast<unsigned>(__builtin_popcount(mask & before)) + add;
}
inline unsigned long long __builtin_amdgcn_ballot_w64(bool predicate) {
  return wave::wait_for_others(wave::Op::ballot, predicate);
}
inline int __builtin_amdgcn_readfirstlane(int value) {
  return static_cast<int>(wave::wait_for_others(wave::Op::first_lane, value));
}
inline int __builtin_amdgcn_ds_bpermute(int index, int value) {
  return static_cast<int>(wave::wait_for_others(wave::Op::permute, value, index));
}
inline void __builtin_amdgcn_wave_barrier() { wave::wait_for_others(wave::Op::barrier, 0); }
