// Launches behind macros, as large code bases have them: arguments, streams, types and names all come by macro.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(stmt) do { cudaError_t e = stmt; if (e != cudaSuccess) { \
    fprintf(stderr, "%s:%d: '%s' failed: %s\n", __FILE__, __LINE__, #stmt, cudaGetErrorString(e)); exit(1); } } while (0)

#define L(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define LAUNCH_ON(stream, kernel, n, ...)                                \
    do {                                                                 \
        const int threads_ = 128;                                        \
        kernel<<<((n) + threads_ - 1) / threads_, threads_, 0, (stream)>>>(__VA_ARGS__); \
        CUDA_CHECK(cudaGetLastError());                                  \
    } while (0)
#define CALL_KERNEL(name) name##Kernel<<<1, 64>>>
#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL_LOOP(i, n) for (int i = GLOBAL_INDEX; i < (n); i += blockDim.x * gridDim.x)
#define DEFINE_UNARY(name, T, expr)                                      \
    __global__ void name##Kernel(T *v, int n)                            \
    {                                                                    \
        KERNEL_LOOP(i, n)                                                \
        {                                                                \
            const T x = v[i];                                            \
            v[i] = (expr);                                               \
        }                                                                \
    }

DEFINE_UNARY(negate, int, -x)
DEFINE_UNARY(triple, int, 3 * x)

template <typename T>
__global__ void fill(T *v, int n, T first)
{
    KERNEL_LOOP(i, n) v[i] = first + static_cast<T>(i);
}

template <typename A, typename B>
__global__ void convert(const A *a, B *b, int n)
{
    KERNEL_LOOP(i, n) b[i] = B(a[i]);
}

#define DISPATCH(is_int, ...)                    \
    if (is_int) {                                \
        using scalar_t = int;                    \
        __VA_ARGS__;                             \
    } else {                                     \
        using scalar_t = float;                  \
        __VA_ARGS__;                             \
    }

int main()
{
    const int n = 777;
    static int ints[n];
    static float floats[n];
    void *buffer;
    int *d_ints;
    float *d_floats;
    cudaStream_t stream;
    CUDA_CHECK(cudaMalloc(&buffer, n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_floats, n * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&stream));

    long want = 0, total = 0;
    for (int type = 0; type < 2; ++type) {
        DISPATCH(type == 0, L(fill<scalar_t>, dim3(4), dim3(64), static_cast<scalar_t *>(buffer), n, scalar_t(5)));
        CUDA_CHECK(cudaDeviceSynchronize());
        if (type == 1) {
            CUDA_CHECK(cudaMemcpy(floats, buffer, sizeof(floats), cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; ++i) total += floats[i] == 5.0f + i, want += 1;
        }
    }
    printf("filled floats: %ld of %ld right\n", total, want);
    bool ok = total == want;

    d_ints = static_cast<int *>(buffer);
    L(fill<int>, 2, 32, d_ints, n, 1);
    CALL_KERNEL(negate)(d_ints, n);
    CALL_KERNEL(triple)(d_ints, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    LAUNCH_ON(stream, (convert<int, float>), n, d_ints, d_floats, n);
    CUDA_CHECK(cudaMemcpyAsync(floats, d_floats, sizeof(floats), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemcpy(ints, d_ints, sizeof(ints), cudaMemcpyDeviceToHost));
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        ok = ok && ints[i] == -3 * (i + 1) && floats[i] == -3.0f * (i + 1);
        sum += ints[i];
    }
    printf("sum %ld\n%s\n", sum, ok ? "PASS" : "FAIL");
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(buffer));
    CUDA_CHECK(cudaFree(d_floats));
    return ok ? 0 : 1;
}
