"""The compilers that the tests of inline PTX run."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.errors import ToolchainError
from hipify.toolchain.detect import Machine, find_toolchain
from hipify.toolchain.model import Toolchain


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """The toolchain that `hipify build` would use; skips with the reason why there is none."""
    try:
        return find_toolchain(Machine())
    except ToolchainError as error:
        pytest.skip(f"no compiler for AMD GPUs (hipify toolchain install gives one): {error}")


@pytest.fixture(scope="session")
def clang(toolchain: Toolchain) -> Path:
    """The clang++ of that toolchain, which compiles for the host too."""
    return toolchain.clang
