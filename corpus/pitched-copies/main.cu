// Rows and volumes with padding: pitched memory, 2D and 3D copies, 2D sets, arrays as a stop on the way.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
    fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

__global__ void addRow(float *data, size_t pitch, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < w && y < h) {
        float *row = (float *)((char *)data + y * pitch);
        row[x] += y;
    }
}

__global__ void weigh(cudaPitchedPtr volume, cudaExtent extent)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char *slice = (char *)volume.ptr + z * volume.pitch * extent.height;
    int *row = (int *)(slice + y * volume.pitch);
    if (x < extent.width / sizeof(int)) row[x] = row[x] * 2 + z;
}

static int images()
{
    const int w = 50, h = 20;
    std::vector<float> in(w * h), out(w * h, -1.0f);
    for (int i = 0; i < w * h; ++i) in[i] = i % 97;
    float *dev;
    size_t pitch;
    CHK(cudaMallocPitch(&dev, &pitch, w * sizeof(float), h));
    CHK(cudaMemset2D(dev, pitch, 0, w * sizeof(float), h));
    // Only the rectangle from (10, 5) on, 30 by 10, is copied.
    CHK(cudaMemcpy2D((char *)dev + 5 * pitch + 10 * sizeof(float), pitch, &in[5 * w + 10], w * sizeof(float),
                     30 * sizeof(float), 10, cudaMemcpyHostToDevice));
    addRow<<<dim3(2, h), 32>>>(dev, pitch, w, h);
    CHK(cudaMemcpy2D(out.data(), w * sizeof(float), dev, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost));

    cudaArray_t array;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    std::vector<float> back(w * h);
    CHK(cudaMallocArray(&array, &desc, w, h));
    CHK(cudaMemcpy2DToArray(array, 0, 0, dev, pitch, w * sizeof(float), h, cudaMemcpyDeviceToDevice));
    CHK(cudaMemcpy2DFromArray(back.data(), w * sizeof(float), array, 0, 0, w * sizeof(float), h, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const bool inside = x >= 10 && x < 40 && y >= 5 && y < 15;
            wrong += out[y * w + x] != (inside ? in[y * w + x] : 0.0f) + y;
            wrong += back[y * w + x] != out[y * w + x];
        }
    printf("images: %d wrong, inside %.0f, outside %.0f\n", wrong, out[6 * w + 11], out[19 * w]);
    CHK(cudaFreeArray(array));
    CHK(cudaFree(dev));
    return wrong;
}

static int volumes()
{
    const int w = 13, h = 9, d = 7;
    std::vector<int> in(w * h * d), out(w * h * d);
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)i;
    const cudaExtent extent = make_cudaExtent(w * sizeof(int), h, d);
    cudaPitchedPtr dev;
    CHK(cudaMalloc3D(&dev, extent));
    CHK(cudaMemset3D(dev, 0, extent));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(in.data(), w * sizeof(int), w, h);
    copy.dstPtr = dev;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHK(cudaMemcpy3D(&copy));
    weigh<<<dim3(h, d), 32>>>(dev, extent);
    CHK(cudaGetLastError());

    cudaMemcpy3DParms rest = {0};
    rest.srcPtr = dev;
    rest.srcPos = make_cudaPos(0, 0, 2);
    rest.dstPtr = make_cudaPitchedPtr(out.data(), w * sizeof(int), w, h);
    rest.dstPos = make_cudaPos(0, 0, 2);
    rest.extent = make_cudaExtent(w * sizeof(int), h, d - 2);
    rest.kind = cudaMemcpyDeviceToHost;
    CHK(cudaMemcpy3DAsync(&rest, 0));
    CHK(cudaStreamSynchronize(0));
    int wrong = 0;
    for (int z = 0; z < d; ++z)
        for (int i = z * w * h; i < (z + 1) * w * h; ++i) wrong += out[i] != (z < 2 ? 0 : 2 * in[i] + z);
    printf("volumes: %d wrong, last %d\n", wrong, out.back());
    CHK(cudaFree(dev.ptr));
    return wrong;
}

int main()
{
    const int wrong = images() + volumes();
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
