// Device code only: built into an image file that main.cpp loads.
__device__ int generation;

extern "C" __global__ void seed(unsigned char *cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) cells[i] = i == n / 2;
    if (i == 0) generation = 0;
}

extern "C" __global__ void rule(const unsigned char *from, unsigned char *to, int n, int number)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int left = i > 0 ? from[i - 1] : 0, right = i + 1 < n ? from[i + 1] : 0;
    to[i] = number >> (4 * left + 2 * from[i] + right) & 1;
    if (i == 0) atomicAdd(&generation, 1);
}
