// Lane crossing, halves, packed math and integer intrinsics, compared with the host.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(CONDITION) \
  if (!(CONDITION)) return printf("line %d: %s\n", __LINE__, #CONDITION), 1

__global__ void cross(int *out) {
  const int lane = threadIdx.x, w = warpSize;
  int *o = out + lane;
  o[0 * w] = __shfl(lane * 3, (lane + 5) % w);
  o[1 * w] = __shfl_xor(lane, 7);
  o[2 * w] = __shfl_up(lane, 3);
  o[3 * w] = __builtin_amdgcn_update_dpp(-1, lane, 0x111, 0xf, 0xf, false);  // row shift right by 1
  o[4 * w] = __builtin_amdgcn_mov_dpp(lane, 0xb1, 0xf, 0xf, true);           // quads 1,0,3,2
  o[5 * w] = __builtin_amdgcn_ds_swizzle(lane, 0x041f);                      // xor with 1
  o[6 * w] = __builtin_amdgcn_readlane(lane * 2, 9);
  o[7 * w] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  o[8 * w] = __popcll(__ballot(lane % 3 == 0));
  o[9 * w] = lane % 2 ? __builtin_amdgcn_readfirstlane(lane) : -1;
}

__global__ void halves(const float *in, float *out) {
  const int i = threadIdx.x;
  const __half a = __float2half(in[i]), b = __float2half(in[i + 1]);
  out[4 * i] = __half2float(__hfma(a, b, a));
  const __half2 p = __halves2half2(a, b), q = __hmul2(p, __lowhigh2highlow(p));
  out[4 * i + 1] = __low2float(q);
  out[4 * i + 2] = __high2float(__hadd2(p, p));
  out[4 * i + 3] = __half2float(hsqrt(__habs(a)));
}

__global__ void integers(const unsigned *in, unsigned *out) {
  const int i = threadIdx.x;
  const unsigned a = in[i], b = in[i + 1];
  unsigned *o = out + 8 * i;
  o[0] = __brev(a) ^ __clz(b) ^ __ffs(a);
  o[1] = __umulhi(a, b);
  o[2] = (unsigned)((int)a / (int)(b | 1)) + a % (b | 1);
  o[3] = (unsigned)((unsigned long long)a * b / (b | 3));
  o[4] = __byte_perm(a, b, 0x5140);
  o[5] = (unsigned char)a * (unsigned short)b;
  o[6] = (unsigned)(short)(a >> 5) >> (b & 7);
  o[7] = __funnelshift_l(a, b, a & 31);
}

int main() {
  int device_wave;
  CHECK(hipDeviceGetAttribute(&device_wave, hipDeviceAttributeWarpSize, 0) == hipSuccess);
  const int w = device_wave;
  int *d;
  CHECK(hipMalloc(&d, 4096 * 4) == hipSuccess);
  std::vector<int> h(10 * w);
  cross<<<1, w>>>(d);
  CHECK(hipMemcpy(h.data(), d, h.size() * 4, hipMemcpyDeviceToHost) == hipSuccess);
  for (int l = 0; l < w; l++) {
    CHECK(h[l] == (l + 5) % w * 3 && h[w + l] == (l ^ 7) && h[2 * w + l] == (l < 3 ? l : l - 3));
    CHECK(h[3 * w + l] == (l % 16 ? l - 1 : -1) && h[4 * w + l] == (l ^ 1) && h[5 * w + l] == (l ^ 1));
    CHECK(h[6 * w + l] == 18 && h[7 * w + l] == l && h[8 * w + l] == (w + 2) / 3);
    CHECK(h[9 * w + l] == (l % 2 ? 1 : -1));
  }

  std::vector<float> f(65), g(256);
  for (int i = 0; i < 65; i++) f[i] = (i - 30) * 0.37f;
  float *df = (float *)d;
  CHECK(hipMemcpy(df, f.data(), 65 * 4, hipMemcpyHostToDevice) == hipSuccess);
  halves<<<1, 64>>>(df, df + 128);
  CHECK(hipMemcpy(g.data(), df + 128, 256 * 4, hipMemcpyDeviceToHost) == hipSuccess);
  const auto half = [](double x) { return (double)(float)(_Float16)x; };
  for (int i = 0; i < 64; i++) {
    const double a = half(f[i]), b = half(f[i + 1]), product = half(a * b);
    CHECK(g[4 * i] == half(a * b + a) && g[4 * i + 1] == product && g[4 * i + 2] == half(b + b));
    CHECK(g[4 * i + 3] == half(__builtin_sqrt(a < 0 ? -a : a)));
  }

  std::vector<unsigned> u(65), o(512);
  for (int i = 0; i < 65; i++) u[i] = 2654435761u * (i + 1) >> (i % 20);
  unsigned *du = (unsigned *)d;
  CHECK(hipMemcpy(du, u.data(), 65 * 4, hipMemcpyHostToDevice) == hipSuccess);
  integers<<<1, 64>>>(du, du + 128);
  CHECK(hipMemcpy(o.data(), du + 128, 512 * 4, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 64; i++) {
    const unsigned a = u[i], b = u[i + 1], *r = &o[8 * i];
    const unsigned clz = b ? __builtin_clz(b) : 32, ffs = __builtin_ffs(a);
    CHECK(r[0] == (__builtin_bitreverse32(a) ^ clz ^ ffs));
    CHECK(r[1] == (unsigned)((unsigned long long)a * b >> 32));
    CHECK(r[2] == (unsigned)((int)a / (int)(b | 1)) + a % (b | 1));
    CHECK(r[3] == (unsigned)((unsigned long long)a * b / (b | 3)));
    CHECK(r[4] == ((a & 0xff) | (b & 0xff) << 8 | (a & 0xff00) << 8 | (b & 0xff00) << 16));
    CHECK(r[5] == (unsigned)((unsigned char)a * (unsigned short)b));
    CHECK(r[6] == (unsigned)(short)(a >> 5) >> (b & 7));
    CHECK(r[7] == (unsigned)((((unsigned long long)b << 32 | a) << (a & 31)) >> 32));
  }
  puts("PASS");
}
