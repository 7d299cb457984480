// Grüße
#include "cuda_runtime.h"

int main() {
  cudaDeviceProp prop; // ä cudaFree
  return cudaGetDeviceProperties(&prop, 0) == cudaSuccess;
}