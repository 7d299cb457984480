// Texture objects over an array (points, linear filter) and over linear memory.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(x) \
    if ((x) != cudaSuccess) { fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())); exit(1); }

__global__ void shift(cudaTextureObject_t tex, float *out, int w, int h, int dx, int dy)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = tex2D<float>(tex, x + dx + 0.5f, y + dy + 0.5f);
}

__global__ void between(cudaTextureObject_t tex, float *out, int n)
{
    const int i = threadIdx.x;
    if (i < n) out[i] = tex2D<float>(tex, i + 1.0f, 0.5f);  // halfway between two texels
}

__global__ void lookup(cudaTextureObject_t table, const int *index, int4 *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<int4>(table, index[i]);
}

static cudaTextureObject_t arrayTexture(cudaArray_t array, cudaTextureFilterMode filter)
{
    cudaResourceDesc res;
    memset(&res, 0, sizeof(res));
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    OK(cudaCreateTextureObject(&tex, &res, &desc, NULL));
    return tex;
}

int main()
{
    const int w = 40, h = 24, dx = -3, dy = 5;
    std::vector<float> image(w * h), got(w * h);
    for (int i = 0; i < w * h; ++i) image[i] = (float)(i * 7 % 256);

    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaArray *array;
    OK(cudaMallocArray(&array, &channel, w, h));
    OK(cudaMemcpy2DToArray(array, 0, 0, image.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    float *d_out;
    OK(cudaMalloc(&d_out, w * h * sizeof(float)));

    cudaTextureObject_t point = arrayTexture(array, cudaFilterModePoint);
    shift<<<dim3(5, 3), dim3(8, 8)>>>(point, d_out, w, h, dx, dy);
    OK(cudaMemcpy(got.data(), d_out, w * h * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const int sx = x + dx < 0 ? 0 : x + dx, sy = y + dy >= h ? h - 1 : y + dy;
            wrong += got[y * w + x] != image[sy * w + sx];
        }
    printf("clamped shift: %d wrong, corner %.0f\n", wrong, got[(h - 1) * w]);

    cudaTextureObject_t linear = arrayTexture(array, cudaFilterModeLinear);
    between<<<1, 64>>>(linear, d_out, w - 1);
    OK(cudaMemcpy(got.data(), d_out, (w - 1) * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < w - 1; ++i) wrong += got[i] != (image[i] + image[i + 1]) / 2;
    printf("linear filter: %.1f %.1f %.1f\n", got[0], got[1], got[2]);

    const int entries = 100, n = 300;
    std::vector<int4> table(entries), found(n);
    std::vector<int> index(n);
    for (int i = 0; i < entries; ++i) table[i] = make_int4(i, -i, i * i, 7);
    for (int i = 0; i < n; ++i) index[i] = i * 17 % entries;
    int4 *d_table, *d_found;
    int *d_index;
    OK(cudaMalloc(&d_table, entries * sizeof(int4)));
    OK(cudaMalloc(&d_found, n * sizeof(int4)));
    OK(cudaMalloc(&d_index, n * sizeof(int)));
    OK(cudaMemcpy(d_table, table.data(), entries * sizeof(int4), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_index, index.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = d_table;
    res.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindSigned);
    res.res.linear.sizeInBytes = entries * sizeof(int4);
    cudaTextureDesc desc = {};
    desc.readMode = cudaReadModeElementType;
    cudaTextureObject_t buffer;
    OK(cudaCreateTextureObject(&buffer, &res, &desc, nullptr));
    lookup<<<(n + 127) / 128, 128>>>(buffer, d_index, d_found, n);
    OK(cudaMemcpy(found.data(), d_found, n * sizeof(int4), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        const int k = index[i];
        wrong += found[i].x != k || found[i].y != -k || found[i].z != k * k || found[i].w != 7;
    }
    printf("fetched entry %d: %d %d %d %d\n", index[5], found[5].x, found[5].y, found[5].z, found[5].w);
    printf("%s\n", wrong ? "FAIL" : "PASS");

    for (cudaTextureObject_t t : {point, linear, buffer}) OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
    for (void *p : {(void *)d_out, (void *)d_table, (void *)d_found, (void *)d_index}) OK(cudaFree(p));
    return wrong ? 1 : 0;
}
