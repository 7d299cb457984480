// Half and bfloat16: scalar and packed arithmetic, conversions, comparisons. All values are exact in both formats.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <vector>

#define CHECK(e) do { if (cudaError_t err = (e)) { printf("%s\n", cudaGetErrorString(err)); return 1; } } while (0)

__global__ void halfAxpy(const half2 *x, half2 *y, __half a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void halfScalar(const __half *in, float *out, unsigned short *bits, int n)
{
    const int i = threadIdx.x;
    if (i >= n) return;
    const half one = __float2half(1.0f);
    half h = __hadd(__hmul(in[i], in[i]), one);
    if (__hgt(h, __float2half_rn(10.0f))) h = __hsub(h, __int2half_rn(5));
    h = h + one * __float2half(2.0f);  // operators too
    out[i] = __half2float(h);
    bits[i] = __half_as_ushort(h);
}

__global__ void bfloatDot(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *dot, int n)
{
    __shared__ float partial[64];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __bfloat162float(__hmul(a[i], b[i]));
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) *dot = partial[0];
}

__global__ void bfloatScale(__nv_bfloat162 *v, float factor, int n)
{
    const int i = threadIdx.x;
    if (i < n) v[i] = __hmul2(v[i], __bfloat162bfloat162(__float2bfloat16(factor)));
}

template <typename T>
static T *upload(const std::vector<T> &host)
{
    T *dev = nullptr;
    cudaMalloc(&dev, host.size() * sizeof(T));
    cudaMemcpy(dev, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return dev;
}

int main()
{
    const int n = 128;
    bool ok = true;
    std::vector<half> hx(n), hy(n);
    std::vector<__nv_bfloat16> ba(n), bb(n);
    for (int i = 0; i < n; ++i) {
        hx[i] = __float2half(float(i % 16));
        hy[i] = __float2half(0.5f * (i % 9));
        ba[i] = __float2bfloat16(float(i % 8) - 4);
        bb[i] = __float2bfloat16(float(i % 5));
    }
    half *x = upload(hx), *y = upload(hy);
    __nv_bfloat16 *a = upload(ba), *b = upload(bb);
    float *out;
    unsigned short *bits;
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMalloc(&bits, n * sizeof(unsigned short)));

    halfAxpy<<<1, n / 2>>>(reinterpret_cast<half2 *>(x), reinterpret_cast<half2 *>(y), __float2half(2.5f), n / 2);
    CHECK(cudaMemcpy(hy.data(), y, n * sizeof(half), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) ok = ok && __half2float(hy[i]) == 2.5f * (i % 16) + 0.5f * (i % 9);
    printf("axpy: %.1f %.1f %.1f\n", __half2float(hy[1]), __half2float(hy[8]), __half2float(hy[127]));

    std::vector<float> result(n);
    std::vector<unsigned short> resultBits(n);
    halfScalar<<<1, n>>>(x, out, bits, n);
    CHECK(cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(resultBits.data(), bits, n * sizeof(unsigned short), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        const float v = float(i % 16) * float(i % 16) + 1;
        ok = ok && result[i] == (v > 10 ? v - 5 : v) + 2;
    }
    printf("scalar: %.0f %.0f, bits %04x\n", result[3], result[15], unsigned(resultBits[15]));

    float dot = 0, want = 0;
    bfloatDot<<<1, 64>>>(a, b, out, n);
    CHECK(cudaMemcpy(&dot, out, sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want += (i % 8 - 4) * (i % 5);
    bfloatScale<<<1, 64>>>(reinterpret_cast<__nv_bfloat162 *>(a), 0.25f, n / 2);
    CHECK(cudaMemcpy(ba.data(), a, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) ok = ok && __bfloat162float(ba[i]) == 0.25f * (i % 8 - 4);
    printf("bfloat16: dot %.0f, scaled %.2f\n", dot, __bfloat162float(ba[5]));
    ok = ok && dot == want;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (void *p : {(void *)x, (void *)y, (void *)a, (void *)b, (void *)out, (void *)bits}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
