"""hipify: a CUDA-to-HIP porting toolchain."""

__version__ = "0.1.0"
