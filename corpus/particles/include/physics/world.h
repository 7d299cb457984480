#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "vec.h"

namespace physics {

/// Owns the particles on the device. Usable from plain C++: no kernel shows here.
class World {
public:
    World(const std::vector<Particle> &particles, int size, cudaStream_t stream = nullptr);
    ~World();
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    void step(int times);
    std::vector<Particle> particles() const;
    /// How many pairs share a cell of the given size.
    unsigned long long pairsInCells(int cell) const;

private:
    Particle *particles_ = nullptr;
    std::size_t count_;
    int size_;
    cudaStream_t stream_;
};

}  // namespace physics
