// Stream compaction by ballots: the lanes that keep a value find their places from the warp's vote.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t err, int line)
{
    if (err != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(err));
        exit(2);
    }
}
#define MUST(x) must((x), __LINE__)

__device__ __forceinline__ bool keep(int v) { return v % 3 == 0; }

// One entry a warp: how many lanes voted, the first one that did, whether all or any are positive.
struct Vote {
    int count, first, all, any;
};

__global__ void vote(const int *in, Vote *votes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const unsigned ballot = __ballot_sync(0xffffffffu, keep(in[i]));
    const int all = __all_sync(0xffffffffu, in[i] >= 0);
    const int any = __any_sync(0xffffffffu, in[i] > 900);
    if (lane == 0) {
        Vote v;
        v.count = __popc(ballot);
        v.first = __ffs(ballot) - 1;
        v.all = all != 0;
        v.any = any != 0;
        votes[i / 32] = v;
    }
}

__global__ void compact(const int *in, int n, int *out, int *counter)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool mine = i < n && keep(in[i]);
    unsigned int active = __ballot_sync(0xffffffff, mine);
    if (!mine) return;
    const int leader = __ffs(active) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    out[base + __popc(active & ((1u << lane) - 1))] = in[i];
}

int main()
{
    const int n = 1000, threads = 128, padded = 1024;
    std::vector<int> in(padded);
    for (int i = 0; i < padded; ++i) in[i] = (i * 7919) % 1013 - (i % 64 == 5 ? 1013 : 0);

    int *d_in, *d_out, *d_counter;
    Vote *d_votes;
    MUST(cudaMalloc(&d_in, padded * sizeof(int)));
    MUST(cudaMalloc(&d_out, padded * sizeof(int)));
    MUST(cudaMalloc(&d_counter, sizeof(int)));
    MUST(cudaMalloc(&d_votes, padded / 32 * sizeof(Vote)));
    MUST(cudaMemcpy(d_in, in.data(), padded * sizeof(int), cudaMemcpyHostToDevice));
    MUST(cudaMemset(d_counter, 0, sizeof(int)));

    vote<<<padded / threads, threads>>>(d_in, d_votes);
    compact<<<padded / threads, threads>>>(d_in, n, d_out, d_counter);
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());

    std::vector<Vote> votes(padded / 32);
    MUST(cudaMemcpy(votes.data(), d_votes, votes.size() * sizeof(Vote), cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int w = 0; w < padded / 32; ++w) {
        Vote want = {0, -1, 1, 0};
        for (int lane = 31; lane >= 0; --lane) {
            const int v = in[w * 32 + lane];
            if (v % 3 == 0) want.count++, want.first = lane;
            want.all &= v >= 0;
            want.any |= v > 900;
        }
        const Vote &v = votes[w];
        ok = ok && v.count == want.count && v.first == want.first && v.all == want.all && v.any == want.any;
        if (w < 4) printf("warp %d: count %d first %d all %d any %d\n", w, v.count, v.first, v.all, v.any);
    }

    int kept = 0, wantKept = 0;
    long long sum = 0, wantSum = 0;
    MUST(cudaMemcpy(&kept, d_counter, sizeof kept, cudaMemcpyDeviceToHost));
    std::vector<int> out(kept);
    MUST(cudaMemcpy(out.data(), d_out, kept * sizeof(int), cudaMemcpyDeviceToHost));
    for (int v : out) sum += v;
    for (int i = 0; i < n; ++i)
        if (in[i] % 3 == 0) wantKept++, wantSum += in[i];
    ok = ok && kept == wantKept && sum == wantSum;
    printf("kept %d of %d, sum %lld\n", kept, n, sum);
    printf(ok ? "PASS\n" : "FAIL\n");

    MUST(cudaFree(d_in));
    MUST(cudaFree(d_out));
    MUST(cudaFree(d_counter));
    MUST(cudaFree(d_votes));
    return ok ? 0 : 1;
}
