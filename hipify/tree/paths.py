"""Many files, in this process or in several, with the results in the order of the jobs."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from pathlib import Path

from hipify.tree.file import translate_file
from hipify.tree.results import Action, FileResult, Job, Work

_INLINE_BYTES = 400_000
"""Less source than this is translated sooner than worker processes start."""


def default_workers() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def translate_paths(
    jobs: Sequence[Job], work: Work, workers: int | None = None
) -> Generator[FileResult, None, None]:
    """Does all jobs and yields their results in the order of the jobs, as soon as they are there.

    `workers` processes do it (default: one a processor), or this one where that is faster. Closing
    the iterator, or an exception in its consumer, ends the work after the files that are in hand.
    Only a few results wait in memory.

    Raises MappingError where the database cannot be used.
    """
    workers = min(workers or default_workers(), len(jobs))
    if workers <= 1 or sum(job.size for job in jobs) < _INLINE_BYTES:
        for job in jobs:
            yield translate_file(job, work)
        return
    from hipify.tree.workers import in_processes

    # Has the translator load what it loads once, before workers split off.
    translate_file(Job(Path("warm-up.cu"), "", Action.CHECK, data=b"int x;\n"), work)
    yield from in_processes(jobs, work, workers)
