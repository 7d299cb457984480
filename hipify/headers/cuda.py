"""Finds CUDA headers, best first: a toolkit, then wheels from PyPI."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MARK = Path("include", "cuda_runtime.h")
_VERSION = re.compile(rb"#define\s+CUDART_VERSION\s+(\d+)")


@dataclass(frozen=True)
class CudaHeaders:
    """A folder laid out like a toolkit: `root/include/cuda_runtime.h`.

    `level` is `toolkit` or `wheels`. `version` is (12, 6) for CUDA 12.6. `more` are further include
    folders of CUDA's own.
    """

    root: Path
    level: str
    version: tuple[int, int]
    more: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """All include folders, symbolic links followed, so that clang's paths compare with them."""
        return tuple(dict.fromkeys(f.resolve() for f in (self.root / "include", *self.more)))


def find_headers(given: Path | None = None) -> CudaHeaders | None:
    """The best headers that there are; with `given`, those of that folder or none."""
    candidates = iter([(given, "toolkit")]) if given is not None else _candidates()
    for root, level in candidates:
        headers = _headers(root, level)
        if headers is not None:
            return headers
    return _wheels() if given is None else None


def _candidates() -> Iterator[tuple[Path, str]]:
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        value = os.environ.get(variable)
        if value:
            yield Path(value), "toolkit"
    compiler = shutil.which("nvcc")
    if compiler is not None:
        yield Path(compiler).resolve().parent.parent, "toolkit"
        yield Path(compiler).parent.parent, "toolkit"
    if os.name == "posix":
        yield Path("/usr/local/cuda"), "toolkit"
    for site in map(Path, sys.path):
        for folder in sorted((site / "nvidia").glob("cu[0-9]*"), reverse=True):
            yield folder, "wheels"


def _headers(root: Path, level: str) -> CudaHeaders | None:
    if not (root / _MARK).is_file():
        return None
    return CudaHeaders(root, level, _version(root / "include"))


def _version(include: Path) -> tuple[int, int]:
    try:
        match = _VERSION.search((include / "cuda_runtime_api.h").read_bytes())
    except OSError:
        match = None
    number = int(match[1]) if match else 0
    return number // 1000, number % 1000 // 10


def _wheels() -> CudaHeaders | None:
    """Wheels of CUDA 12 and older, which hold one library each: merged by include folders."""
    for site in map(Path, sys.path):
        runtime = site / "nvidia" / "cuda_runtime"
        if (runtime / _MARK).is_file():
            others = sorted(
                folder
                for folder in (site / "nvidia").glob("*/include")
                if folder.parent.name != "cuda_runtime"
            )
            version = _version(runtime / "include")
            return CudaHeaders(runtime, "wheels", version, tuple(others))
    return None
