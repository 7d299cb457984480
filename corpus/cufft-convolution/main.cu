// A circular convolution through cuFFT (complex to complex), and a real transform there and back.
#include <cuda_runtime.h>
#include <cuComplex.h>
#include <cufft.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(c) if ((c) != cudaSuccess) { fprintf(stderr, "CUDA error, line %d\n", __LINE__); exit(1); }
#define CHECK_FFT(c) if (cufftResult r = (c); r != CUFFT_SUCCESS) { \
    fprintf(stderr, "cuFFT error %d, line %d\n", (int)r, __LINE__); exit(1); }

__global__ void multiply(cufftComplex *a, const cufftComplex *b, int n, float scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const cuFloatComplex p = cuCmulf(a[i], b[i]);
    a[i] = make_cuComplex(scale * cuCrealf(p), scale * cuCimagf(p));
}

int main()
{
    const int n = 256;
    std::vector<cufftComplex> signal(n), filter(n, make_cuFloatComplex(0.0f, 0.0f)), result(n);
    for (int i = 0; i < n; ++i) signal[i] = make_cuFloatComplex(i % 16 - 8, i % 5);
    const int taps[3] = {1, -2, 4};
    for (int t = 0; t < 3; ++t) filter[t].x = taps[t];

    cufftComplex *d_signal, *d_filter;
    CHECK_CUDA(cudaMalloc(&d_signal, n * sizeof(cufftComplex)));
    CHECK_CUDA(cudaMalloc(&d_filter, n * sizeof(cufftComplex)));
    CHECK_CUDA(cudaMemcpy(d_signal, signal.data(), n * sizeof(cufftComplex), cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy(d_filter, filter.data(), n * sizeof(cufftComplex), cudaMemcpyHostToDevice));
    cufftHandle plan;
    CHECK_FFT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    CHECK_FFT(cufftExecC2C(plan, d_signal, d_signal, CUFFT_FORWARD));
    CHECK_FFT(cufftExecC2C(plan, d_filter, d_filter, CUFFT_FORWARD));
    multiply<<<n / 64, 64>>>(d_signal, d_filter, n, 1.0f / n);
    CHECK_CUDA(cudaGetLastError());
    CHECK_FFT(cufftExecC2C(plan, d_signal, d_signal, CUFFT_INVERSE));
    CHECK_CUDA(cudaMemcpy(result.data(), d_signal, n * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
    CHECK_FFT(cufftDestroy(plan));

    int wrong = 0;
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        int re = 0, im = 0;
        for (int t = 0; t < 3; ++t) {
            const cufftComplex s = signal[(i - t + n) % n];
            re += taps[t] * (int)s.x;
            im += taps[t] * (int)s.y;
        }
        wrong += lroundf(result[i].x) != re || lroundf(result[i].y) != im;
        sum += lroundf(result[i].x) * (i % 3 + 1) + lroundf(result[i].y);
    }
    printf("convolution: %d wrong, checksum %ld\n", wrong, sum);

    const int rows = 4, len = 60;
    std::vector<double> real(rows * len), back(rows * len);
    for (int i = 0; i < rows * len; ++i) real[i] = i % 13;
    double *d_real;
    cufftDoubleComplex *d_spectrum, dc[rows];
    CHECK_CUDA(cudaMalloc(&d_real, real.size() * sizeof(double)));
    CHECK_CUDA(cudaMalloc(&d_spectrum, rows * (len / 2 + 1) * sizeof(cufftDoubleComplex)));
    CHECK_CUDA(cudaMemcpy(d_real, real.data(), real.size() * sizeof(double), cudaMemcpyHostToDevice));
    cufftHandle forward, inverse;
    int size[1] = {len};
    CHECK_FFT(cufftPlanMany(&forward, 1, size, nullptr, 1, len, nullptr, 1, len / 2 + 1, CUFFT_D2Z, rows));
    CHECK_FFT(cufftPlanMany(&inverse, 1, size, nullptr, 1, len / 2 + 1, nullptr, 1, len, CUFFT_Z2D, rows));
    CHECK_FFT(cufftExecD2Z(forward, d_real, d_spectrum));
    CHECK_CUDA(cudaMemcpy2D(dc, sizeof(cufftDoubleComplex), d_spectrum, (len / 2 + 1) * sizeof(cufftDoubleComplex),
                            sizeof(cufftDoubleComplex), rows, cudaMemcpyDeviceToHost));
    CHECK_FFT(cufftExecZ2D(inverse, d_spectrum, d_real));
    CHECK_CUDA(cudaMemcpy(back.data(), d_real, real.size() * sizeof(double), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < real.size(); ++i) wrong += fabs(back[i] / len - real[i]) > 1e-9;
    printf("row sums from the spectrum: %.0f %.0f %.0f %.0f\n", dc[0].x, dc[1].x, dc[2].x, dc[3].x);
    CHECK_FFT(cufftDestroy(forward));
    CHECK_FFT(cufftDestroy(inverse));
    for (void *p : {(void *)d_signal, (void *)d_filter, (void *)d_real, (void *)d_spectrum}) CHECK_CUDA(cudaFree(p));
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
