#include <hip/hip_runtime.h>
#include "hipblas/hipblas.h"
#include <hipfft/hipfft.h>
#include <hiprand/hiprand.h>
#include <hipsparse/hipsparse.h>

struct Handles {
  hipblasHandle_t blas;
  hipfftHandle plan;
  hiprandGenerator_t random;
  hipsparseHandle_t sparse;
};

int main() {
  Handles handles;
  if (hipblasCreate(&handles.blas) != HIPBLAS_STATUS_SUCCESS) return 1;
  hipblasSetPointerMode(handles.blas, HIPBLAS_POINTER_MODE_HOST);
  hipfftPlan1d(&handles.plan, 256, HIPFFT_C2C, 1);
  hiprandCreateGenerator(&handles.random, HIPRAND_RNG_PSEUDO_XORWOW);
  hipsparseCreate(&handles.sparse);
  hipfftComplex* signal = nullptr;
  hipfftExecC2C(handles.plan, signal, signal, HIPFFT_FORWARD);
  return hipblasDestroy(handles.blas) == HIPBLAS_STATUS_SUCCESS ? 0 : 2;
}
