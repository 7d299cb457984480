"""CUDA's headers on this machine: where they are and how clang is told of them."""
