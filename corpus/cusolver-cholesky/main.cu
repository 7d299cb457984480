// Two ways to solve a system with cuSOLVER's dense API: Cholesky and LU.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(err) do { cudaError_t err_ = (err); if (err_ != cudaSuccess) { \
    printf("CUDA error %d at %s:%d\n", err_, __FILE__, __LINE__); std::exit(1); } } while (0)
#define CUSOLVER_CHECK(err) do { cusolverStatus_t err_ = (err); if (err_ != CUSOLVER_STATUS_SUCCESS) { \
    printf("cusolver error %d at %s:%d\n", err_, __FILE__, __LINE__); std::exit(1); } } while (0)

struct Device {
    double *A, *b, *work = nullptr;
    int *info, *pivots;

    Device(const std::vector<double> &hostA, const std::vector<double> &hostB)
    {
        CUDA_CHECK(cudaMalloc(&A, hostA.size() * sizeof(double)));
        CUDA_CHECK(cudaMalloc(&b, hostB.size() * sizeof(double)));
        CUDA_CHECK(cudaMalloc(&pivots, hostB.size() * sizeof(int)));
        CUDA_CHECK(cudaMalloc(&info, sizeof(int)));
        CUDA_CHECK(cudaMemcpy(A, hostA.data(), hostA.size() * sizeof(double), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(b, hostB.data(), hostB.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    ~Device()
    {
        for (void *p : {(void *)A, (void *)b, (void *)work, (void *)info, (void *)pivots}) cudaFree(p);
    }
    void reserve(int doubles) { CUDA_CHECK(cudaMalloc(&work, doubles * sizeof(double))); }
    int status() const
    {
        int value = -1;
        CUDA_CHECK(cudaMemcpy(&value, info, sizeof(int), cudaMemcpyDeviceToHost));
        return value;
    }
};

static double error(const double *dev, const std::vector<double> &want)
{
    std::vector<double> x(want.size());
    CUDA_CHECK(cudaMemcpy(x.data(), dev, x.size() * sizeof(double), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) worst = std::fmax(worst, std::fabs(x[i] - want[i]));
    printf("x = %.4f %.4f %.4f ... %.4f\n", x[0], x[1], x[2], x.back());
    return worst;
}

int main()
{
    const int n = 40;
    std::vector<double> spd(n * n), general(n * n), want(n), b1(n, 0.0), b2(n, 0.0);
    for (int i = 0; i < n; ++i) want[i] = 1 + i % 4;
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < n; ++r) {
            spd[c * n + r] = r == c ? n + 1.0 : 1.0 / (1 + std::abs(r - c));
            general[c * n + r] = r == (c + 1) % n ? 10.0 * n : (r * 7 + c * 3) % 11 - 5;
            b1[r] += spd[c * n + r] * want[c];
            b2[r] += general[c * n + r] * want[c];
        }

    cusolverDnHandle_t handle;
    cudaStream_t stream;
    CUSOLVER_CHECK(cusolverDnCreate(&handle));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUSOLVER_CHECK(cusolverDnSetStream(handle, stream));
    int size = 0;
    bool ok = true;
    {
        Device d(spd, b1);
        CUSOLVER_CHECK(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, d.A, n, &size));
        d.reserve(size);
        CUSOLVER_CHECK(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, d.A, n, d.work, size, d.info));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        ok = ok && d.status() == 0;
        CUSOLVER_CHECK(cusolverDnDpotrs(handle, CUBLAS_FILL_MODE_LOWER, n, 1, d.A, n, d.b, n, d.info));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        ok = ok && d.status() == 0 && error(d.b, want) < 1e-9;
    }
    {
        Device d(general, b2);
        CUSOLVER_CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, d.A, n, &size));
        d.reserve(size);
        CUSOLVER_CHECK(cusolverDnDgetrf(handle, n, n, d.A, n, d.work, d.pivots, d.info));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        std::vector<int> pivots(n);
        CUDA_CHECK(cudaMemcpy(pivots.data(), d.pivots, n * sizeof(int), cudaMemcpyDeviceToHost));
        printf("first pivot: row %d\n", pivots[0]);
        ok = ok && d.status() == 0;
        CUSOLVER_CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, d.A, n, d.pivots, d.b, n, d.info));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        ok = ok && d.status() == 0 && error(d.b, want) < 1e-9;
    }
    CUSOLVER_CHECK(cusolverDnDestroy(handle));
    CUDA_CHECK(cudaStreamDestroy(stream));
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
