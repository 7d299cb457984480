"""Inputs of a wanted size, made from the corpus."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).parents[2] / "corpus"


def cuda_source(size: int) -> bytes:
    """About `size` bytes of CUDA: the corpus's sources one after the other, repeated."""
    sources = [path.read_bytes() for path in sorted(CORPUS.glob("*/*.cu"))]
    pieces: list[bytes] = []
    total = 0
    while total < size:
        for source in sources:
            pieces.append(source)
            total += len(source) + 1
            if total >= size:
                break
    return b"\n".join(pieces)
