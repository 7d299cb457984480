// Vector addition, a reduction by shuffles, dynamic shared memory, private arrays, calls and division.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(CONDITION) \
  if (!(CONDITION)) return printf("line %d: %s\n", __LINE__, #CONDITION), 1

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int partial[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
  int v = i < n ? in[i] : 0;
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down(v, d);
  if (lane == 0) partial[threadIdx.x / warpSize] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned k = 0; k < blockDim.x / warpSize; k++) sum += partial[k];
    atomicAdd(out, sum);
  }
}

__global__ void reverse(int *data, int n) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

__device__ __noinline__ int collatz(long n) {
  int steps = 0;
  for (; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}

__global__ void call(int *out) { out[threadIdx.x] = collatz(threadIdx.x + 1); }

__global__ void spill(const int *index, int *out) {  // an array that has to live in memory
  int local[64];
  for (int k = 0; k < 64; k++) local[k] = k * (int)threadIdx.x;
  out[threadIdx.x] = local[index[threadIdx.x]];
}

__global__ void divide(const float *a, const float *b, float *q, double *r, int *s) {
  const int i = threadIdx.x;
  q[i] = a[i] / b[i];
  r[i] = (double)a[i] / (double)b[i];
  s[i] = (int)(a[i] * 1000.0f) / (i + 1);
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  std::vector<int> v(n), w(n);
  long sum = 0;
  for (int i = 0; i < n; i++) {
    a[i] = i * 0.5f;
    b[i] = i * 0.25f + 1;
    v[i] = i % 97;
    sum += v[i];
  }
  float *da, *db, *dc;
  int *dv, *dw;
  double *dr;
  CHECK(hipMalloc(&da, n * 4) == hipSuccess && hipMalloc(&db, n * 4) == hipSuccess);
  CHECK(hipMalloc(&dc, n * 4) == hipSuccess && hipMalloc(&dv, n * 4) == hipSuccess);
  CHECK(hipMalloc(&dw, n * 4) == hipSuccess && hipMalloc(&dr, n * 8) == hipSuccess);
  CHECK(hipMemcpy(da, a.data(), n * 4, hipMemcpyHostToDevice) == hipSuccess);
  CHECK(hipMemcpy(db, b.data(), n * 4, hipMemcpyHostToDevice) == hipSuccess);
  CHECK(hipMemcpy(dv, v.data(), n * 4, hipMemcpyHostToDevice) == hipSuccess);

  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  CHECK(hipMemcpy(c.data(), dc, n * 4, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < n; i++) CHECK(c[i] == a[i] + b[i]);

  CHECK(hipMemset(dw, 0, 4) == hipSuccess);
  reduce<<<(n + 255) / 256, 256>>>(dv, dw, n);
  CHECK(hipMemcpy(w.data(), dw, 4, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(w[0] == sum);

  reverse<<<1, 200, 200 * sizeof(int)>>>(dv, 200);
  CHECK(hipMemcpy(w.data(), dv, 200 * 4, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 200; i++) CHECK(w[i] == v[199 - i]);

  call<<<1, 100>>>(dw);
  CHECK(hipMemcpy(w.data(), dw, 400, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(w[26] == 111 && w[0] == 0 && w[96] == 118);

  for (int i = 0; i < 64; i++) v[i] = (i * 7) % 64;
  CHECK(hipMemcpy(dv, v.data(), 256, hipMemcpyHostToDevice) == hipSuccess);
  spill<<<1, 64>>>(dv, dw);
  CHECK(hipMemcpy(w.data(), dw, 256, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 64; i++) CHECK(w[i] == v[i] * i);

  const float tricky[] = {0.0f, 1.0f, -1.0f, 3e38f, 1e-38f, 1e-45f, INFINITY, 7.0f};
  for (int i = 0; i < 64; i++) a[i] = tricky[i / 8], b[i] = tricky[i % 8];
  CHECK(hipMemcpy(da, a.data(), 256, hipMemcpyHostToDevice) == hipSuccess);
  CHECK(hipMemcpy(db, b.data(), 256, hipMemcpyHostToDevice) == hipSuccess);
  divide<<<1, 64>>>(da, db, dc, dr, dw);
  std::vector<double> r(64);
  CHECK(hipMemcpy(c.data(), dc, 256, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(hipMemcpy(r.data(), dr, 512, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 64; i++) {
    const float q = a[i] / b[i];
    const double d = (double)a[i] / b[i];
    if (!(c[i] == q || (c[i] != c[i] && q != q))) return printf("%g / %g: %g, not %g\n", a[i], b[i], c[i], q), 1;
    CHECK(r[i] == d || (r[i] != r[i] && d != d));
  }
  CHECK(hipGetLastError() == hipSuccess);
  puts("PASS");
}
