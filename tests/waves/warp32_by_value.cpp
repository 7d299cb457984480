// Runs warp32.hpp on a wave of 64 or 32 lanes and compares each lane's result with CUDA's definition.
// Usage: warp32_by_value WAVE_SIZE TRIALS

#include "wave_on_host.hpp"

#include <cstring>
#include <deque>
#include <random>

#include "hipify/warp32.hpp"

namespace {

std::mt19937 engine(20240607);
unsigned random_below(unsigned end) { return static_cast<unsigned>(engine() % end); }

// What one lane brings, and what the lanes of its warp look like to it. Lanes are those of the wave.
struct Situation {
  unsigned wave_size;
  unsigned long long there = 0;          // lanes that have not exited
  std::vector<unsigned> mask;            // for each lane the mask that it gives, within its own warp
  std::vector<int> branch;               // lanes of one branch execute together
  bool is_there(unsigned lane) const { return there >> lane & 1; }
  bool in_mask(unsigned lane, unsigned other) const {
    return lane / 32 == other / 32 && (mask[lane] >> other % 32 & 1) && is_there(other);
  }
};

// The lanes of each warp fall into groups, each with its mask; groups share branches or not.
Situation random_situation(unsigned wave_size) {
  Situation s{wave_size, 0, {}, {}};
  const unsigned groups = 1 + random_below(3), how = random_below(3);
  std::vector<unsigned> group(wave_size);
  const bool all_there = random_below(2) != 0;
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    group[lane] = random_below(groups);
    if (all_there || random_below(5) != 0) s.there |= 1ull << lane;
  }
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    unsigned mask = 0;
    for (unsigned other = lane / 32 * 32; other < lane / 32 * 32 + 32; ++other) {
      if (group[other] == group[lane]) mask |= 1u << other % 32;
    }
    s.mask.push_back(mask);
    // 0: all together, 1: each warp for itself, 2: each group for itself
    s.branch.push_back(static_cast<int>(how == 0 ? 0 : how == 1 ? lane / 32 : group[lane] * 2 + lane / 32));
  }
  return s;
}

int failures = 0;
long checks = 0;

template <typename T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Runs `call` on every lane and compares with `expected`, which returns false where CUDA defines nothing.
template <typename T>
void compare(const char *what, const Situation &s, std::function<T(unsigned)> call,
             std::function<bool(unsigned, T &)> expected) {
  std::deque<T> results(s.wave_size);  // no vector: that of bool holds bits
  for (unsigned lane = 0; lane < s.wave_size; ++lane) {
    if (s.is_there(lane)) wave::set(lane, s.branch[lane], [&, lane] { results[lane] = call(lane); });
  }
  wave::run(8);
  for (unsigned lane = 0; lane < s.wave_size; ++lane) {
    T want{};
    if (!s.is_there(lane) || !expected(lane, want)) continue;
    ++checks;
    if (same(results[lane], want)) continue;
    if (++failures <= 10) std::printf("%s: wave of %u, lane %u, mask %08x\n", what, s.wave_size, lane, s.mask[lane]);
  }
}

template <typename T>
T random_value() {
  T value{};
  unsigned char *bytes = reinterpret_cast<unsigned char *>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(engine());
  return value;
}
template <>
bool random_value<bool>() {
  return random_below(2) != 0;
}

// The PTX manual's shfl: how a lane finds its source within segments of `width`.
enum class Mode { index, up, down, exclusive_or };

unsigned ptx_source(Mode mode, unsigned lane, unsigned b, unsigned width) {
  const unsigned segment = 32 - width, bval = b & 31, max = (lane & segment) | (31 & ~segment);
  unsigned j = lane;
  bool inside = true;
  if (mode == Mode::index) j = (lane & segment) | (bval & ~segment);
  if (mode == Mode::up) j = lane - bval, inside = static_cast<int>(j) >= static_cast<int>(lane & segment);
  if (mode == Mode::down) j = lane + bval, inside = j <= max;
  if (mode == Mode::exclusive_or) j = lane ^ bval, inside = j <= max;
  return inside ? j : lane;
}

template <typename T>
void shuffles(const Situation &s) {
  std::deque<T> values;
  for (unsigned lane = 0; lane < s.wave_size; ++lane) values.push_back(random_value<T>());
  const int width = 1 << random_below(6);
  const unsigned b = random_below(40);
  const Mode modes[] = {Mode::index, Mode::up, Mode::down, Mode::exclusive_or};
  for (Mode mode : modes) {
    compare<T>(
        "shfl", s,
        [&](unsigned lane) -> T {
          const unsigned m = s.mask[lane];
          const T v = values[lane];
          if (mode == Mode::index) return hipify::shfl_sync(m, v, static_cast<int>(b), width);
          if (mode == Mode::up) return hipify::shfl_up_sync(m, v, b, width);
          if (mode == Mode::down) return hipify::shfl_down_sync(m, v, b, width);
          return hipify::shfl_xor_sync(m, v, static_cast<int>(b), width);
        },
        [&](unsigned lane, T &want) {
          const unsigned source = lane / 32 * 32 + ptx_source(mode, lane % 32, b, static_cast<unsigned>(width));
          want = values[source];
          return source == lane || (s.in_mask(lane, source) && s.branch[source] == s.branch[lane]);
        });
  }
}

void votes(const Situation &s) {
  std::vector<int> p;
  const unsigned rarity = 1 + random_below(4);
  for (unsigned lane = 0; lane < s.wave_size; ++lane) p.push_back(random_below(4) < rarity ? -7 : 0);
  auto bits = [&](unsigned lane, bool all) {
    unsigned result = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned other = lane / 32 * 32 + i;
      if (s.in_mask(lane, other) && (all || p[other])) result |= 1u << i;
    }
    return result;
  };
  compare<unsigned>(
      "ballot", s, [&](unsigned lane) { return hipify::ballot_sync(s.mask[lane], p[lane]); },
      [&](unsigned lane, unsigned &want) { return want = bits(lane, false), true; });
  compare<bool>(
      "any", s, [&](unsigned lane) { return hipify::any_sync(s.mask[lane], p[lane]) != 0; },
      [&](unsigned lane, bool &want) { return want = bits(lane, false) != 0, true; });
  compare<bool>(
      "all", s, [&](unsigned lane) { return hipify::all_sync(s.mask[lane], p[lane]) != 0; },
      [&](unsigned lane, bool &want) { return want = bits(lane, false) == bits(lane, true), true; });
  compare<unsigned>(
      "activemask", s, [&](unsigned) { return hipify::activemask(); },
      [&](unsigned lane, unsigned &want) {
        for (unsigned i = 0; i < 32; ++i) {
          const unsigned other = lane / 32 * 32 + i;
          if (s.is_there(other) && s.branch[other] == s.branch[lane]) want |= 1u << i;
        }
        return true;
      });
}

template <typename T>
void matches(const Situation &s) {
  std::deque<T> choices, values;
  for (int i = 0; i < 3; ++i) choices.push_back(random_value<T>());
  const unsigned kinds = 1 + random_below(3);
  for (unsigned lane = 0; lane < s.wave_size; ++lane) values.push_back(choices[random_below(kinds)]);
  auto equal = [&](unsigned lane) {
    unsigned result = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned other = lane / 32 * 32 + i;
      if (s.in_mask(lane, other) && same(values[other], values[lane])) result |= 1u << i;
    }
    return result;
  };
  compare<unsigned>(
      "match_any", s, [&](unsigned lane) { return hipify::match_any_sync(s.mask[lane], values[lane]); },
      [&](unsigned lane, unsigned &want) { return want = equal(lane), true; });
  compare<unsigned>(
      "match_all", s,
      [&](unsigned lane) {
        int all = -1;
        const unsigned result = hipify::match_all_sync(s.mask[lane], values[lane], &all);
        return all == (result != 0) ? result : 0xbad;
      },
      [&](unsigned lane, unsigned &want) {
        want = equal(lane);
        for (unsigned other = 0; other < s.wave_size; ++other) {
          if (s.in_mask(lane, other) && !same(values[other], values[lane])) want = 0;
        }
        return true;
      });
}

template <typename T>
void reductions(const Situation &s) {
  using Op = std::function<T(T, T)>;
  std::deque<T> values;
  for (unsigned lane = 0; lane < s.wave_size; ++lane) values.push_back(random_value<T>());
  auto check = [&](const char *what, Op op, std::function<T(unsigned, T)> call) {
    compare<T>(
        what, s, [&](unsigned lane) { return call(s.mask[lane], values[lane]); },
        [&](unsigned lane, T &want) {
          want = values[lane];
          for (unsigned other = 0; other < s.wave_size; ++other) {
            if (other != lane && s.in_mask(lane, other)) want = op(want, values[other]);
          }
          return true;
        });
  };
  check("add", [](T a, T b) { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); },
        [](unsigned m, T v) { return hipify::reduce_add_sync(m, v); });
  check("min", [](T a, T b) { return a < b ? a : b; }, [](unsigned m, T v) { return hipify::reduce_min_sync(m, v); });
  check("max", [](T a, T b) { return a > b ? a : b; }, [](unsigned m, T v) { return hipify::reduce_max_sync(m, v); });
  check("and", [](T a, T b) { return a & b; },
        [](unsigned m, T v) { return static_cast<T>(hipify::reduce_and_sync(m, static_cast<unsigned>(v))); });
  check("or", [](T a, T b) { return a | b; },
        [](unsigned m, T v) { return static_cast<T>(hipify::reduce_or_sync(m, static_cast<unsigned>(v))); });
  check("xor", [](T a, T b) { return a ^ b; },
        [](unsigned m, T v) { return static_cast<T>(hipify::reduce_xor_sync(m, static_cast<unsigned>(v))); });
}

// %laneid and %lanemask_*, the barrier, and the forms without a mask.
void the_rest(const Situation &s) {
  compare<unsigned>(
      "lane masks", s,
      [&](unsigned lane) {
        hipify::syncwarp(s.mask[lane]);
        const unsigned bit = 1u << lane % 32;
        const bool good = hipify::lane_id() == lane % 32 && hipify::lanemask_eq() == bit &&
                          hipify::lanemask_lt() == bit - 1 && hipify::lanemask_le() == (bit | (bit - 1)) &&
                          hipify::lanemask_gt() == ~(bit | (bit - 1)) && hipify::lanemask_ge() == ~(bit - 1);
        return static_cast<unsigned>(good);
      },
      [](unsigned, unsigned &want) { return want = 1, true; });
  compare<unsigned>(
      "forms without a mask", s,
      [&](unsigned lane) {
        const unsigned there = hipify::activemask(), self = lane % 32;
        const int odd = static_cast<int>(lane % 2);
        const bool good = hipify::ballot(odd) == (there & 0xaaaaaaaau) &&
                          hipify::any(odd) == ((there & 0xaaaaaaaau) != 0) &&
                          hipify::all(odd) == ((there & 0x55555555u) == 0) &&
                          hipify::shfl(lane, static_cast<int>(self)) == lane && hipify::shfl_up(lane, 0) == lane &&
                          hipify::shfl_down(lane, 31 - self) == ((there >> 31 & 1) != 0 ? lane - self + 31 : 0) &&
                          hipify::shfl_xor(lane, 1) == ((there >> (self ^ 1) & 1) != 0 ? lane ^ 1 : 0);
        return static_cast<unsigned>(good);
      },
      [](unsigned, unsigned &want) { return want = 1, true; });
}

struct Three {
  float x, y, z;
};

}  // namespace

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const unsigned wave_size = static_cast<unsigned>(std::atoi(arguments[1]));
  wave::lanes.resize(wave_size);
  for (int trial = 0; trial < std::atoi(arguments[2]); ++trial) {
    const Situation s = random_situation(wave_size);
    shuffles<int>(s), shuffles<double>(s), shuffles<unsigned char>(s), shuffles<bool>(s), shuffles<Three>(s);
    votes(s);
    matches<int>(s), matches<double>(s), matches<unsigned long long>(s);
    reductions<int>(s), reductions<unsigned>(s);
    the_rest(s);
  }
  std::printf("%ld checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
