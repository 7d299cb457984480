"""Settings for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a process loads the database, so a time limit for each would be about that.
settings.register_profile("hipify", deadline=None)
settings.load_profile("hipify")


@pytest.fixture(scope="session")
def clang_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of the test run's own, for precompiled headers and the like."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HIPIFY_CACHE_DIR", str(folder))
        yield folder
