"""Benchmarks: figures of speed and memory, beside a peer's in the same run where one is at hand."""
