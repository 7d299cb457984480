// The driver API alone: compile at run time, load the image from memory, look the kernel and a global up, launch.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkDrv(x)                                                            \
    do {                                                                       \
        CUresult r_ = (x);                                                     \
        if (r_ != CUDA_SUCCESS) {                                              \
            const char *name_ = NULL, *text_ = NULL;                           \
            cuGetErrorName(r_, &name_);                                        \
            cuGetErrorString(r_, &text_);                                      \
            fprintf(stderr, "%s: %s (%s)\n", #x, name_ ? name_ : "?", text_ ? text_ : "?"); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

static const char source[] =
    "__constant__ int bias;\n"
    "extern \"C\" __global__ void collatz(const unsigned *start, int *steps, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i >= n) return;\n"
    "    unsigned v = start[i];\n"
    "    int s = bias;\n"
    "    while (v != 1) { v = v & 1 ? 3 * v + 1 : v / 2; ++s; }\n"
    "    steps[i] = s;\n"
    "}\n";

static std::vector<char> compile()
{
    nvrtcProgram program;
    if (nvrtcCreateProgram(&program, source, "collatz.cu", 0, NULL, NULL) != NVRTC_SUCCESS) exit(1);
    const nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
    if (result != NVRTC_SUCCESS) {
        size_t size = 0;
        nvrtcGetProgramLogSize(program, &size);
        std::vector<char> log(size + 1);
        nvrtcGetProgramLog(program, log.data());
        fprintf(stderr, "%s\n%s\n", nvrtcGetErrorString(result), log.data());
        exit(1);
    }
    size_t size = 0;
    nvrtcGetPTXSize(program, &size);
    std::vector<char> image(size);
    nvrtcGetPTX(program, image.data());
    nvrtcDestroyProgram(&program);
    return image;
}

int main()
{
    int devices = 0;
    CUdevice device;
    CUcontext context;
    checkDrv(cuInit(0));
    checkDrv(cuDeviceGetCount(&devices));
    checkDrv(cuDeviceGet(&device, 0));
    checkDrv(cuDevicePrimaryCtxRetain(&context, device));
    checkDrv(cuCtxSetCurrent(context));

    CUmodule module;
    CUfunction kernel;
    const std::vector<char> image = compile();
    checkDrv(cuModuleLoadData(&module, image.data()));
    checkDrv(cuModuleGetFunction(&kernel, module, "collatz"));

    CUdeviceptr bias;
    size_t biasSize = 0;
    checkDrv(cuModuleGetGlobal(&bias, &biasSize, module, "bias"));
    int hostBias = 1000;
    checkDrv(cuMemcpyHtoD(bias, &hostBias, biasSize));

    int n = 500;
    std::vector<unsigned> start(n);
    std::vector<int> steps(n);
    for (int i = 0; i < n; ++i) start[i] = i + 1;
    CUdeviceptr d_start, d_steps;
    CUstream stream;
    checkDrv(cuMemAlloc(&d_start, n * sizeof(unsigned)));
    checkDrv(cuMemAlloc(&d_steps, n * sizeof(int)));
    checkDrv(cuMemsetD32(d_steps, 0, n));
    checkDrv(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    checkDrv(cuMemcpyHtoDAsync(d_start, start.data(), n * sizeof(unsigned), stream));
    void *args[] = {&d_start, &d_steps, &n};
    checkDrv(cuLaunchKernel(kernel, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, args, NULL));
    checkDrv(cuMemcpyDtoHAsync(steps.data(), d_steps, n * sizeof(int), stream));
    checkDrv(cuStreamSynchronize(stream));

    int wrong = 0, longest = 0;
    for (int i = 0; i < n; ++i) {
        unsigned v = start[i];
        int s = hostBias;
        for (; v != 1; ++s) v = v & 1 ? 3 * v + 1 : v / 2;
        wrong += s != steps[i];
        if (steps[i] > steps[longest]) longest = i;
    }
    printf("bias: %zu bytes, longest from %u: %d steps\n%s\n", biasSize, start[longest], steps[longest] - hostBias,
           wrong ? "FAIL" : "PASS");

    checkDrv(cuStreamDestroy(stream));
    checkDrv(cuMemFree(d_start));
    checkDrv(cuMemFree(d_steps));
    checkDrv(cuModuleUnload(module));
    checkDrv(cuDevicePrimaryCtxRelease(device));
    return wrong ? 1 : 0;
}
