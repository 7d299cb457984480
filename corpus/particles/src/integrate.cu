#include "physics/kernels.cuh"
#include "physics/world.h"
#include "../include/util/check.h"

namespace physics {

namespace {

struct Mover {
    int size, times;
    __device__ void operator()(Particle &p) const
    {
        Particle q = p;
        for (int t = 0; t < times; ++t) q = moved(q, size);
        p = q;
    }
};

}  // namespace

World::World(const std::vector<Particle> &particles, int size, cudaStream_t stream)
    : count_(particles.size()), size_(size), stream_(stream)
{
    util::check(cudaMalloc(&particles_, count_ * sizeof(Particle)));
    util::check(cudaMemcpyAsync(particles_, particles.data(), count_ * sizeof(Particle), cudaMemcpyHostToDevice, stream_));
}

World::~World() { cudaFree(particles_); }

void World::step(int times)
{
    detail::forEach<Mover><<<6, 128, 0, stream_>>>(particles_, static_cast<unsigned>(count_), Mover{size_, times});
    util::check(cudaGetLastError());
}

std::vector<Particle> World::particles() const
{
    std::vector<Particle> result(count_);
    util::check(cudaMemcpyAsync(result.data(), particles_, count_ * sizeof(Particle), cudaMemcpyDeviceToHost, stream_));
    util::check(cudaStreamSynchronize(stream_));
    return result;
}

}  // namespace physics
