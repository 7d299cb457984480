"""Runs a program that was built: with a time limit, its output kept or passed on."""

from __future__ import annotations

import contextlib
import logging
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import ToolchainError

LOG = logging.getLogger("hipify.call")


@dataclass(frozen=True)
class Execution:
    """How a run ended. `status` is the exit code, negative for the signal that ended the program.

    `stdout` and `stderr` are empty where the output was passed on. `seconds` is wall-clock time.
    """

    status: int
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """Whether it ended by itself, with 0."""
        return self.status == 0 and not self.timed_out

    @property
    def how(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return f"was stopped after {self.seconds:.0f} s"
        if self.status < 0:
            return f"was killed by {signal.Signals(-self.status).name}"
        return f"ended with exit status {self.status}"


def execute(
    argv: Sequence[str | Path],
    *,
    timeout: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    keep_output: bool = True,
) -> Execution:
    """Runs a program without a shell; it has no standard input when its output is kept.

    `timeout` is in seconds, `env` is laid over the environment. Raises ToolchainError when the
    program cannot be started.
    """
    words = [str(word) for word in argv]
    LOG.info("%s", shlex.join(words))
    begun = time.monotonic()
    pipe = subprocess.PIPE if keep_output else None
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL if keep_output else None,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            start_new_session=os.name == "posix",  # so that its children end with it
        )
    except OSError as error:
        raise ToolchainError(f"cannot run {words[0]}: {error.strerror or error}") from None
    timed_out = False
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        _kill(process)
        stdout, stderr = process.communicate()
    except BaseException:
        _kill(process)
        process.communicate()
        raise
    seconds = time.monotonic() - begun
    return Execution(process.returncode, stdout or b"", stderr or b"", seconds, timed_out)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
