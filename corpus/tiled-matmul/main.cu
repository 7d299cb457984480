#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define TILE 16

#define CUDA_OK(expr)                                                        \
  if (cudaError_t e = (expr); e != cudaSuccess) {                            \
    std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));  \
    std::abort();                                                            \
  }

// C = A (m x k) * B (k x n), any sizes; tiles that stick out are filled with zeros.
template <int T>
__global__ void matmul(const int *A, const int *B, int *C, int m, int n, int k)
{
  __shared__ int a[T][T];
  __shared__ int b[T][T + 1];
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  int sum = 0;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    const int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < m && ka < k ? A[row * k + ka] : 0;
    b[threadIdx.y][threadIdx.x] = col < n && kb < k ? B[kb * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

int main()
{
  const int m = 70, n = 45, k = 53;
  int *A = (int *)malloc(m * k * sizeof(int));
  int *B = (int *)malloc(k * n * sizeof(int));
  int *C = (int *)malloc(m * n * sizeof(int));
  for (int i = 0; i < m * k; ++i) A[i] = i % 13 - 6;
  for (int i = 0; i < k * n; ++i) B[i] = i % 7 - 3;

  int *dA, *dB, *dC;
  CUDA_OK(cudaMalloc(&dA, m * k * sizeof(int)));
  CUDA_OK(cudaMalloc(&dB, k * n * sizeof(int)));
  CUDA_OK(cudaMalloc(&dC, m * n * sizeof(int)));
  CUDA_OK(cudaMemcpy(dA, A, m * k * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(dB, B, k * n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(dC, 0xff, m * n * sizeof(int)));

  matmul<TILE><<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(dA, dB, dC, m, n, k);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaMemcpy(C, dC, m * n * sizeof(int), cudaMemcpyDeviceToHost));

  long trace = 0, checksum = 0;
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) {
      int want = 0;
      for (int i = 0; i < k; ++i) want += A[r * k + i] * B[i * n + c];
      if (C[r * n + c] != want) {
        std::printf("FAIL: C[%d][%d] = %d, want %d\n", r, c, C[r * n + c], want);
        return 1;
      }
      if (r == c) trace += want;
      checksum += (long)want * (r * n + c + 1);
    }
  std::printf("tiled-matmul %dx%dx%d: trace %ld, checksum %ld\nPASS\n", m, n, k, trace, checksum);

  cudaFree(dA), cudaFree(dB), cudaFree(dC);
  free(A), free(B), free(C);
  return 0;
}
