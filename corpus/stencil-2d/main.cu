// Heat on a plate: a 5-point stencil with a halo in shared memory, two buffers that swap.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define BX 16
#define BY 8

__global__ void step(const float *__restrict__ in, float *__restrict__ out, int w, int h)
{
    __shared__ float s[BY + 2][BX + 2];
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    auto at = [=](int px, int py) {
        px = min(max(px, 0), w - 1);
        py = min(max(py, 0), h - 1);
        return __ldg(&in[py * w + px]);
    };
    s[ly][lx] = at(x, y);
    if (threadIdx.x == 0) s[ly][0] = at(x - 1, y);
    if (threadIdx.x == BX - 1) s[ly][BX + 1] = at(x + 1, y);
    if (threadIdx.y == 0) s[0][lx] = at(x, y - 1);
    if (threadIdx.y == BY - 1) s[BY + 1][lx] = at(x, y + 1);
    __syncthreads();
    if (x >= w || y >= h) return;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        out[y * w + x] = s[ly][lx];  // the rim keeps its temperature
        return;
    }
    out[y * w + x] = 0.25f * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx]);
}

static void reference(std::vector<float> &grid, int w, int h, int steps)
{
    std::vector<float> next(grid);
    for (int t = 0; t < steps; ++t) {
        for (int y = 1; y < h - 1; ++y)
            for (int x = 1; x < w - 1; ++x)
                next[y * w + x] = 0.25f * (grid[y * w + x - 1] + grid[y * w + x + 1] + grid[(y - 1) * w + x] +
                                           grid[(y + 1) * w + x]);
        std::swap(grid, next);
    }
}

#define CUDA_CALL(f, ...)                                                        \
    do {                                                                         \
        if (cudaError_t e = f(__VA_ARGS__); e != cudaSuccess) {                  \
            std::fprintf(stderr, #f " at %d: %s\n", __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (false)

int main()
{
    const int w = 61, h = 43, steps = 20;
    const size_t bytes = sizeof(float) * w * h;
    std::vector<float> grid(w * h, 0.0f), got(w * h);
    for (int x = 0; x < w; ++x) grid[x] = 1024.0f;
    for (int y = 0; y < h; ++y) grid[y * w] = 512.0f;

    float *a, *b;
    CUDA_CALL(cudaMalloc, &a, bytes);
    CUDA_CALL(cudaMalloc, &b, bytes);
    CUDA_CALL(cudaMemcpy, a, grid.data(), bytes, cudaMemcpyHostToDevice);
    const dim3 block(BX, BY), blocks((w + BX - 1) / BX, (h + BY - 1) / BY);
    for (int t = 0; t < steps; ++t) {
        step<<<blocks, block>>>(a, b, w, h);
        std::swap(a, b);
    }
    CUDA_CALL(cudaGetLastError);
    CUDA_CALL(cudaMemcpy, got.data(), a, bytes, cudaMemcpyDeviceToHost);

    reference(grid, w, h, steps);
    int wrong = 0;
    for (int i = 0; i < w * h; ++i) wrong += got[i] - grid[i] > 1e-3f || grid[i] - got[i] > 1e-3f;
    std::printf("after %d steps: near the corner %.1f, below the edge %.1f, far away %.1f\n", steps, got[w + 1],
                got[w + w / 2], got[(h - 2) * w + w - 2]);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    CUDA_CALL(cudaFree, a);
    CUDA_CALL(cudaFree, b);
    return wrong ? 1 : 0;
}
