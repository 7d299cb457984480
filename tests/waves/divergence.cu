// Warp functions where the two warps of a 64-lane wave go separate ways: each line printed names a pattern and
// how many threads got what CUDA defines. Plain CUDA; the test translates, compiles and runs it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <functional>
#include <vector>

#define FULL 0xffffffffu

namespace cg = cooperative_groups;

__device__ int opposite_shuffles(int v, int warp, int) {
  if (warp & 1) return __shfl_xor_sync(FULL, v, 5);
  return __shfl_down_sync(FULL, v, 3);
}

__device__ int one_warp_alone(int v, int warp, int) {
  if (warp == 0) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(FULL, v, d);
  }
  return v;
}

__device__ int trips_by_warp(int v, int warp, int) {
  int sum = 0;
  for (int i = 0; i <= warp; ++i) sum += __reduce_add_sync(FULL, v + i);
  return sum;
}

__device__ int leaves_when_its_warp_is_done(int v, int, int lane) {
  int left = v % 97, turns = 0;
  while (__any_sync(FULL, left > 0)) {
    left -= lane + 1;
    ++turns;
  }
  return turns;
}

__device__ int odd_lanes_match(int v, int, int lane) {
  if ((lane & 1) == 0) return -1;
  const unsigned peers = __match_any_sync(0xaaaaaaaau, v % 5);
  const int leader = __ffs(peers) - 1;
  return __shfl_sync(peers, v, leader) * 64 + __popc(peers);
}

__device__ int agreement(int v, int warp, int) {
  int same = 7;
  const unsigned mask = __match_all_sync(FULL, warp == 1 ? 3 : v / 40, &same);
  return __popc(mask) * 8 + same;
}

__device__ int after_some_left(int v, int warp, int lane) {
  const unsigned staying = __ballot_sync(FULL, (v + warp) % 3 != 0);
  if ((v + warp) % 3 == 0) return 0;
  const int rank = __popc(staying & ((1u << lane) - 1));
  const unsigned odd = __ballot_sync(staying, v & 1);
  return rank * 1000 + __popc(odd) * 10 + __all_sync(staying, v < 1 << 20) + (__activemask() == staying) * 2;
}

__device__ int segmented_scan(int v, int, int lane) {
  for (int d = 1; d < 8; d *= 2) {
    const int other = __shfl_up_sync(FULL, v, d, 8);
    if (lane % 8 >= d) v += other;
  }
  return v;
}

__device__ int two_masks(int v, int warp, int lane) {
  const int split = warp & 1 ? 10 : 20;
  const unsigned low = (1u << split) - 1;
  if (lane < split) return __reduce_max_sync(low, v);
  return __reduce_min_sync(~low, v);
}

__device__ int neighbours(int v, int, int) {
  __shared__ int s[128];
  s[threadIdx.x] = v;
  __syncwarp();
  const int r = s[threadIdx.x ^ 1];
  __syncwarp();
  return r;
}

__device__ int wide_values(int v, int, int lane) {
  const long long big = __shfl_sync(FULL, v * 0x100000001LL, 31 - lane);
  const double real = __shfl_up_sync(FULL, v * 0.5, 2);
  return static_cast<int>(big >> 32) + static_cast<int>(big) + static_cast<int>(real * 2);
}

__device__ int by_warp_size(int v, int, int) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(FULL, v, d);
  return v / warpSize;
}

__device__ int tiles_of_a_group(int v, int, int) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int most = cg::reduce(tile, v, cg::greater<int>());
  const float half = cg::reduce(tile, v * 0.5f, cg::plus<float>());
  return most + static_cast<int>(half * 2) + cg::inclusive_scan(tile, v) * 3 + cg::exclusive_scan(tile, v, cg::plus<int>());
}

__device__ int odd_lanes_of_one_warp(int v, int warp, int lane) {
  if (warp != 1 || lane % 2 == 0) return v;
  const auto group = cg::coalesced_threads();
  return cg::reduce(group, v, cg::bit_xor<int>()) + cg::exclusive_scan(group, v);
}

__global__ void patterns(const int *in, int *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int v = in[i];
  int k = 0;
  out[k++ * count + i] = opposite_shuffles(v, warp, lane);
  out[k++ * count + i] = one_warp_alone(v, warp, lane);
  out[k++ * count + i] = trips_by_warp(v, warp, lane);
  out[k++ * count + i] = leaves_when_its_warp_is_done(v, warp, lane);
  out[k++ * count + i] = odd_lanes_match(v, warp, lane);
  out[k++ * count + i] = agreement(v, warp, lane);
  out[k++ * count + i] = after_some_left(v, warp, lane);
  out[k++ * count + i] = segmented_scan(v, warp, lane);
  out[k++ * count + i] = two_masks(v, warp, lane);
  out[k++ * count + i] = neighbours(v, warp, lane);
  out[k++ * count + i] = wide_values(v, warp, lane);
  out[k++ * count + i] = by_warp_size(v, warp, lane);
  out[k++ * count + i] = tiles_of_a_group(v, warp, lane);
  out[k++ * count + i] = odd_lanes_of_one_warp(v, warp, lane);
}

// --- what each pattern gives, by CUDA's definitions; `w` are the values of the thread's warp ---

using Warp = const int *;
struct Pattern {
  const char *name;
  std::function<int(Warp w, int warp, int lane)> expected;
};

static int sum(Warp w, int add) {
  int s = 0;
  for (int l = 0; l < 32; ++l) s += w[l] + add;
  return s;
}

static const std::vector<Pattern> expectations = {
    {"opposite shuffles", [](Warp w, int warp, int lane) { return warp & 1 ? w[lane ^ 5] : w[lane + 3 < 32 ? lane + 3 : lane]; }},
    {"one warp alone", [](Warp w, int warp, int lane) { return warp == 0 ? sum(w, 0) : w[lane]; }},
    {"trips by warp", [](Warp w, int warp, int) { int s = 0; for (int i = 0; i <= warp; ++i) s += sum(w, i); return s; }},
    {"leaves when its warp is done", [](Warp w, int, int) {
       int turns = 0;
       for (int l = 0; l < 32; ++l) { const int t = (w[l] % 97 + l) / (l + 1); if (t > turns) turns = t; }
       return turns;
     }},
    {"odd lanes match", [](Warp w, int, int lane) {
       if (lane % 2 == 0) return -1;
       int peers = 0, first = -1;
       for (int l = 1; l < 32; l += 2) if (w[l] % 5 == w[lane] % 5) { ++peers; if (first < 0) first = l; }
       return w[first] * 64 + peers;
     }},
    {"agreement", [](Warp w, int warp, int) {
       bool same = true;
       for (int l = 0; l < 32; ++l) same = same && (warp == 1 || w[l] / 40 == w[0] / 40);
       return same ? 32 * 8 + 1 : 0;
     }},
    {"after some left", [](Warp w, int warp, int lane) {
       auto stays = [&](int l) { return (w[l] + warp) % 3 != 0; };
       if (!stays(lane)) return 0;
       int rank = 0, odd = 0;
       for (int l = 0; l < 32; ++l) if (stays(l)) { rank += l < lane; odd += w[l] & 1; }
       return rank * 1000 + odd * 10 + 1 + 2;
     }},
    {"segmented scan", [](Warp w, int, int lane) { int s = 0; for (int l = lane / 8 * 8; l <= lane; ++l) s += w[l]; return s; }},
    {"two masks", [](Warp w, int warp, int lane) {
       const int split = warp & 1 ? 10 : 20;
       int r = w[lane];
       for (int l = 0; l < 32; ++l) if ((l < split) == (lane < split)) r = lane < split ? (w[l] > r ? w[l] : r) : (w[l] < r ? w[l] : r);
       return r;
     }},
    {"neighbours", [](Warp w, int, int lane) { return w[lane ^ 1]; }},
    {"wide values", [](Warp w, int, int lane) { return 2 * w[31 - lane] + w[lane < 2 ? lane : lane - 2]; }},
    {"by warp size", [](Warp w, int, int) { return sum(w, 0) / 32; }},
    {"tiles of a group", [](Warp w, int, int lane) {
       int most = 0, all = 0, below = 0;
       for (int l = lane / 16 * 16; l < lane / 16 * 16 + 16; ++l) {
         most = w[l] > most ? w[l] : most, all += w[l];
         if (l < lane) below += w[l];
       }
       return most + all + (below + w[lane]) * 3 + below;
     }},
    {"odd lanes of one warp", [](Warp w, int warp, int lane) {
       if (warp != 1 || lane % 2 == 0) return w[lane];
       int all = 0, below = 0;
       for (int l = 1; l < 32; l += 2) all ^= w[l], below += l < lane ? w[l] : 0;
       return all + below;
     }},
};

int main() {
  const int threads = 96, blocks = 5, count = threads * blocks, patterns_count = static_cast<int>(expectations.size());
  std::vector<int> in(count), out(count * patterns_count);
  for (int i = 0; i < count; ++i) in[i] = i / 96 == 2 ? 41 + i % 9 : (i * 7919 + i / 7) % 1013;
  int *d_in, *d_out;
  if (cudaMalloc(&d_in, in.size() * sizeof(int)) != cudaSuccess) return 2;
  if (cudaMalloc(&d_out, out.size() * sizeof(int)) != cudaSuccess) return 2;
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  patterns<<<blocks, threads>>>(d_in, d_out, count);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < patterns_count; ++k) {
    int right = 0;
    for (int i = 0; i < count; ++i) {
      const int base = i / 32 * 32, warp = i % threads / 32;
      right += out[k * count + i] == expectations[k].expected(&in[base], warp, i % 32);
    }
    std::printf("%s: %d of %d\n", expectations[k].name, right, count);
    wrong += count - right;
  }
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
