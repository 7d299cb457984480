// Gravity between all pairs of bodies, tiles of positions in shared memory, leapfrog steps.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SOFTENING 1e-2f
#define checkCuda(x) checkImpl(x, __func__, __LINE__)

static inline void checkImpl(cudaError_t e, const char *where, int line)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s:%d %s\n", where, line, cudaGetErrorString(e));
    exit(EXIT_FAILURE);
}

__device__ float3 bodyBodyInteraction(float3 a, float4 pi, float4 pj)
{
    const float dx = pj.x - pi.x, dy = pj.y - pi.y, dz = pj.z - pi.z;
    const float d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
    const float inv = rsqrtf(d2);
    const float f = pj.w * inv * inv * inv;
    a.x += f * dx;
    a.y += f * dy;
    a.z += f * dz;
    return a;
}

__global__ void step(const float4 *__restrict__ pos, float4 *__restrict__ newPos, float3 *vel, int n, float dt)
{
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? pos[i] : make_float4(0, 0, 0, 0);
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int start = 0; start < n; start += blockDim.x) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? pos[j] : float4{0, 0, 0, 0};
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; ++k) acc = bodyBodyInteraction(acc, me, tile[k]);
        __syncthreads();
    }
    if (i >= n) return;
    float3 v = vel[i];
    v.x += dt * acc.x, v.y += dt * acc.y, v.z += dt * acc.z;
    vel[i] = v;
    newPos[i] = make_float4(me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.w);
}

static void hostStep(std::vector<double> &p, std::vector<double> &v, const std::vector<double> &mass, double dt)
{
    const size_t n = mass.size();
    for (size_t i = 0; i < n; ++i) {
        double a[3] = {};
        for (size_t j = 0; j < n; ++j) {
            double d[3], d2 = SOFTENING;
            for (int c = 0; c < 3; ++c) d[c] = p[3 * j + c] - p[3 * i + c], d2 += d[c] * d[c];
            for (int c = 0; c < 3; ++c) a[c] += mass[j] * d[c] / (d2 * std::sqrt(d2));
        }
        for (int c = 0; c < 3; ++c) v[3 * i + c] += dt * a[c];
    }
    for (size_t k = 0; k < 3 * n; ++k) p[k] += dt * v[k];
}

int main()
{
    const int n = 300, steps = 5, block = 64;
    const float dt = 0.0625f;
    std::vector<float4> pos(n);
    std::vector<double> p(3 * n), v(3 * n, 0.0), mass(n);
    for (int i = 0; i < n; ++i) {
        pos[i] = make_float4((i * 37 % 100) / 8.0f, (i * 53 % 90) / 8.0f, (i * 71 % 80) / 8.0f, 0.25f * (1 + i % 3));
        p[3 * i] = pos[i].x, p[3 * i + 1] = pos[i].y, p[3 * i + 2] = pos[i].z, mass[i] = pos[i].w;
    }
    float4 *d_pos[2];
    float3 *d_vel;
    for (auto &d : d_pos) checkCuda(cudaMalloc(&d, n * sizeof(float4)));
    checkCuda(cudaMalloc(&d_vel, n * sizeof(float3)));
    checkCuda(cudaMemset(d_vel, 0, n * sizeof(float3)));
    checkCuda(cudaMemcpy(d_pos[0], pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    for (int s = 0; s < steps; ++s) {
        step<<<(n + block - 1) / block, block, block * sizeof(float4)>>>(d_pos[s & 1], d_pos[~s & 1], d_vel, n, dt);
        checkCuda(cudaGetLastError());
        hostStep(p, v, mass, dt);
    }
    checkCuda(cudaMemcpy(pos.data(), d_pos[steps & 1], n * sizeof(float4), cudaMemcpyDeviceToHost));

    double worst = 0, center[3] = {}, total = 0;
    for (int i = 0; i < n; ++i) {
        const float got[3] = {pos[i].x, pos[i].y, pos[i].z};
        for (int c = 0; c < 3; ++c) {
            worst = std::fmax(worst, std::fabs(got[c] - p[3 * i + c]));
            center[c] += mass[i] * got[c];
        }
        total += mass[i];
    }
    printf("center of mass %.2f %.2f %.2f, mass %.2f\n", center[0] / total, center[1] / total, center[2] / total, total);
    printf("%s\n", worst < 1e-2 ? "PASS" : "FAIL");
    if (worst >= 1e-2) fprintf(stderr, "worst difference %g\n", worst);
    for (auto d : d_pos) checkCuda(cudaFree(d));
    checkCuda(cudaFree(d_vel));
    return worst < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
