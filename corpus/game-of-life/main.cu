// Conway's Game of Life on a torus, one byte a cell. This file has a byte order mark and CRLF line ends.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(x) \
    do { \
        cudaError_t e = (x); \
        if (e != cudaSuccess) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
            exit(1); \
        } \
    } while (0)

__global__ void generation(const unsigned char *from, unsigned char *to, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) alive += from[(y + dy + h) % h * w + (x + dx + w) % w];
    to[y * w + x] = alive == 3 || (alive == 2 && from[y * w + x]);
}

static int population(const std::vector<unsigned char> &cells)
{
    int sum = 0;
    for (unsigned char c : cells) sum += c;
    return sum;
}

int main()
{
    const int w = 40, h = 24, generations = 24;
    std::vector<unsigned char> cells(w * h, 0), start;
    const char *glider[] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) cells[(y + 2) * w + x + 2] = glider[y][x] == '#';
    for (int x = 0; x < 3; ++x) cells[15 * w + 25 + x] = 1;  // a blinker
    start = cells;

    unsigned char *a, *b;
    CHECK(cudaMalloc(&a, w * h));
    CHECK(cudaMalloc(&b, w * h));
    CHECK(cudaMemcpy(a, cells.data(), w * h, cudaMemcpyHostToDevice));
    const dim3 block(16, 8), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    for (int g = 0; g < generations; ++g) {
        generation<<<grid, block>>>(a, b, w, h);
        CHECK(cudaGetLastError());
        std::swap(a, b);
    }
    CHECK(cudaMemcpy(cells.data(), a, w * h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));

    // After 4 n generations a glider is the same, n cells further in both directions; a blinker has period 2.
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const int dx = x - generations / 4, dy = y - generations / 4;
            const bool glides = dx >= 0 && dy >= 0 && dx < 10 && dy < 10 && start[dy * w + dx];
            const bool blinks = x >= 20 && start[y * w + x];
            ok = ok && cells[y * w + x] == (glides || blinks);
        }
    printf("%d cells alive at first, %d after %d generations\n", population(start), population(cells), generations);
    for (int y = 6; y < 14; ++y) {
        for (int x = 6; x < 16; ++x) putchar(cells[y * w + x] ? '#' : '.');
        putchar('\n');
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
