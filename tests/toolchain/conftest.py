"""The compiler for AMD GPUs that tests of this folder use, if there is one."""

from __future__ import annotations

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
