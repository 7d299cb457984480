// transform and transform_reduce of our own: functors, variadic templates, a chain of types, template launches.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

#define HD __host__ __device__ __forceinline__

template <typename T> struct Square { HD T operator()(T v) const { return v * v; } };
template <typename T> struct AddConstant { T c; HD T operator()(T v) const { return v + c; } };
template <typename T> struct Max {
    HD static T identity() { return T(-1000000); }
    HD T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename T> struct Plus {
    HD static T identity() { return T(0); }
    HD T operator()(T a, T b) const { return a + b; }
};

template <typename F, typename G> struct Composed {
    F f;
    G g;
    template <typename T> HD auto operator()(T v) const -> decltype(f(g(v))) { return f(g(v)); }
};
template <typename F, typename G> Composed<F, G> compose(F f, G g) { return {f, g}; }

template <typename T, typename Op, typename... Rest>
__global__ void transform(T *out, int n, Op op, const Rest *...in)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = op(in[i]...);
}

template <typename T, int BlockSize, typename Map, typename Reduce>
__global__ void transformReduce(const T *in, int n, T *out, Map map, Reduce reduce)
{
    static_assert((BlockSize & (BlockSize - 1)) == 0, "a power of two");
    __shared__ T partial[BlockSize];
    T value = Reduce::identity();
    for (int i = threadIdx.x; i < n; i += BlockSize) value = reduce(value, map(in[i]));
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int s = BlockSize / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] = reduce(partial[threadIdx.x], partial[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = partial[0];
}

struct Launcher {
    int threads;
    template <typename T, typename Op, typename... In>
    void operator()(T *out, int n, Op op, const In *...in) const
    {
        transform<T, Op, In...><<<(n + threads - 1) / threads, threads>>>(out, n, op, in...);
    }
};

template <typename T, template <typename> class Reduce>
static T reduceOnDevice(const T *d_in, int n, T *d_out)
{
    T result;
    auto map = compose(AddConstant<T>{-3}, Square<T>());
    (n > 1024 ? transformReduce<T, 256, decltype(map), Reduce<T>> : transformReduce<T, 64, decltype(map), Reduce<T>>)
        <<<1, n > 1024 ? 256 : 64>>>(d_in, n, d_out, map, Reduce<T>{});
    cudaMemcpy(&result, d_out, sizeof(T), cudaMemcpyDeviceToHost);
    return result;
}

int main()
{
    using T = long long;
    const int n = 3000;
    std::vector<T> a(n), b(n), got(n);
    for (int i = 0; i < n; ++i) a[i] = i % 19 - 9, b[i] = i % 23;
    T *d_a, *d_b, *d_out;
    for (T **p : {&d_a, &d_b, &d_out})
        if (cudaMalloc(p, n * sizeof(T)) != cudaSuccess) return fprintf(stderr, "no memory\n"), 1;
    cudaMemcpy(d_a, a.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(T), cudaMemcpyHostToDevice);

    Launcher{128}(d_out, n, Plus<T>(), d_a, d_b);
    cudaMemcpy(got.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; ++i) ok = ok && got[i] == a[i] + b[i];
    printf("binary transform: out[100] = %lld\n", got[100]);
    Launcher{64}.operator()(d_out, n, Square<T>{}, d_b);
    cudaMemcpy(got.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) ok = ok && got[i] == b[i] * b[i];
    printf("unary transform: out[100] = %lld\n", got[100]);

    T sum = 0, small = 0, max = 0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * a[i] - 3;
        if (i < 500) small += a[i] * a[i] - 3;
        max = std::max<T>(max, a[i] * a[i] - 3);
    }
    const T gotSum = reduceOnDevice<T, Plus>(d_a, n, d_out), gotSmall = reduceOnDevice<T, Plus>(d_a, 500, d_out),
            gotMax = reduceOnDevice<T, Max>(d_a, n, d_out);
    printf("sum %lld, of the first 500 %lld, max %lld\n", gotSum, gotSmall, gotMax);
    ok = ok && sum == gotSum && small == gotSmall && max == gotMax && cudaGetLastError() == cudaSuccess;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (T *p : {d_a, d_b, d_out}) cudaFree(p);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
