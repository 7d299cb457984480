// Grüße
#include "hip/hip_runtime.h"

int main() {
  hipDeviceProp_t prop; // ä cudaFree
  return hipGetDeviceProperties(&prop, 0) == hipSuccess;
}