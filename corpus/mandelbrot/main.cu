// The Mandelbrot set in fixed point (28 fraction bits), so that every machine draws the same picture.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdint>
#include <vector>

namespace fixed {
using value = int64_t;
constexpr int kBits = 28;
__host__ __device__ constexpr value fromInt(int v) { return value(v) << kBits; }
__host__ __device__ inline value mul(value a, value b) { return (a * b) >> kBits; }
}

struct View {
    fixed::value left, top, pixel;
};

__host__ __device__ inline int escapeTime(View view, int px, int py, int limit)
{
    const fixed::value cr = view.left + px * view.pixel, ci = view.top - py * view.pixel;
    fixed::value zr = 0, zi = 0;
    int i = 0;
    for (; i < limit; ++i) {
        const fixed::value r2 = fixed::mul(zr, zr), i2 = fixed::mul(zi, zi);
        if (r2 + i2 > fixed::fromInt(4)) break;
        zi = 2 * fixed::mul(zr, zi) + ci;
        zr = r2 - i2 + cr;
    }
    return i;
}

__global__ void render(uchar1 *image, View view, int2 size, int limit)
{
    const int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    if (x < size.x && y < size.y) image[y * size.x + x] = make_uchar1(escapeTime(view, x, y, limit));
}

int main()
{
    const int2 size = {72, 40};
    const int limit = 64;
    const View view = {-fixed::fromInt(9) / 4, fixed::fromInt(5) / 4, fixed::fromInt(1) / 22};
    std::vector<uchar1> image(size.x * size.y);
    uchar1 *d_image = nullptr;
    cudaMalloc(&d_image, image.size() * sizeof(uchar1));
    dim3 block{16, 8};
    dim3 grid{(size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y};
    render<<<grid, block>>>(d_image, view, size, limit);
    const cudaError_t status = cudaMemcpy(image.data(), d_image, image.size() * sizeof(uchar1), cudaMemcpyDeviceToHost);
    if (status != cudaError::cudaSuccess) {
        std::fprintf(stderr, "mandelbrot: %s\n", cudaGetErrorString(status));
        return 1;
    }
    cudaFree(d_image);

    const char shades[] = " .:-=+*%@";
    uint32_t hash = 2166136261u;
    int wrong = 0;
    for (int y = 0; y < size.y; ++y) {
        char line[80] = {};
        for (int x = 0; x < size.x; ++x) {
            const int got = image[y * size.x + x].x;
            wrong += got != escapeTime(view, x, y, limit);
            hash = (hash ^ got) * 16777619u;
            line[x] = shades[got * 8 / limit];
        }
        if (y % 4 == 0) std::printf("|%s|\n", line);
    }
    std::printf("checksum %08x\n%s\n", hash, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
