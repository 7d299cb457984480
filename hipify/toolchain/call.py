"""The one function that starts other programs."""

from __future__ import annotations

import contextlib
import logging
import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hipify.errors import ToolchainError

LOG = logging.getLogger("hipify.call")


class Finished(NamedTuple):
    """A program that ended: its exit status and what it wrote, undecodable bytes replaced."""

    argv: tuple[str, ...]
    status: int
    stdout: str
    stderr: str

    @property
    def ok(self) -> bool:
        """Whether the exit status is 0."""
        return self.status == 0


def call(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 600.0,
    check: bool = True,
) -> Finished:
    """Runs a program to its end, without a shell and without standard input.

    `env` is laid over the environment, `timeout` is in seconds. The command goes to the log
    `hipify.call`. Raises ToolchainError when the program is missing or takes too long, and, with
    `check`, when it fails; the message holds the end of what it wrote.
    """
    words = tuple(str(word) for word in argv)
    LOG.info("%s", shlex.join(words))
    process = _start(words, env, cwd)
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise ToolchainError(
            f"{words[0]} was stopped after {timeout:.0f} s: {shlex.join(words)}"
        ) from None
    except BaseException:
        _kill(process)
        raise
    done = Finished(words, process.returncode, _text(stdout), _text(stderr))
    if check and not done.ok:
        raise ToolchainError(failure_text(done))
    return done


def failure_text(done: Finished, lines: int = 12) -> str:
    """A message for a program that failed, with the last `lines` lines that it wrote."""
    tail = (done.stderr.strip() or done.stdout.strip()).splitlines()[-lines:]
    how = (
        f"was killed by {signal.Signals(-done.status).name}"
        if done.status < 0
        else f"failed with exit status {done.status}"
    )
    return "\n  ".join([f"{Path(done.argv[0]).name} {how}: {shlex.join(done.argv)}", *tail])


def _start(
    words: tuple[str, ...], env: Mapping[str, str] | None, cwd: Path | None
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **env} if env else None,
            # its own process group: a compiler's children must not outlive a timeout
            start_new_session=os.name == "posix",
        )
    except OSError as error:
        if cwd is not None and not cwd.is_dir():
            raise ToolchainError(f"cannot run {words[0]}: {cwd} is no folder") from None
        raise ToolchainError(f"cannot run {words[0]}: {error.strerror or error}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
