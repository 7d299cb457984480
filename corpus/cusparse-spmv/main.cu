// y = alpha A x + beta y with cuSPARSE's generic API, A a discrete Laplacian in CSR.
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(func)                                                       \
{                                                                              \
    cudaError_t status = (func);                                               \
    if (status != cudaSuccess) {                                               \
        printf("CUDA API failed at line %d with error: %s (%d)\n",             \
               __LINE__, cudaGetErrorString(status), status);                  \
        return EXIT_FAILURE;                                                   \
    }                                                                          \
}
#define CHECK_CUSPARSE(func)                                                   \
{                                                                              \
    cusparseStatus_t status = (func);                                          \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                   \
        printf("CUSPARSE API failed at line %d with error %d\n", __LINE__, (int)status); \
        return EXIT_FAILURE;                                                   \
    }                                                                          \
}

int main()
{
    const int side = 20, rows = side * side;
    std::vector<int> offsets(1, 0), columns;
    std::vector<float> values;
    for (int r = 0; r < rows; ++r) {
        const int y = r / side, x = r % side;
        auto put = [&](bool inside, int column, float value) {
            if (inside) columns.push_back(column), values.push_back(value);
        };
        put(y > 0, r - side, -1.0f);
        put(x > 0, r - 1, -1.0f);
        put(true, r, 4.0f);
        put(x < side - 1, r + 1, -1.0f);
        put(y < side - 1, r + side, -1.0f);
        offsets.push_back((int)columns.size());
    }
    const int nnz = (int)columns.size();
    std::vector<float> x(rows), y(rows, 3.0f);
    for (int i = 0; i < rows; ++i) x[i] = i % 9;
    const float alpha = 2.0f, beta = -1.0f;

    int *dOffsets, *dColumns;
    float *dValues, *dX, *dY;
    CHECK_CUDA(cudaMalloc((void **)&dOffsets, (rows + 1) * sizeof(int)))
    CHECK_CUDA(cudaMalloc((void **)&dColumns, nnz * sizeof(int)))
    CHECK_CUDA(cudaMalloc((void **)&dValues, nnz * sizeof(float)))
    CHECK_CUDA(cudaMalloc((void **)&dX, rows * sizeof(float)))
    CHECK_CUDA(cudaMalloc((void **)&dY, rows * sizeof(float)))
    CHECK_CUDA(cudaMemcpy(dOffsets, offsets.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(dColumns, columns.data(), nnz * sizeof(int), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(dValues, values.data(), nnz * sizeof(float), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(dX, x.data(), rows * sizeof(float), cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(dY, y.data(), rows * sizeof(float), cudaMemcpyHostToDevice))

    cusparseHandle_t handle = NULL;
    cusparseSpMatDescr_t matA;
    cusparseDnVecDescr_t vecX, vecY;
    void *buffer = NULL;
    size_t bufferSize = 0;
    CHECK_CUSPARSE(cusparseCreate(&handle))
    CHECK_CUSPARSE(cusparseCreateCsr(&matA, rows, rows, nnz, dOffsets, dColumns, dValues, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecX, rows, dX, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecY, rows, dY, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY,
                                           CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bufferSize))
    CHECK_CUDA(cudaMalloc(&buffer, bufferSize + 1))
    CHECK_CUSPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY, CUDA_R_32F,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer))
    std::vector<float> got(rows);
    CHECK_CUDA(cudaMemcpy(got.data(), dY, rows * sizeof(float), cudaMemcpyDeviceToHost))

    int wrong = 0;
    double checksum = 0;
    for (int r = 0; r < rows; ++r) {
        float sum = 0;
        for (int i = offsets[r]; i < offsets[r + 1]; ++i) sum += values[i] * x[columns[i]];
        wrong += got[r] != alpha * sum + beta * y[r];
        checksum += got[r] * (r % 4 + 1);
    }
    printf("nnz %d, %d wrong, checksum %.0f\n", nnz, wrong, checksum);
    printf("%s\n", wrong ? "FAIL" : "PASS");

    CHECK_CUSPARSE(cusparseDestroySpMat(matA))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecX))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecY))
    CHECK_CUSPARSE(cusparseDestroy(handle))
    CHECK_CUDA(cudaFree(buffer))
    CHECK_CUDA(cudaFree(dOffsets))
    CHECK_CUDA(cudaFree(dColumns))
    CHECK_CUDA(cudaFree(dValues))
    CHECK_CUDA(cudaFree(dX))
    CHECK_CUDA(cudaFree(dY))
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
