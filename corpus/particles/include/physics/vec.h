#ifndef PHYSICS_VEC_H
#define PHYSICS_VEC_H

// Plain C++ when a host compiler reads this, host and device code when nvcc does.
#ifdef __CUDACC__
#define PHYSICS_FN __host__ __device__ __forceinline__
#else
#define PHYSICS_FN inline
#endif

namespace physics {

struct Vec {
    int x, y;
};

PHYSICS_FN Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
PHYSICS_FN bool operator==(Vec a, Vec b) { return a.x == b.x && a.y == b.y; }

struct Particle {
    Vec at, velocity;
    int hits;
};

/// Moves one step inside a box from 0 to size; walls reflect.
PHYSICS_FN Particle moved(Particle p, int size)
{
    p.at = p.at + p.velocity;
    if (p.at.x < 0) p.at.x = -p.at.x, p.velocity.x = -p.velocity.x, ++p.hits;
    if (p.at.y < 0) p.at.y = -p.at.y, p.velocity.y = -p.velocity.y, ++p.hits;
    if (p.at.x > size) p.at.x = 2 * size - p.at.x, p.velocity.x = -p.velocity.x, ++p.hits;
    if (p.at.y > size) p.at.y = 2 * size - p.at.y, p.velocity.y = -p.velocity.y, ++p.hits;
    return p;
}

}  // namespace physics

#endif
