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


def distinct_source(size: int) -> bytes:
    """About `size` bytes of CUDA that a compiler takes: one program again and again, each copy in a
    namespace of its own."""
    program = (CORPUS / "tiled-matmul" / "main.cu").read_bytes()
    at = min(program.index(word) for word in (b"template", b"__global__"))
    body = program[at:].replace(b"int main(", b"int run(")
    copies = (
        b"namespace copy%d {\n%s}\n" % (number, body) for number in range(max(1, size // len(body)))
    )
    return program[:at] + b"".join(copies)
