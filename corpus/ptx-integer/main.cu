// 128-bit arithmetic and bit tricks with inline PTX, checked against plain C++.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <vector>

struct alignas(16) u128 {
    uint32_t w[4];
};

__device__ u128 add(const u128 &a, const u128 &b)
{
    u128 r;
    asm("add.cc.u32      %0, %4, %8;\n\t"
        "addc.cc.u32     %1, %5, %9;\n\t"
        "addc.cc.u32     %2, %6, %10;\n\t"
        "addc.u32        %3, %7, %11;\n\t"
        : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3])
        : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]), "r"(b.w[3]));
    return r;
}

__device__ uint64_t subtract(uint64_t a, uint64_t b)
{
    uint32_t lo, hi;
    asm("{\n\t"
        "sub.cc.u32 %0, %2, %4;\n\t"
        "subc.u32   %1, %3, %5;\n\t"
        "}"
        : "=r"(lo), "=r"(hi)
        : "r"((uint32_t)a), "r"((uint32_t)(a >> 32)), "r"((uint32_t)b), "r"((uint32_t)(b >> 32)));
    return (uint64_t)hi << 32 | lo;
}

__device__ __forceinline__ uint32_t mulhi(uint32_t a, uint32_t b)
{
    uint32_t r;
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

__device__ __forceinline__ uint64_t mulwide(uint32_t a, uint32_t b)
{
    uint64_t r;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
    return r;
}

__device__ __forceinline__ uint32_t mad(uint32_t a, uint32_t b, uint32_t c)
{
    asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
    return c;
}

__device__ __forceinline__ uint32_t bits(uint32_t v, uint32_t at, uint32_t count)
{
    uint32_t r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(at), "r"(count));
    return r;
}

__device__ __forceinline__ uint32_t select(uint32_t mask, uint32_t a, uint32_t b)
{
    uint32_t r;
    asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r) : "r"(mask), "r"(a), "r"(b));
    return r;
}

__device__ __forceinline__ uint32_t swapBytes(uint32_t v)
{
    uint32_t r;
    asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(r) : "r"(v));
    return r;
}

struct Result {
    u128 sum;
    uint64_t difference, wide;
    uint32_t high, mad, field, chosen, swapped;
};

__global__ void compute(const u128 *in, Result *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u128 a = in[i], b = in[(i + 1) % n];
    Result r;
    r.sum = add(a, b);
    r.difference = subtract((uint64_t)a.w[1] << 32 | a.w[0], (uint64_t)b.w[1] << 32 | b.w[0]);
    r.wide = mulwide(a.w[0], b.w[0]);
    r.high = mulhi(a.w[1], b.w[1]);
    r.mad = mad(a.w[2], b.w[2], a.w[3]);
    r.field = bits(a.w[3], 5, 9);
    r.chosen = select(a.w[0], a.w[1], b.w[1]);
    r.swapped = swapBytes(b.w[3]);
    out[i] = r;
}

int main()
{
    const int n = 200;
    std::vector<u128> in(n);
    uint32_t x = 88172645u;
    for (auto &v : in)
        for (auto &w : v.w) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            w = x % 7 == 0 ? 0xffffffffu : x;  // many carries
        }
    u128 *d_in;
    Result *d_out;
    std::vector<Result> out(n);
    cudaMalloc(&d_in, n * sizeof(u128));
    cudaMalloc(&d_out, n * sizeof(Result));
    cudaMemcpy(d_in, in.data(), n * sizeof(u128), cudaMemcpyHostToDevice);
    compute<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    if (cudaError_t e = cudaMemcpy(out.data(), d_out, n * sizeof(Result), cudaMemcpyDeviceToHost)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        return 1;
    }
    cudaFree(d_in);
    cudaFree(d_out);

    int wrong = 0;
    uint32_t hash = 0;
    for (int i = 0; i < n; ++i) {
        const u128 a = in[i], b = in[(i + 1) % n];
        const Result &r = out[i];
        uint64_t carry = 0;
        for (int k = 0; k < 4; ++k) {
            carry += (uint64_t)a.w[k] + b.w[k];
            wrong += r.sum.w[k] != (uint32_t)carry;
            hash = hash * 31 + r.sum.w[k];
            carry >>= 32;
        }
        wrong += r.difference != ((uint64_t)a.w[1] << 32 | a.w[0]) - ((uint64_t)b.w[1] << 32 | b.w[0]);
        wrong += r.wide != (uint64_t)a.w[0] * b.w[0];
        wrong += r.high != (uint32_t)((uint64_t)a.w[1] * b.w[1] >> 32);
        wrong += r.mad != a.w[2] * b.w[2] + a.w[3];
        wrong += r.field != (a.w[3] >> 5 & 0x1ff);
        wrong += r.chosen != ((a.w[0] & a.w[1]) | (~a.w[0] & b.w[1]));
        const uint32_t s = b.w[3];
        wrong += r.swapped != (s >> 24 | (s >> 8 & 0xff00) | (s << 8 & 0xff0000) | s << 24);
    }
    printf("%d sums, hash %08x, %d wrong\n%s\n", n, hash, wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
