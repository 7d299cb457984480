"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# The first example of a process loads the database, so a time limit for each would be about that.
settings.register_profile("hipify", deadline=None)
settings.load_profile("hipify")
