"""What the emulator's tests need: a toolchain, and the runtime built once for the session."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify.emulator import EmulatorError, Runtime, Tools, build_runtime, find_tools

#: Compiles a HIP source for an architecture and links it with the emulator's runtime.
Build = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def tools() -> Tools:
    try:
        return find_tools()
    except EmulatorError as error:
        pytest.skip(f"no HIP compiler: {error}")


@pytest.fixture(scope="session")
def runtime(tools: Tools) -> Runtime:
    return build_runtime(tools)


@pytest.fixture
def build(tools: Tools, runtime: Runtime, tmp_path: Path) -> Build:
    def compile_and_link(source: str, arch: str) -> Path:
        file, out = tmp_path / f"{arch}.hip", tmp_path / f"program.{arch}"
        file.write_text(source)
        rocm = tools.hip_include.parent
        command = [
            str(tools.clang), "-w", "-x", "hip", f"--offload-arch={arch}", "-O2", "-gline-tables-only",
            f"--rocm-path={rocm}", "-DHIP_ENABLE_WARP_SYNC_BUILTINS", str(file), "-x", "none",
            "-no-hip-rt", str(runtime.library), "-o", str(out),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return out

    return compile_and_link
