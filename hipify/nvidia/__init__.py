"""HIP on NVIDIA GPUs: headers made from the database, nvcc command lines, the `nvcc` stand-in."""
