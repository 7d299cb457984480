// y = A x with A in CSR: once with a thread a row, once with a warp a row.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define cudaCheckError()                                                                     \
    {                                                                                        \
        cudaError_t e = cudaGetLastError();                                                  \
        if (e != cudaSuccess) {                                                              \
            printf("Cuda failure %s:%d: '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(EXIT_FAILURE);                                                              \
        }                                                                                    \
    }

struct Csr {
    int rows;
    std::vector<int> offsets, columns;
    std::vector<double> values;
};

__global__ void spmvScalar(int rows, const int *offsets, const int *columns, const double *values, const double *x,
                           double *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double dot = 0;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i) dot += values[i] * x[columns[i]];
    y[row] = dot;
}

__global__ void spmvVector(int rows, const int *__restrict__ offsets, const int *__restrict__ columns,
                           const double *__restrict__ values, const double *__restrict__ x, double *__restrict__ y)
{
    const int lane = threadIdx.x & (warpSize - 1);
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    const int warps = gridDim.x * blockDim.x / warpSize;
    for (int row = warp; row < rows; row += warps) {
        double dot = 0;
        for (int i = offsets[row] + lane; i < offsets[row + 1]; i += warpSize) dot += values[i] * x[columns[i]];
        for (int d = warpSize / 2; d > 0; d /= 2) dot += __shfl_down_sync(0xffffffff, dot, d);
        if (lane == 0) y[row] = dot;
    }
}

static Csr makeMatrix(int rows)
{
    Csr a;
    a.rows = rows;
    a.offsets.push_back(0);
    for (int r = 0; r < rows; ++r) {
        const int count = r % 50 == 0 ? 120 : r % 7;  // a few long rows, some empty ones
        for (int i = 0; i < count; ++i) {
            a.columns.push_back((r * 13 + i * 5) % rows);
            a.values.push_back((r + i) % 9 - 4);
        }
        a.offsets.push_back(static_cast<int>(a.columns.size()));
    }
    return a;
}

template <typename T>
static T *toDevice(const std::vector<T> &v)
{
    T *p;
    cudaMalloc(&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyDefault);
    cudaCheckError();
    return p;
}

int main()
{
    const Csr a = makeMatrix(600);
    std::vector<double> x(a.rows), y(a.rows), want(a.rows, 0.0);
    for (int i = 0; i < a.rows; ++i) x[i] = i % 11 - 5;
    for (int r = 0; r < a.rows; ++r)
        for (int i = a.offsets[r]; i < a.offsets[r + 1]; ++i) want[r] += a.values[i] * x[a.columns[i]];

    int *offsets = toDevice(a.offsets), *columns = toDevice(a.columns);
    double *values = toDevice(a.values), *d_x = toDevice(x), *d_y = toDevice(y);
    int wrong = 0;
    for (int kernel = 0; kernel < 2; ++kernel) {
        cudaMemset(d_y, 0xff, y.size() * sizeof(double));
        if (kernel == 0)
            spmvScalar<<<(a.rows + 127) / 128, 128>>>(a.rows, offsets, columns, values, d_x, d_y);
        else
            spmvVector<<<20, 256>>>(a.rows, offsets, columns, values, d_x, d_y);
        cudaCheckError();
        cudaMemcpy(y.data(), d_y, y.size() * sizeof(double), cudaMemcpyDeviceToHost);
        double norm = 0;
        for (int r = 0; r < a.rows; ++r) wrong += y[r] != want[r], norm += y[r] * y[r];
        printf("%s: nnz %d, |y|^2 %.0f\n", kernel ? "warp a row" : "thread a row", a.offsets[a.rows], norm);
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    for (void *p : {(void *)offsets, (void *)columns, (void *)values, (void *)d_x, (void *)d_y}) cudaFree(p);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
