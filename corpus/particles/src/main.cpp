// Plain C++: the kernels are behind physics::World.
#include "physics/world.h"
#include "util/check.h"

#include <cstdio>
#include <exception>
#include <map>

int main()
{
    using physics::Particle;
    const int size = 1000, count = 900, steps = 40, cell = 25;
    std::vector<Particle> host(count);
    for (int i = 0; i < count; ++i)
        host[i] = {{i * 379 % (size + 1), i * 571 % (size + 1)}, {i * 13 % 41 - 20, i * 29 % 37 - 18}, 0};
    try {
        cudaStream_t stream;
        util::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        unsigned long long pairs = 0, wantPairs = 0;
        std::vector<Particle> got;
        {
            physics::World world(host, size, stream);
            world.step(steps / 2);
            world.step(steps - steps / 2);
            got = world.particles();
            pairs = world.pairsInCells(cell);
        }
        util::check(cudaStreamDestroy(stream));

        int wrong = 0, hits = 0;
        std::map<int, unsigned> cells;
        for (int i = 0; i < count; ++i) {
            for (int t = 0; t < steps; ++t) host[i] = physics::moved(host[i], size);
            wrong += !(got[i].at == host[i].at) || !(got[i].velocity == host[i].velocity) || got[i].hits != host[i].hits;
            hits += got[i].hits;
            wantPairs += cells[host[i].at.y / cell * 100 + host[i].at.x / cell]++;
        }
        std::printf("%d particles, %d wall hits, %llu pairs in cells\n", count, hits, pairs);
        const bool ok = wrong == 0 && pairs == wantPairs;
        std::printf("%s\n", ok ? "PASS" : "FAIL");
        return ok ? 0 : 1;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "particles: %s\n", e.what());
        return 1;
    }
}
