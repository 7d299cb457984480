// A graph built by hand: copy in, kernel, copy out, a host function at the end; the kernel's arguments change later.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

static void ck(cudaError_t e, int line)
{
    if (e == cudaSuccess) return;
    printf("line %d: %s\n", line, cudaGetErrorString(e));
    exit(1);
}
#define CK(x) ck((x), __LINE__)

__global__ void affine(int *data, int n, int factor, int offset)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        data[i] = data[i] * factor + offset;
}

struct Total {
    const int *data;
    int n;
    long long sum;
};

static void CUDART_CB addUp(void *arg)
{
    Total *t = static_cast<Total *>(arg);
    t->sum = 0;
    for (int i = 0; i < t->n; ++i) t->sum += t->data[i];
}

int main()
{
    enum { N = 1500 };
    static int in[N], out[N];
    for (int i = 0; i < N; ++i) in[i] = i;
    int *dev, n = N, factor = 2, offset = 5;
    CK(cudaMalloc(&dev, sizeof in));

    cudaGraph_t graph;
    CK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t copyIn, kernel, copyOut, host;
    CK(cudaGraphAddMemcpyNode1D(&copyIn, graph, nullptr, 0, dev, in, sizeof in, cudaMemcpyHostToDevice));

    void *args[] = {&dev, &n, &factor, &offset};
    cudaKernelNodeParams params = {};
    params.func = (void *)affine;
    params.gridDim = dim3(4);
    params.blockDim = dim3(128);
    params.sharedMemBytes = 0;
    params.kernelParams = args;
    params.extra = nullptr;
    CK(cudaGraphAddKernelNode(&kernel, graph, &copyIn, 1, &params));
    CK(cudaGraphAddMemcpyNode1D(&copyOut, graph, &kernel, 1, out, dev, sizeof out, cudaMemcpyDeviceToHost));

    Total total = {out, N, -1};
    cudaHostNodeParams hostParams = {};
    hostParams.fn = addUp;
    hostParams.userData = &total;
    CK(cudaGraphAddHostNode(&host, graph, &copyOut, 1, &hostParams));

    cudaGraphExec_t exec;
    CK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaStream_t stream;
    CK(cudaStreamCreate(&stream));
    CK(cudaGraphLaunch(exec, stream));
    CK(cudaStreamSynchronize(stream));
    const long long first = total.sum, base = (long long)N * (N - 1) / 2;

    factor = -3;
    offset = 1;
    CK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    CK(cudaGraphLaunch(exec, stream));
    CK(cudaStreamSynchronize(stream));
    const long long second = total.sum;

    cudaGraphNodeType type;
    CK(cudaGraphNodeGetType(kernel, &type));
    size_t count = 0;
    CK(cudaGraphGetNodes(graph, NULL, &count));
    printf("%zu nodes, sums %lld and %lld\n", count, first, second);
    const bool ok = first == 2 * base + 5 * N && second == -3 * base + N && type == cudaGraphNodeTypeKernel;
    printf("%s\n", ok ? "PASS" : "FAIL");

    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(graph));
    CK(cudaStreamDestroy(stream));
    CK(cudaFree(dev));
    return !ok;
}
