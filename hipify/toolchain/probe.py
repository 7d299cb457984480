"""Whether a toolchain really compiles: a small kernel, host and device."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hipify.toolchain.call import call
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
        flags = [*toolchain.base_flags, "-D__HIP_PLATFORM_AMD__", "-x", "hip"]
        flags += [f"--offload-arch={arch}", "-c", str(source), "-o", f"{source}.o"]
        done = call([toolchain.clang, *flags], timeout=120, check=False)
    if done.ok:
        return ""
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    message = (errors or done.stderr.splitlines() or ["no message"])[0].strip()
    if "file not found" in message:
        message += " (the host's C++ headers are needed: install g++ with its standard library)"
    return message
