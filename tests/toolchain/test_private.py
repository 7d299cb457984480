"""The private toolchain itself, where it is the one that is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.toolchain.call import call
from hipify.toolchain.link_stubs import exports
from hipify.toolchain.model import Toolchain
from hipify.toolchain.prefix import Manifest

pytestmark = pytest.mark.toolchain


@pytest.fixture
def prefix(toolchain: Toolchain) -> Path:
    prefix = toolchain.root.parent
    if Manifest.of(prefix) is None:
        pytest.skip("the toolchain found is not one that `hipify toolchain install` made")
    return prefix


def test_every_program_starts(prefix: Path) -> None:
    programs = ("clang++", "lld", "llvm-objdump", "llvm-readelf", "clang-offload-bundler")
    folder = prefix / "rocm" / "llvm" / "bin"
    broken = []
    for name in programs:
        words = ["-flavor", "gnu"] if name == "lld" else []
        if not call([folder / name, *words, "--version"], check=False).ok:
            broken.append(name)
    assert broken == []


def test_stubs_stand_for_the_large_libraries(prefix: Path) -> None:
    manifest = Manifest.of(prefix)
    assert manifest is not None
    stubs = prefix / "rocm" / "stub"
    soname, functions = exports(stubs / "librocblas.so")
    assert soname.startswith("librocblas.so.")
    assert "rocblas_sgemm" in functions
    assert len(functions) > 1000
    assert "hipMalloc" in exports(stubs / "libamdhip64.so")[1]
    if "rocblas" not in manifest.libraries:
        assert "rocblas" in manifest.stubs


def test_the_tree_links_nowhere_outside_itself(prefix: Path) -> None:
    outside = [
        path
        for path in prefix.rglob("*")
        if path.is_symlink() and not path.resolve().is_relative_to(prefix.resolve())
    ]
    assert outside == []


def test_rocprim_knows_gfx950_where_it_was_patched(prefix: Path) -> None:
    manifest = Manifest.of(prefix)
    assert manifest is not None
    if not manifest.patches:
        pytest.skip("installed with --no-patch-gfx950")
    config = prefix / "rocm" / "include" / "rocprim" / "config.hpp"
    assert "__gfx950__" in config.read_text()
