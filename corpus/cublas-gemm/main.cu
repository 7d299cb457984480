// Single and double precision products, a batched one and level-1 calls with cuBLAS. All values are small integers.
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { \
    printf("Error at %s:%d\n", __FILE__, __LINE__); exit(EXIT_FAILURE); } } while (0)

static const char *statusName(cublasStatus_t s)
{
    switch (s) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    default: return "unknown";
    }
}
#define BLAS_CALL(x) do { cublasStatus_t s_ = (x); if (s_ != CUBLAS_STATUS_SUCCESS) { \
    printf("%s:%d: %s\n", __FILE__, __LINE__, statusName(s_)); exit(EXIT_FAILURE); } } while (0)
#define IDX2C(i, j, ld) ((j) * (ld) + (i))

// Column-major, C (m x n) = alpha op(A) B + beta C with op(A) = A transposed, so A is k x m.
template <typename T>
static int checkProduct(const char *name, const std::vector<T> &A, const std::vector<T> &B, const std::vector<T> &C,
                        int m, int n, int k, T alpha, T beta, T before)
{
    int wrong = 0;
    double checksum = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            T sum = 0;
            for (int l = 0; l < k; ++l) sum += A[IDX2C(l, i, k)] * B[IDX2C(l, j, k)];
            wrong += C[IDX2C(i, j, m)] != alpha * sum + beta * before;
            checksum += C[IDX2C(i, j, m)] * (1 + (i + j) % 5);
        }
    printf("%s: %d wrong, checksum %.0f\n", name, wrong, checksum);
    return wrong;
}

template <typename T>
static std::vector<T> pattern(int n, int modulus)
{
    std::vector<T> v(n);
    for (int i = 0; i < n; ++i) v[i] = T(i % modulus - modulus / 2);
    return v;
}

template <typename T>
static T *upload(const std::vector<T> &v)
{
    T *d;
    CUDA_CALL(cudaMalloc((void **)&d, v.size() * sizeof(T)));
    BLAS_CALL(cublasSetVector((int)v.size(), sizeof(T), v.data(), 1, d, 1));
    return d;
}

int main()
{
    const int m = 24, n = 17, k = 31, batch = 3;
    cublasHandle_t handle;
    cudaStream_t stream;
    BLAS_CALL(cublasCreate(&handle));
    CUDA_CALL(cudaStreamCreate(&stream));
    BLAS_CALL(cublasSetStream(handle, stream));
    BLAS_CALL(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    int wrong = 0;

    auto A = pattern<float>(k * m, 7), B = pattern<float>(k * n * batch, 5), C = std::vector<float>(m * n * batch, 2.0f);
    float *dA = upload(A), *dB = upload(B), *dC = upload(C);
    float alpha = 2.0f, beta = -1.0f;
    BLAS_CALL(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA, k, dB, k, &beta, dC, m));
    BLAS_CALL(cublasGetMatrix(m, n, sizeof(float), dC, m, C.data(), m));
    wrong += checkProduct<float>("sgemm", A, B, C, m, n, k, alpha, beta, 2.0f);

    beta = 0.0f;
    BLAS_CALL(cublasSgemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA, k, 0, dB, k,
                                        (long long)k * n, &beta, dC, m, (long long)m * n, batch));
    BLAS_CALL(cublasGetVector(m * n * batch, sizeof(float), dC, 1, C.data(), 1));
    const std::vector<float> lastB(B.begin() + 2 * k * n, B.end()), lastC(C.begin() + 2 * m * n, C.end());
    wrong += checkProduct<float>("batched", A, lastB, lastC, m, n, k, alpha, beta, 0.0f);

    auto Ad = pattern<double>(k * m, 11), Bd = pattern<double>(k * n, 9), Cd = std::vector<double>(m * n, 4.0);
    double *dAd = upload(Ad), *dBd = upload(Bd), *dCd = upload(Cd);
    const double one = 1.0, half = 0.5;
    BLAS_CALL(cublasDgemm_v2(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, dAd, k, dBd, k, &half, dCd, m));
    BLAS_CALL(cublasGetVector(m * n, sizeof(double), dCd, 1, Cd.data(), 1));
    wrong += checkProduct<double>("dgemm", Ad, Bd, Cd, m, n, k, 1.0, 0.5, 4.0);

    float dot = 0, norm = 0;
    int at = 0;
    BLAS_CALL(cublasSdot(handle, k * m, dA, 1, dA, 1, &dot));
    BLAS_CALL(cublasSasum(handle, k * m, dA, 1, &norm));
    BLAS_CALL(cublasIdamax(handle, k * n, dBd, 1, &at));
    printf("dot %.0f, asum %.0f, first biggest at %d\n", dot, norm, at);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    BLAS_CALL(cublasDestroy(handle));
    CUDA_CALL(cudaStreamDestroy(stream));
    for (void *p : {(void *)dA, (void *)dB, (void *)dC, (void *)dAd, (void *)dBd, (void *)dCd}) CUDA_CALL(cudaFree(p));
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
