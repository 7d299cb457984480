// The cuRAND host API. Sequences differ between libraries, so only what holds for every good generator is printed.
#include <cuda_runtime.h>
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { \
    printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)
#define CURAND_CALL(x) do { if ((x) != CURAND_STATUS_SUCCESS) { \
    printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)

struct Moments {
    double mean, deviation, lowest, highest;
};

static Moments moments(const std::vector<float> &v)
{
    Moments m = {0, 0, 1e30, -1e30};
    for (float x : v) {
        m.mean += x / v.size();
        m.lowest = std::fmin(m.lowest, x);
        m.highest = std::fmax(m.highest, x);
    }
    for (float x : v) m.deviation += (x - m.mean) * (x - m.mean) / v.size();
    m.deviation = std::sqrt(m.deviation);
    return m;
}

static bool report(const char *what, bool good)
{
    printf("%s: %s\n", what, good ? "ok" : "WRONG");
    return good;
}

int main()
{
    const size_t n = 1 << 16;
    curandGenerator_t gen, philox, onHost;
    float *dev;
    unsigned int *bits;
    CUDA_CALL(cudaMalloc((void **)&dev, n * sizeof(float)));
    CUDA_CALL(cudaMalloc((void **)&bits, n * sizeof(unsigned int)));
    std::vector<float> a(n), b(n), h(n);

    CURAND_CALL(curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_DEFAULT));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(gen, 1234ULL));
    CURAND_CALL(curandGenerateUniform(gen, dev, n));
    CUDA_CALL(cudaMemcpy(a.data(), dev, n * sizeof(float), cudaMemcpyDeviceToHost));
    Moments m = moments(a);
    bool ok = report("uniform moments", fabs(m.mean - 0.5) < 0.01 && fabs(m.deviation - std::sqrt(1 / 12.0)) < 0.01);
    ok &= report("uniform range (0, 1]", m.lowest > 0.0 && m.highest <= 1.0);

    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(gen, 1234ULL));
    CURAND_CALL(curandSetGeneratorOffset(gen, 0));
    CURAND_CALL(curandGenerateUniform(gen, dev, n));
    CUDA_CALL(cudaMemcpy(b.data(), dev, n * sizeof(float), cudaMemcpyDeviceToHost));
    ok &= report("same seed, same numbers", a == b);

    CURAND_CALL(curandCreateGenerator(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(philox, 77ULL));
    CURAND_CALL(curandGenerateNormal(philox, dev, n, 3.0f, 2.0f));
    CUDA_CALL(cudaMemcpy(a.data(), dev, n * sizeof(float), cudaMemcpyDeviceToHost));
    m = moments(a);
    ok &= report("normal moments", fabs(m.mean - 3.0) < 0.05 && fabs(m.deviation - 2.0) < 0.05);

    CURAND_CALL(curandGenerate(gen, bits, n));
    std::vector<unsigned int> words(n);
    CUDA_CALL(cudaMemcpy(words.data(), bits, n * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    long long ones = 0;
    for (unsigned int w : words)
        for (; w; w &= w - 1) ++ones;
    ok &= report("half of the bits", std::llabs(ones - (long long)n * 16) < (long long)n);

    CURAND_CALL(curandCreateGeneratorHost(&onHost, CURAND_RNG_PSEUDO_MRG32K3A));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(onHost, 5ULL));
    CURAND_CALL(curandGenerateUniform(onHost, h.data(), n));
    ok &= report("host generator", fabs(moments(h).mean - 0.5) < 0.01);

    CURAND_CALL(curandDestroyGenerator(gen));
    CURAND_CALL(curandDestroyGenerator(philox));
    CURAND_CALL(curandDestroyGenerator(onHost));
    CUDA_CALL(cudaFree(dev));
    CUDA_CALL(cudaFree(bits));
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
