// A linked list and an array in managed memory, a buffer in mapped pinned memory: both sides use the same pointers.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <new>

#define CHECK_CUDA(x)                                                                            \
    do {                                                                                         \
        cudaError_t e__ = (x);                                                                   \
        if (e__ != cudaSuccess) {                                                                \
            fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(e__));        \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

// Anything derived from this lives where both sides reach it.
class Managed {
public:
    void *operator new(size_t size)
    {
        void *p = nullptr;
        if (cudaMallocManaged(&p, size) != cudaSuccess) throw std::bad_alloc();
        return p;
    }
    void operator delete(void *p)
    {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};

struct Node : Managed {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
};

__managed__ int visits = 0;

__global__ void sumList(Node *head, int *result)
{
    int sum = 0;
    for (Node *n = head; n; n = n->next) {
        sum += n->value;
        n->value = -n->value;
        ++visits;
    }
    *result = sum;
}

__global__ void scale(int *data, int n, int factor)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] *= factor;
}

static void prefetch(void *p, size_t bytes, int device)
{
    int concurrent = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (!concurrent) return;
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {};
    where.type = cudaMemLocationTypeDevice;
    where.id = device;
    CHECK_CUDA(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, where));
    CHECK_CUDA(cudaMemPrefetchAsync(p, bytes, where, 0, nullptr));
#else
    CHECK_CUDA(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, device));
    CHECK_CUDA(cudaMemPrefetchAsync(p, bytes, device, nullptr));
#endif
}

int main()
{
    int device = 0;
    CHECK_CUDA(cudaGetDevice(&device));

    Node *head = nullptr;
    for (int i = 1; i <= 20; ++i) head = new Node(i * i, head);
    int *mapped = nullptr, *mappedOnDevice = nullptr;
    CHECK_CUDA(cudaHostAlloc((void **)&mapped, sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    CHECK_CUDA(cudaHostGetDevicePointer((void **)&mappedOnDevice, mapped, 0));
    *mapped = 0;
    sumList<<<1, 1>>>(head, mappedOnDevice);
    CHECK_CUDA(cudaDeviceSynchronize());
    const int listSum = *mapped, visited = visits;
    int after = 0;
    while (head) {
        after += head->value;
        Node *next = head->next;
        delete head;
        head = next;
    }
    printf("list: sum %d, after %d, visits %d\n", listSum, after, visited);

    const int n = 5000;
    int *data;
    CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(int), cudaMemAttachGlobal));
    for (int i = 0; i < n; ++i) data[i] = i;
    prefetch(data, n * sizeof(int), device);
    scale<<<1, 256>>>(data, n, 3);
    CHECK_CUDA(cudaDeviceSynchronize());
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += data[i];
    printf("array: sum %lld\n", sum);

    int registered[256];
    CHECK_CUDA(cudaHostRegister(registered, sizeof(registered), cudaHostRegisterDefault));
    CHECK_CUDA(cudaMemcpyAsync(registered, data, sizeof(registered), cudaMemcpyDefault, 0));
    CHECK_CUDA(cudaStreamSynchronize(0));
    CHECK_CUDA(cudaHostUnregister(registered));
    printf("registered: last %d\n", registered[255]);

    const bool ok = listSum == 2870 && after == -2870 && visited == 20 && sum == 3LL * n * (n - 1) / 2 &&
                    registered[255] == 765;
    printf("%s\n", ok ? "PASS" : "FAIL");
    CHECK_CUDA(cudaFree(data));
    CHECK_CUDA(cudaFreeHost(mapped));
    return ok ? 0 : 1;
}
