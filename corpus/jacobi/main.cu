// Jacobi iterations for a diagonally dominant system, the residual by atomics on doubles.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <vector>

template <class T>
class DeviceVector {
public:
    explicit DeviceVector(size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T))); }
    explicit DeviceVector(const std::vector<T> &v) : DeviceVector(v.size())
    {
        check(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceVector(const DeviceVector &) = delete;
    ~DeviceVector() { cudaFree(data_); }
    T *get() const { return data_; }
    void zero() { check(cudaMemset(data_, 0, size_ * sizeof(T))); }
    std::vector<T> host() const
    {
        std::vector<T> v(size_);
        check(cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }

private:
    static void check(cudaError_t e)
    {
        if (e != cudaSuccess) throw e;
    }
    T *data_ = nullptr;
    size_t size_;
};

__global__ void sweep(const double *A, const double *b, const double *x, double *next, double *residual, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0.0;
    for (int col = 0; col < n; ++col)
        if (col != row) sum += A[row * n + col] * x[col];
    const double value = (b[row] - sum) / A[row * n + row];
    next[row] = value;
    atomicAdd(residual, fabs(value - x[row]));
}

int main()
{
    const int n = 96;
    std::vector<double> A(n * n), b(n, 0.0), want(n);
    for (int i = 0; i < n; ++i) want[i] = 1.0 + i % 5;
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) {
            A[r * n + c] = r == c ? 2.0 * n : ((r + c) % 3) - 1.0;
            b[r] += A[r * n + c] * want[c];
        }
    try {
        DeviceVector<double> dA(A), db(b), x0(n), x1(n), residual(1);
        x0.zero();
        DeviceVector<double> *from = &x0, *to = &x1;
        int iterations = 0;
        double change = 1.0;
        while (change > 1e-10 && iterations < 200) {
            residual.zero();
            sweep<<<(n + 31) / 32, 32>>>(dA.get(), db.get(), from->get(), to->get(), residual.get(), n);
            if (cudaError_t e = cudaGetLastError()) throw e;
            change = residual.host()[0];
            std::swap(from, to);
            ++iterations;
        }
        const std::vector<double> x = from->host();
        double error = 0.0;
        for (int i = 0; i < n; ++i) error = std::max(error, std::abs(x[i] - want[i]));
        std::cout << std::fixed << std::setprecision(6) << "x[0..4] = " << x[0] << ' ' << x[1] << ' ' << x[2] << ' '
                  << x[3] << ' ' << x[4] << '\n';
        const bool ok = error < 1e-9 && iterations < 200;
        std::cout << (ok ? "PASS" : "FAIL") << std::endl;
        return ok ? 0 : 1;
    } catch (cudaError_t e) {
        std::cerr << "CUDA error " << e << ": " << cudaGetErrorString(e) << std::endl;
        return 1;
    }
}
