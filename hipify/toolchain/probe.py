"""Whether a toolchain really compiles: a small kernel, host and device."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.targets import Target
from hipify.toolchain.build.command import Compiler
from hipify.toolchain.build.units import Unit
from hipify.toolchain.call import call
from hipify.toolchain.code_object import code_objects
from hipify.toolchain.model import Toolchain

PREFERRED = ("gfx90a", "gfx942", "gfx1100")
PROGRAM = """\
#include <hip/hip_runtime.h>
#include <cmath>
__global__ void twice(float *x) { x[threadIdx.x] = sqrtf(2 * x[threadIdx.x]); }
int main() { twice<<<1, 64>>>(nullptr); return hipDeviceSynchronize(); }
"""


def probe(toolchain: Toolchain) -> str:
    """Compiles a kernel; empty when it works, else the compiler's first words on why not."""
    arch = next((a for a in PREFERRED if a in toolchain.archs), toolchain.archs[0])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.hip"
        source.write_text(PROGRAM, "utf-8")
        unit = Unit(source, source.name, "hip", has_main=True, directory=source.parent)
        output = source.with_suffix(".o")
        command = Compiler(toolchain).compile(unit, [Target("amd", arch)], output)
        done = call(command, timeout=120, check=False)
        if done.ok:
            return _fault_of(output, arch)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    message = (errors or done.stderr.splitlines() or ["no message"])[0].strip()
    if "file not found" in message:
        message += " (the host's C++ headers are needed: install g++ with its standard library)"
    return message


def _fault_of(compiled: Path, arch: str) -> str:
    try:
        found = {code.arch: code for code in code_objects(compiled.read_bytes())}
    except (OSError, ToolchainError) as error:
        return str(error)
    return "" if arch in found and found[arch].kernels else f"it made no kernel for {arch}"
