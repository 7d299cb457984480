// Thrust: vectors, sorts by key, scans, reductions with functors, zipped iterators, a stream policy, raw pointers.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <iostream>
#include <vector>

struct Scramble {
  __host__ __device__ int operator()(int i) const { return int((i * 2654435761u) >> 16) % 1000; }
};

struct IsSmall {
  int limit;
  __host__ __device__ bool operator()(int v) const { return v < limit; }
};

struct Distance {
  __host__ __device__ int operator()(const thrust::tuple<int, int> &t) const {
    const int d = thrust::get<0>(t) - thrust::get<1>(t);
    return d < 0 ? -d : d;
  }
};

__global__ void increment(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++data[i];
}

int main() {
  const int n = 5000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  thrust::device_vector<int> keys(n), values(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), keys.begin(), Scramble());
  thrust::sequence(values.begin(), values.end());
  thrust::host_vector<int> original = keys;
  thrust::stable_sort_by_key(thrust::cuda::par.on(stream), keys.begin(), keys.end(), values.begin());
  cudaStreamSynchronize(stream);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return original[a] < original[b]; });
  thrust::host_vector<int> sortedValues = values, sortedKeys = keys;
  bool ok = std::equal(order.begin(), order.end(), sortedValues.begin());
  std::cout << "sorted: " << sortedKeys[0] << " .. " << sortedKeys[n - 1] << '\n';

  const int sum = thrust::reduce(thrust::device, keys.begin(), keys.end(), 0, thrust::plus<int>());
  const int most = thrust::reduce(keys.begin(), keys.end(), 0, thrust::maximum<int>());
  const long small = thrust::count_if(keys.begin(), keys.end(), IsSmall{100});
  int wantSum = 0;
  long wantSmall = 0;
  for (int v : original) wantSum += v, wantSmall += v < 100;
  ok = ok && sum == wantSum && most == sortedKeys[n - 1] && small == wantSmall;
  std::cout << "sum " << sum << ", max " << most << ", below 100: " << small << '\n';

  thrust::device_vector<int> prefix(n);
  thrust::exclusive_scan(keys.begin(), keys.end(), prefix.begin());
  ok = ok && prefix[n - 1] == wantSum - sortedKeys[n - 1];
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  const int distance = thrust::transform_reduce(pairs, pairs + n, Distance{}, 0, thrust::plus<int>());
  int wantDistance = 0;
  for (int i = 0; i < n; ++i) wantDistance += std::abs(sortedKeys[i] - order[i]);
  ok = ok && distance == wantDistance;
  std::cout << "last prefix " << prefix[n - 1] << ", distance " << distance << '\n';

  int *raw;
  cudaMalloc(&raw, n * sizeof(int));
  thrust::device_ptr<int> wrapped = thrust::device_pointer_cast(raw);
  thrust::copy(values.begin(), values.end(), wrapped);
  increment<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(wrapped), n);
  thrust::sort(wrapped, wrapped + n, thrust::greater<int>());
  const int first = wrapped[0], last = wrapped[n - 1];
  ok = ok && first == n && last == 1;
  std::cout << "incremented: " << first << " .. " << last << '\n';
  cudaFree(raw);
  cudaStreamDestroy(stream);
  std::cout << (ok ? "PASS" : "FAIL") << std::endl;
  return ok ? 0 : 1;
}
