// Dynamic shared memory: one block of bytes carved into arrays, one kernel for several types, more than the default size.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void ok(cudaError_t e, int line)
{
    if (e != cudaSuccess) fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e)), exit(1);
}
#define OK(...) ok((__VA_ARGS__), __LINE__)

// keys (n ints), weights (n doubles), order (n bytes) in one piece; doubles first, for alignment.
__global__ void rankByWeight(const int *keys, const double *weights, int *out, int n)
{
    extern __shared__ __align__(16) unsigned char pool[];
    double *w = reinterpret_cast<double *>(pool);
    int *k = reinterpret_cast<int *>(w + n);
    uint8_t *rank = reinterpret_cast<uint8_t *>(&k[n]);
    const int t = threadIdx.x;
    if (t < n) {
        w[t] = weights[t];
        k[t] = keys[t];
    }
    __syncthreads();
    if (t < n) {
        int below = 0;
        for (int i = 0; i < n; ++i) below += w[i] < w[t] || (w[i] == w[t] && i < t);
        rank[t] = below;
    }
    __syncthreads();
    if (t < n) out[rank[t]] = k[t];
}

// A template cannot declare "extern __shared__ T s[]" for two types: the usual way around.
template <typename T>
struct SharedMemory {
    __device__ operator T *() const
    {
        extern __shared__ int4 raw[];
        return reinterpret_cast<T *>(raw);
    }
};

template <typename T>
__global__ void reverse(T *data, int n)
{
    T *s = SharedMemory<T>();
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = data[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = s[n - 1 - i];
}

template <typename T>
static int checkReverse(int n)
{
    std::vector<T> host(n), got(n);
    for (int i = 0; i < n; ++i) host[i] = T(3 * i);
    T *dev;
    OK(cudaMalloc(&dev, n * sizeof(T)));
    OK(cudaMemcpy(dev, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    if (n * sizeof(T) > 48 * 1024)
        OK(cudaFuncSetAttribute(reverse<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(n * sizeof(T))));
    reverse<T><<<1, 256, n * sizeof(T)>>>(dev, n);
    OK(cudaGetLastError());
    OK(cudaMemcpy(got.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaFree(dev));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += got[i] != host[n - 1 - i];
    printf("reversed %zu bytes: %d wrong\n", n * sizeof(T), wrong);
    return wrong;
}

int main()
{
    const int n = 100;
    std::vector<int> keys(n), out(n);
    std::vector<double> weights(n);
    for (int i = 0; i < n; ++i) keys[i] = i, weights[i] = (i * 37 % n) / 4 * 0.5;
    int *d_keys, *d_out;
    double *d_weights;
    OK(cudaMalloc(&d_keys, n * sizeof(int)));
    OK(cudaMalloc(&d_out, n * sizeof(int)));
    OK(cudaMalloc(&d_weights, n * sizeof(double)));
    OK(cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_weights, weights.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    const size_t shared = n * (sizeof(double) + sizeof(int) + sizeof(uint8_t));
    rankByWeight<<<1, 128, shared>>>(d_keys, d_weights, d_out, n);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 1; i < n; ++i) {
        const double a = weights[out[i - 1]], b = weights[out[i]];
        wrong += a > b || (a == b && out[i - 1] > out[i]);
    }
    printf("order: %d %d %d ... %d\n", out[0], out[1], out[2], out[n - 1]);
    wrong += checkReverse<float>(3000);
    wrong += checkReverse<double>(4000);
    wrong += checkReverse<short>(30000);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    OK(cudaFree(d_keys));
    OK(cudaFree(d_out));
    OK(cudaFree(d_weights));
    return wrong ? 1 : 0;
}
