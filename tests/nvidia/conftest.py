import pytest

from hipify.errors import ToolchainError
from hipify.nvidia.toolkit import Toolkit, find_toolkit


@pytest.fixture(scope="session")
def toolkit() -> Toolkit:
    try:
        return find_toolkit()
    except ToolchainError as error:
        pytest.skip(f"needs nvcc: {error}")
