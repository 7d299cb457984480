// What <cooperative_groups/reduce.h> and <cooperative_groups/scan.h> have and HIP lacked until ROCm 7.13:
// cooperative_groups::reduce, inclusive_scan and exclusive_scan, and the operators plus, less, greater,
// bit_and, bit_or and bit_xor, for tiles and coalesced groups. Newer HIP's own headers serve where they are
// found. The forms that update an atomic (reduce_update_async and its kin) are not here.

#ifndef HIPIFY_COOPERATIVE_GROUPS_HPP
#define HIPIFY_COOPERATIVE_GROUPS_HPP

#include "warp32.hpp"

#if defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#elif defined(__has_include) && __has_include(<hip/cooperative_groups/hip_reduce.h>)

#include <hip/cooperative_groups/hip_reduce.h>
#include <hip/cooperative_groups/hip_scan.h>
#include <hip/hip_cooperative_groups.h>

#elif defined(__HIP__) || defined(__HIPCC__)

#include <hip/hip_cooperative_groups.h>

namespace cooperative_groups {

template <typename T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
// As in CUDA, `less` picks the lesser of two values and `greater` the greater.
template <typename T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups

namespace hipify {
namespace detail {

// The lane of the wave that has a rank in the group: a tile is a run of lanes, a coalesced group need not be.
template <unsigned Size, typename Parent>
__device__ inline unsigned lane_of_rank(const cooperative_groups::thread_block_tile<Size, Parent> &,
                                        unsigned rank) {
  return (wave_lane() & ~(Size - 1u)) + rank;
}
__device__ inline unsigned lane_of_rank(const cooperative_groups::coalesced_group &group, unsigned rank) {
  return group.shfl(wave_lane(), static_cast<int>(rank));
}

}  // namespace detail
}  // namespace hipify

namespace cooperative_groups {

// Every thread gets the combination of all threads' values.
template <unsigned Size, typename Parent, typename T, typename Op>
__device__ T reduce(const thread_block_tile<Size, Parent> &, T value, Op op) {
  for (unsigned step = Size / 2; step > 0; step /= 2) {
    value = op(value, hipify::detail::from_lane(value, hipify::detail::wave_lane() ^ step));
  }
  return value;
}

template <typename T, typename Op>
__device__ T reduce(const coalesced_group &group, T value, Op op) {
  T result = hipify::detail::from_lane(value, hipify::detail::lane_of_rank(group, 0));
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = op(result, hipify::detail::from_lane(value, hipify::detail::lane_of_rank(group, rank)));
  }
  return result;
}

// Every thread gets the combination of the values up to its own rank.
template <typename Group, typename T, typename Op>
__device__ T inclusive_scan(const Group &group, T value, Op op) {
  const unsigned self = group.thread_rank();
  for (unsigned step = 1; step < group.size(); step *= 2) {
    const unsigned source = self < step ? self : self - step;
    const T other = hipify::detail::from_lane(value, hipify::detail::lane_of_rank(group, source));
    if (self >= step) value = op(other, value);
  }
  return value;
}
template <typename Group, typename T>
__device__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// Every thread gets the combination of the values below its rank; the first one T().
template <typename Group, typename T, typename Op>
__device__ T exclusive_scan(const Group &group, T value, Op op) {
  const unsigned self = group.thread_rank();
  const T scanned = inclusive_scan(group, value, op);
  const unsigned source = self == 0 ? 0 : self - 1;
  const T below = hipify::detail::from_lane(scanned, hipify::detail::lane_of_rank(group, source));
  return self == 0 ? T() : below;
}
template <typename Group, typename T>
__device__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif

#endif  // HIPIFY_COOPERATIVE_GROUPS_HPP
