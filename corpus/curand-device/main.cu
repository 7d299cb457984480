// The cuRAND device API: states kept between kernels, uniform and normal numbers, a random walk that stays unbiased.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                          \
    do {                                                                  \
        cudaError_t e = (x);                                              \
        if (e != cudaSuccess) {                                           \
            fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e));       \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

template <typename State>
__global__ void setup(State *states, unsigned long long seed)
{
    const int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &states[id]);
}

template <typename State>
__global__ void hits(State *states, unsigned *counts, int draws)
{
    const int id = threadIdx.x + blockIdx.x * blockDim.x;
    State local = states[id];
    unsigned inside = 0;
    for (int i = 0; i < draws; ++i) {
        const float x = curand_uniform(&local), y = curand_uniform(&local);
        inside += x * x + y * y <= 1.0f;
    }
    counts[id] = inside;
    states[id] = local;
}

__global__ void walk(curandStatePhilox4_32_10_t *states, float *ends, int steps)
{
    const int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandStatePhilox4_32_10_t local = states[id];
    float at = 0.0f;
    for (int s = 0; s < steps; s += 4) {
        const float4 step = curand_normal4(&local);
        at += step.x + step.y + step.z + step.w;
    }
    ends[id] = at;
    states[id] = local;
}

template <typename State>
static bool pi(const char *name, int blocks, int threads, int draws)
{
    const int n = blocks * threads;
    State *states;
    unsigned *counts;
    std::vector<unsigned> first(n), second(n);
    CHECK(cudaMalloc(&states, n * sizeof(State)));
    CHECK(cudaMalloc(&counts, n * sizeof(unsigned)));
    setup<<<blocks, threads>>>(states, 2024);
    hits<<<blocks, threads>>>(states, counts, draws);
    CHECK(cudaMemcpy(first.data(), counts, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    hits<<<blocks, threads>>>(states, counts, draws);
    CHECK(cudaMemcpy(second.data(), counts, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    double inside = 0;
    for (int i = 0; i < n; ++i) inside += first[i] + second[i];
    const bool near = std::fabs(4 * inside / (2.0 * n * draws) - 3.14159265) < 0.03;
    const bool moved = first != second;  // the states went on
    printf("%s: pi is %s, states %s\n", name, near ? "near" : "FAR OFF", moved ? "advance" : "STAND STILL");
    CHECK(cudaFree(states));
    CHECK(cudaFree(counts));
    return near && moved;
}

int main()
{
    bool ok = pi<curandState>("default", 8, 64, 200);
    ok = pi<curandStateMRG32k3a_t>("mrg32k3a", 4, 64, 200) && ok;

    const int n = 1024, steps = 64;
    curandStatePhilox4_32_10_t *states;
    float *ends;
    std::vector<float> host(n);
    CHECK(cudaMalloc(&states, n * sizeof(*states)));
    CHECK(cudaMalloc(&ends, n * sizeof(float)));
    setup<<<n / 128, 128>>>(states, 7ULL);
    walk<<<n / 128, 128>>>(states, ends, steps);
    CHECK(cudaMemcpy(host.data(), ends, n * sizeof(float), cudaMemcpyDeviceToHost));
    double mean = 0, square = 0;
    for (float e : host) mean += e / n, square += double(e) * e / n;
    const bool unbiased = std::fabs(mean) < 1.5 && std::fabs(std::sqrt(square) - std::sqrt(double(steps))) < 1.0;
    printf("walk: %s\n", unbiased ? "unbiased" : "BIASED");
    CHECK(cudaFree(states));
    CHECK(cudaFree(ends));
    ok = ok && unbiased;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
