"""Running a program on the emulated GPU."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.emulator.build import Runtime, build_runtime
from hipify.emulator.errors import EmulatorError
from hipify.emulator.tools import Tools, find_tools

#: Architectures that code objects are run for.
ARCHITECTURES = ("gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201")


@dataclass(frozen=True)
class Result:
    """How a program ended: its status (negative: a signal; None: out of time) and output."""

    returncode: int | None
    stdout: bytes
    stderr: bytes


def environment(
    runtime: Runtime, tools: Tools, arch: str, base: Mapping[str, str]
) -> dict[str, str]:
    """`base` with what a program needs to find the emulator's runtime instead of AMD's."""
    found = dict(base)
    folder = str(runtime.folder)
    paths = [folder, *filter(None, [base.get("LD_LIBRARY_PATH")])]
    found["LD_LIBRARY_PATH"] = os.pathsep.join(paths)
    preloads = [str(runtime.library), *filter(None, [base.get("LD_PRELOAD")])]
    found["LD_PRELOAD"] = " ".join(preloads)  # wins over a library path in the program itself
    found["HIPIFY_EMULATOR_ARCH"] = arch
    found["HIPIFY_EMULATOR_OBJDUMP"] = str(tools.objdump)
    found["HIPIFY_EMULATOR_LISTINGS"] = str(runtime.listings)
    package_root = str(Path(__file__).parents[2])
    modules = [package_root, *filter(None, [base.get("PYTHONPATH")])]
    found["PYTHONPATH"] = os.pathsep.join(modules)
    return found


def run_program(
    executable: Path,
    arch: str,
    args: Sequence[str] = (),
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
    *,
    tools: Tools | None = None,
    cwd: Path | None = None,
) -> Result:
    """Run a HIP program that was compiled for `arch` and linked with libamdhip64.

    ``timeout`` is in seconds; ``env`` replaces the environment. Raises `EmulatorError` when the
    architecture is unknown or the runtime cannot be built.
    """
    if arch not in ARCHITECTURES:
        raise EmulatorError(f"{arch} is not emulated: choose one of {', '.join(ARCHITECTURES)}")
    tools = tools or find_tools()
    runtime = build_runtime(tools)
    variables = environment(runtime, tools, arch, os.environ if env is None else env)
    try:
        done = subprocess.run(
            [str(executable.absolute()), *args],
            capture_output=True, timeout=timeout, env=variables, check=False, cwd=cwd,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return Result(None, late.stdout or b"", late.stderr or b"")
    except OSError as error:
        raise EmulatorError(f"{executable}: cannot be run: {error.strerror}") from None
    return Result(done.returncode, done.stdout, done.stderr)
