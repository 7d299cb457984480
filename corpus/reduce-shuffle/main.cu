// Sum by warp shuffles: 32 lanes first, then one value a warp through shared memory.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define FULL_MASK 0xffffffff
#define WARP_SIZE 32

inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(code);
}
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }

template <typename T>
__inline__ __device__ T warpReduceSum(T val)
{
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(FULL_MASK, val, offset);
    return val;
}

template <typename T>
__inline__ __device__ T blockReduceSum(T val)
{
    static __shared__ T shared[32];
    const int lane = threadIdx.x & 31;
    const int wid = threadIdx.x >> 5;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = threadIdx.x < blockDim.x / WARP_SIZE ? shared[lane] : T(0);
    if (wid == 0) val = warpReduceSum(val);
    return val;
}

template <typename T>
__global__ void deviceReduce(const T *in, T *out, int n)
{
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

// Every lane gets the sum of its own warp, by a butterfly.
__global__ void warpSums(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

template <typename T>
T reduce(const std::vector<T> &host)
{
    T *d_in, *d_out, result;
    gpuErrchk(cudaMalloc(&d_in, host.size() * sizeof(T)));
    gpuErrchk(cudaMalloc(&d_out, sizeof(T)));
    gpuErrchk(cudaMemcpy(d_in, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemset(d_out, 0, sizeof(T)));
    deviceReduce<T><<<16, 256>>>(d_in, d_out, static_cast<int>(host.size()));
    gpuErrchk(cudaGetLastError());
    gpuErrchk(cudaMemcpy(&result, d_out, sizeof(T), cudaMemcpyDeviceToHost));
    gpuErrchk(cudaFree(d_in));
    gpuErrchk(cudaFree(d_out));
    return result;
}

int main()
{
    const int n = 30001;
    std::vector<int> ints(n);
    std::vector<float> floats(n);
    for (int i = 0; i < n; ++i) {
        ints[i] = (i * 37) % 1001 - 300;
        floats[i] = float(i % 8);
    }
    const int isum = reduce(ints);
    const float fsum = reduce(floats);
    printf("int sum %d\nfloat sum %.0f\n", isum, fsum);
    bool ok = isum == std::accumulate(ints.begin(), ints.end(), 0) &&
              fsum == std::accumulate(floats.begin(), floats.end(), 0.0f);

    const int m = 256;
    int *d_in, *d_out;
    std::vector<int> sums(m);
    gpuErrchk(cudaMalloc(&d_in, m * sizeof(int)));
    gpuErrchk(cudaMalloc(&d_out, m * sizeof(int)));
    gpuErrchk(cudaMemcpy(d_in, ints.data(), m * sizeof(int), cudaMemcpyHostToDevice));
    warpSums<<<m / 128, 128>>>(d_in, d_out);
    gpuErrchk(cudaMemcpy(sums.data(), d_out, m * sizeof(int), cudaMemcpyDeviceToHost));
    for (int w = 0; w < m / WARP_SIZE; ++w) {
        const int want = std::accumulate(ints.begin() + w * WARP_SIZE, ints.begin() + (w + 1) * WARP_SIZE, 0);
        for (int lane = 0; lane < WARP_SIZE; ++lane) ok = ok && sums[w * WARP_SIZE + lane] == want;
        printf("warp %d: %d\n", w, sums[w * WARP_SIZE]);
    }
    gpuErrchk(cudaFree(d_in));
    gpuErrchk(cudaFree(d_out));
    puts(ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
