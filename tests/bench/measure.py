"""CPU time and peak memory of whole commands."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system) and peak resident memory in MB, the best of several runs."""

    seconds: float
    megabytes: float


def cost(command: list[str], runs: int = 5, cwd: Path | None = None) -> Cost:
    """The cost of a command; its output is thrown away, its exit status does not matter.

    Python keeps its compiled modules, as in any installation; the first run that makes them does not
    count. Raises OSError when the command cannot be started.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    best = [float("inf"), float("inf")]
    for run in range(runs + (runs > 1)):
        with subprocess.Popen(
            command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as child:
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0
        if run == 0 and runs > 1:
            continue
        best[0] = min(best[0], usage.ru_utime + usage.ru_stime)
        best[1] = min(best[1], usage.ru_maxrss / 1024)
    return Cost(*best)


def hipify(*args: str) -> list[str]:
    """The installed command; without an entry point, the package of this checkout."""
    script = Path(sys.executable).with_name("hipify")
    return [str(script), *args] if script.exists() else [sys.executable, "-m", "hipify", *args]
