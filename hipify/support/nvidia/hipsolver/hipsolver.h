#ifndef HIP_ON_CUDA_HIPSOLVER_HIPSOLVER_H
#define HIP_ON_CUDA_HIPSOLVER_HIPSOLVER_H
#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hipblas/hipblas.h>
#include <hipsparse/hipsparse.h>
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <hip_on_cuda/names/solver.h>
#endif
