// The runtime's side: streams, events, graphs, symbols, modules of the program, cooperative grids, printf.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(CONDITION) \
  if (!(CONDITION)) return printf("line %d: %s\n", __LINE__, #CONDITION), 1

__device__ int counter;
__constant__ float scale[4];
__managed__ int shared_value = 5;

__global__ void bump(int by) { atomicAdd(&counter, by); }
__global__ void use(float *out) { out[threadIdx.x] = scale[threadIdx.x] * shared_value; }
__global__ void say(int n) {
  if (threadIdx.x == 0) printf("block %d of %d: %s %5.2f %lld\n", (int)blockIdx.x, n, "text", 1.5, -7ll);
}
__global__ void relay(int *cells, int n) {  // each step needs the step of the neighbour block
  auto grid = cooperative_groups::this_grid();
  for (int step = 0; step < n; step++) {
    if (threadIdx.x == 0 && (int)blockIdx.x == step % (int)gridDim.x) cells[step + 1] = cells[step] + 1;
    grid.sync();
  }
}
__global__ void wait_for_other(volatile int *flag) {  // the first block waits for the last
  if (blockIdx.x == gridDim.x - 1) *flag = 1;
  if (blockIdx.x == 0)
    while (*flag == 0) {}
}
__global__ void atomics(double *d, float *f, unsigned *u, unsigned long long *w) {
  atomicAdd(d, 0.5);
  atomicAdd(f, 0.25f);
  atomicMax(u, threadIdx.x);
  atomicInc(u + 1, 9);
  atomicXor(u + 2, threadIdx.x);
  atomicAdd(w, 1ull << 40);
  unsigned long long old = *w, seen;
  do {
    seen = old;
    old = atomicCAS(w + 1, seen, seen + 3);
  } while (old != seen);
}

static void host_step(void *data) { ++*static_cast<int *>(data); }

int main() {
  int value = 40, steps = 0;
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream) == hipSuccess);
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, 4) == hipSuccess);

  hipGraph_t graph;
  hipGraphExec_t executable;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) == hipSuccess);
  bump<<<1, 2, 0, stream>>>(1);
  CHECK(hipLaunchHostFunc(stream, host_step, &steps) == hipSuccess);
  CHECK(hipStreamEndCapture(stream, &graph) == hipSuccess);
  CHECK(steps == 0);
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == hipSuccess);
  for (int k = 0; k < 3; k++) CHECK(hipGraphLaunch(executable, stream) == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess);
  CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), 4) == hipSuccess);
  CHECK(value == 46 && steps == 3);

  const float factors[4] = {1, 2, 3, 4};
  float *out, result[4];
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(scale), factors, sizeof factors) == hipSuccess);
  CHECK(hipMalloc(&out, sizeof result) == hipSuccess);
  shared_value = 10;
  use<<<1, 4>>>(out);
  CHECK(hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost) == hipSuccess);
  for (int k = 0; k < 4; k++) CHECK(result[k] == 10 * factors[k]);

  say<<<2, 64>>>(2);
  CHECK(hipDeviceSynchronize() == hipSuccess);

  int *cells, n = 20;
  CHECK(hipMallocManaged(&cells, 4 * 64) == hipSuccess);
  cells[0] = 0;
  void *arguments[] = {&cells, &n};
  CHECK(hipLaunchCooperativeKernel((const void *)relay, dim3(6), dim3(96), arguments, 0, stream) == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess);
  CHECK(cells[n] == n);

  cells[0] = 0;
  wait_for_other<<<8, 64>>>(cells);
  CHECK(hipDeviceSynchronize() == hipSuccess);

  struct Sums { double d; float f; unsigned u[3]; unsigned long long w[2]; } *sums;
  CHECK(hipMallocManaged(&sums, sizeof *sums) == hipSuccess);
  *sums = {};
  atomics<<<4, 100>>>(&sums->d, &sums->f, sums->u, sums->w);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  CHECK(sums->d == 200 && sums->f == 100 && sums->u[0] == 99 && sums->u[1] == 0 && sums->u[2] == 0);
  CHECK(sums->w[0] == 400ull << 40 && sums->w[1] == 1200);

  CHECK(hipMemcpy(nullptr, out, 4, hipMemcpyDeviceToHost) == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue && hipGetLastError() == hipSuccess);
  bump<<<1, 2048>>>(1);
  CHECK(hipGetLastError() == hipErrorInvalidConfiguration);
  hipDeviceProp_t p;
  CHECK(hipGetDeviceProperties(&p, 0) == hipSuccess);
  CHECK(p.warpSize == (p.major == 9 ? 64 : 32));
  puts("PASS");
}
