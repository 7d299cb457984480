"""Many files: worker processes, results in the order of the jobs, few files in memory at a time."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hipify.tree.file import translate_file
from hipify.tree.results import Action, FileResult, Job, Outcome, Work

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from types import FrameType

    Batch = tuple[Job, ...]
    Pending = tuple[Batch, Future[list[FileResult]]]

_INLINE_BYTES = 400_000
"""Less source than this is translated sooner than worker processes start."""
_BATCH_BYTES = 100_000
_BATCH_FILES = 32
_BATCHES_A_WORKER = 3

_work: Work
"""What this worker process works on, set when it starts."""


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
    """
    workers = min(workers or default_workers(), len(jobs))
    if workers <= 1 or sum(job.size for job in jobs) < _INLINE_BYTES:
        for job in jobs:
            yield translate_file(job, work)
        return
    yield from _in_processes(jobs, work, workers)


def _in_processes(jobs: Sequence[Job], work: Work, workers: int) -> Iterator[FileResult]:
    from concurrent.futures.process import BrokenProcessPool

    batches = _batches(jobs)
    pool = _pool(work, workers)
    pending: deque[Pending] = deque()
    try:
        while True:
            while len(pending) < _BATCHES_A_WORKER * workers and (batch := next(batches, None)):
                pending.append((batch, _submitted(pool, batch)))
            if not pending:
                return
            try:
                results = pending[0][1].result()
            except BrokenProcessPool:
                # A worker died (out of memory, say). Which file it had is unknown: all that were in
                # hand are done again one at a time, so that only the guilty one fails.
                pool.shutdown()
                while pending:
                    batch, future = pending.popleft()
                    done = future.exception() is None
                    yield from future.result() if done else _one_by_one(batch, work)
                pool = _pool(work, workers)
                continue
            pending.popleft()
            yield from results
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _batches(jobs: Sequence[Job]) -> Iterator[Batch]:
    """Neighbouring jobs put together until a batch is worth its way to a worker and back."""
    batch: list[Job] = []
    size = 0
    for job in jobs:
        batch.append(job)
        size += job.size
        if size >= _BATCH_BYTES or len(batch) == _BATCH_FILES:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def _submitted(pool: ProcessPoolExecutor, batch: Batch) -> Future[list[FileResult]]:
    """The future of a batch; already failed where a worker died just now."""
    from concurrent.futures import BrokenExecutor, Future

    try:
        return pool.submit(_do_batch, batch)
    except BrokenExecutor as error:
        failed: Future[list[FileResult]] = Future()
        failed.set_exception(error)
        return failed


def _one_by_one(jobs: Sequence[Job], work: Work) -> Iterator[FileResult]:
    from concurrent.futures.process import BrokenProcessPool

    pool = _pool(work, 1)
    try:
        for job in jobs:
            try:
                yield from pool.submit(_do_batch, (job,)).result()
            except BrokenProcessPool:
                pool.shutdown()
                pool = _pool(work, 1)
                error = "the process that translated it died (out of memory?)"
                yield FileResult(job.source, job.name, Outcome.FAILED, error=error)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pool(work: Work, workers: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Forked workers share the database that is loaded; forking is safe with one thread only.
    fork = sys.platform.startswith("linux") and threading.active_count() == 1
    if fork:
        _warm_up(work)
    context = get_context("fork" if fork else "spawn")
    return ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(work,))


def _warm_up(work: Work) -> None:
    """Has the translator load what it loads once, before the workers split off."""
    from pathlib import Path

    translate_file(Job(Path("warm-up.cu"), "", Action.CHECK, data=b"int x;\n"), work)


def _start_worker(work: Work) -> None:
    global _work  # noqa: PLW0603 - a worker process has one work for all its life
    _work = work
    # Ctrl-C reaches all processes of a terminal; the main one decides, workers finish their file.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Asked to end (by the pool, when another worker died), it unwinds: no temporary file stays.
    signal.signal(signal.SIGTERM, _unwind)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _unwind(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _end_with_parent() -> None:
    """Ends this worker when the main process is gone without having said so."""
    from multiprocessing import parent_process

    parent: Any = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do_batch(batch: Batch) -> list[FileResult]:
    try:
        return [translate_file(job, _work) for job in batch]
    except SystemExit:
        os._exit(1)  # the pool would take it for the result and go on
