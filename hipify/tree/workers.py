"""Worker processes: one pipe each, no threads, and it is always known which file a dead one had.

The pools of the standard library can hang when a worker dies, do not tell which task it had and run
threads in a process that forks.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipify.tree.file import translate_file
from hipify.tree.results import FileResult, Job, Outcome, Work

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from types import FrameType

    Channel = Connection[object, object]

_BATCH_BYTES = 100_000
_BATCH_FILES = 32
_BATCHES_A_WORKER = 3
_GONE = (EOFError, OSError)
"""What a pipe answers when there is nobody at its other end."""


@dataclass
class _Worker:
    """One process and the numbers of the jobs it has in hand; it works on the first."""

    process: BaseProcess
    channel: Channel
    numbers: deque[int] = field(default_factory=deque)


def in_processes(jobs: Sequence[Job], work: Work, number: int) -> Generator[FileResult, None, None]:
    """Does all jobs in `number` processes and yields the results in the order of the jobs.

    A job whose process dies fails; the others go on. Closing the iterator ends the processes after
    the files that they have in hand.
    """
    crew = _Crew(jobs, work)
    results: dict[int, FileResult] = {}
    due = 0
    batches = _batches(jobs)
    handed: deque[int] = deque()  # the last jobs of the batches whose results are not all yielded
    try:
        crew.hire(number)
        while due < len(jobs):
            for worker in crew.idle():
                if len(handed) == _BATCHES_A_WORKER * number:
                    break
                batch = next(batches, None)
                if batch is None:
                    break
                handed.append(batch[-1])
                crew.give(worker, batch)
            results.update(crew.finished())
            while due in results:
                yield results.pop(due)
                due += 1
            while handed and handed[0] < due:
                handed.popleft()
    finally:
        crew.dismiss()


def _batches(jobs: Sequence[Job]) -> Iterator[list[int]]:
    """Numbers of neighbouring jobs, together until a batch is worth its way to a worker."""
    batch: list[int] = []
    size = 0
    for number, job in enumerate(jobs):
        batch.append(number)
        size += job.size
        if size >= _BATCH_BYTES or len(batch) == _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Crew:
    """All workers of a run."""

    def __init__(self, jobs: Sequence[Job], work: Work) -> None:
        from multiprocessing import get_context

        self._jobs, self._work = jobs, work
        # Forked workers share the database that is loaded; forking is safe with one thread only.
        self._forks = sys.platform.startswith("linux") and threading.active_count() == 1
        self._context = get_context("fork" if self._forks else "spawn")
        self._workers: list[_Worker] = []

    def hire(self, number: int) -> None:
        """Starts more workers."""
        for _ in range(number):
            here, there = self._context.Pipe()
            # A forked worker must let go of our ends, or the others would outlive this process.
            inherited = [w.channel for w in self._workers] + [here] if self._forks else []
            process = self._context.Process(  # type: ignore[attr-defined]
                target=_be_worker, args=(there, self._work, inherited), daemon=True
            )
            process.start()
            there.close()
            self._workers.append(_Worker(process, here))

    def idle(self) -> list[_Worker]:
        """The workers that have nothing to do."""
        return [worker for worker in self._workers if not worker.numbers]

    def give(self, worker: _Worker, numbers: Sequence[int]) -> None:
        """Hands jobs to an idle worker; one that has died meanwhile is replaced."""
        task = [(number, self._jobs[number]) for number in numbers]
        try:
            worker.channel.send(task)
        except OSError:
            worker = self._replaced(worker)
            with suppress(OSError):  # if this one is gone as well, `finished` will notice
                worker.channel.send(task)
        worker.numbers.extend(numbers)

    def finished(self) -> Iterator[tuple[int, FileResult]]:
        """Waits until there are results and returns them with their jobs' numbers.

        Raises what a worker raised.
        """
        from multiprocessing.connection import wait

        busy = {worker.channel: worker for worker in self._workers if worker.numbers}
        for channel in wait(list(busy)):
            worker = busy[channel]  # type: ignore[index]
            try:
                result = worker.channel.recv()
            except _GONE:
                yield self._bury(worker)
                continue
            if isinstance(result, BaseException):
                raise result
            assert isinstance(result, FileResult)
            yield worker.numbers.popleft(), result

    def dismiss(self) -> None:
        """Ends all workers, each after the file that it has in hand."""
        for worker in self._workers:
            worker.channel.close()
        for worker in self._workers:
            worker.process.join()

    def _bury(self, worker: _Worker) -> tuple[int, FileResult]:
        """The failure of the job that a dead worker had; what it had not begun goes to another."""
        number = worker.numbers.popleft()
        remaining = list(worker.numbers)
        successor = self._replaced(worker)
        if remaining:
            self.give(successor, remaining)
        job = self._jobs[number]
        error = "the process that translated it died (out of memory?)"
        return number, FileResult(job.source, job.name, Outcome.FAILED, error=error)

    def _replaced(self, worker: _Worker) -> _Worker:
        worker.channel.close()
        worker.process.join()
        self._workers.remove(worker)
        self.hire(1)
        return self._workers[-1]


def _be_worker(channel: Channel, work: Work, inherited: Sequence[Channel]) -> None:
    """Does jobs until the pipe closes, that is until the main process is done or gone."""
    # Ctrl-C reaches all processes of a terminal; the main one decides, workers finish their file.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Asked to end, a worker unwinds, so that no temporary file stays.
    signal.signal(signal.SIGTERM, _unwind)
    for other in inherited:
        other.close()
    with suppress(*_GONE):
        while True:
            task = channel.recv()
            assert isinstance(task, list)
            for _, job in task:
                channel.send(_result(job, work))


def _result(job: Job, work: Work) -> FileResult | Exception:
    try:
        return translate_file(job, work)
    except Exception as error:
        return error


def _unwind(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
