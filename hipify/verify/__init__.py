"""Comparison of what a CUDA program and its port do: output, files, kernel times."""
