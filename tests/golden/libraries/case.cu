#include "cublas_v2.h"
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>

struct Handles {
  cublasHandle_t blas;
  cufftHandle plan;
  curandGenerator_t random;
  cusparseHandle_t sparse;
};

int main() {
  Handles handles;
  if (cublasCreate(&handles.blas) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasSetPointerMode(handles.blas, CUBLAS_POINTER_MODE_HOST);
  cufftPlan1d(&handles.plan, 256, CUFFT_C2C, 1);
  curandCreateGenerator(&handles.random, CURAND_RNG_PSEUDO_XORWOW);
  cusparseCreate(&handles.sparse);
  cufftComplex* signal = nullptr;
  cufftExecC2C(handles.plan, signal, signal, CUFFT_FORWARD);
  return cublasDestroy(handles.blas) == CUBLAS_STATUS_SUCCESS ? 0 : 2;
}
