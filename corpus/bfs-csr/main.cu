// Breadth-first search over a graph in CSR: frontiers in two queues, distances claimed by compare-and-swap.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <queue>
#include <vector>

#define UNSEEN 0x7f7f7f7f

#define GPU(call)                                                                            \
    do {                                                                                     \
        cudaError_t e = call;                                                                \
        if (e != cudaSuccess)                                                                \
            fprintf(stderr, "%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e)), exit(1); \
    } while (0)

__global__ void expand(const int *offsets, const int *edges, const int *frontier, int size, int *next, int *nextSize,
                       int *distance, int level)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        const int node = frontier[i];
        for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
            const int to = edges[e];
            if (atomicCAS(&distance[to], UNSEEN, level) == UNSEEN) next[atomicAdd(nextSize, 1)] = to;
        }
    }
}

static std::vector<int> hostBfs(const std::vector<int> &offsets, const std::vector<int> &edges, int source)
{
    std::vector<int> distance(offsets.size() - 1, UNSEEN);
    std::queue<int> queue;
    distance[source] = 0;
    queue.push(source);
    while (!queue.empty()) {
        const int node = queue.front();
        queue.pop();
        for (int e = offsets[node]; e < offsets[node + 1]; ++e)
            if (distance[edges[e]] == UNSEEN) {
                distance[edges[e]] = distance[node] + 1;
                queue.push(edges[e]);
            }
    }
    return distance;
}

int main()
{
    const int nodes = 2000;
    std::vector<int> offsets(1, 0), edges;
    unsigned state = 99;
    for (int v = 0; v < nodes; ++v) {
        for (int k = v % 4; k > 0; --k) {
            state = state * 1103515245u + 12345u;
            edges.push_back((state >> 16) % nodes);
        }
        if (v % 5) edges.push_back((v + 1) % nodes);
        offsets.push_back((int)edges.size());
    }

    int *d_offsets, *d_edges, *d_distance, *queues[2], *d_size;
    GPU(cudaMalloc(&d_offsets, offsets.size() * sizeof(int)));
    GPU(cudaMalloc(&d_edges, edges.size() * sizeof(int)));
    GPU(cudaMalloc(&d_distance, nodes * sizeof(int)));
    for (int *&q : queues) GPU(cudaMalloc(&q, nodes * sizeof(int)));
    GPU(cudaMalloc(&d_size, sizeof(int)));
    GPU(cudaMemcpy(d_offsets, &offsets[0], offsets.size() * sizeof(int), cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_edges, &edges[0], edges.size() * sizeof(int), cudaMemcpyHostToDevice));
    GPU(cudaMemset(d_distance, UNSEEN & 0xff, nodes * sizeof(int)));

    const int source = 7;
    int size = 1, level = 0;
    GPU(cudaMemcpy(queues[0], &source, sizeof source, cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_distance + source, &level, sizeof level, cudaMemcpyHostToDevice));
    while (size > 0) {
        GPU(cudaMemset(d_size, 0, sizeof(int)));
        const int blocks = (size + 127) / 128;
        expand<<<blocks < 16 ? blocks : 16, 128>>>(d_offsets, d_edges, queues[level % 2], size,
                                                   queues[(level + 1) % 2], d_size, d_distance, level + 1);
        GPU(cudaGetLastError());
        GPU(cudaMemcpy(&size, d_size, sizeof size, cudaMemcpyDeviceToHost));
        ++level;
    }

    std::vector<int> distance(nodes);
    GPU(cudaMemcpy(distance.data(), d_distance, nodes * sizeof(int), cudaMemcpyDeviceToHost));
    std::map<int, int> levels;
    for (int d : distance) ++levels[d];
    for (auto &l : levels)
        if (l.first == UNSEEN) printf("unseen: %d\n", l.second);
        else printf("level %d: %d\n", l.first, l.second);
    const bool ok = distance == hostBfs(offsets, edges, source);
    printf("%s\n", ok ? "PASS" : "FAIL");

    for (int *p : {d_offsets, d_edges, d_distance, queues[0], queues[1], d_size}) GPU(cudaFree(p));
    return ok ? 0 : 1;
}
