"""NVIDIA GPUs, by nvcc and the HIP-on-CUDA headers."""

from __future__ import annotations

import shutil

from hipify.errors import ToolchainError
from hipify.nvidia.build import build_with_nvcc
from hipify.nvidia.toolkit import find_toolkit
from hipify.targets.platform import Built, Device, Job
from hipify.toolchain.call import call

_FIELDS = ("name", "compute_cap", "driver_version", "memory.total", "uuid")


class Nvidia:
    """NVIDIA GPUs as `nvidia-smi` lists them."""

    name = "nvidia"

    def devices(self) -> tuple[Device, ...]:
        """The GPUs. Raises ToolchainError where there is none, or no driver."""
        smi = shutil.which("nvidia-smi")
        if smi is None:
            raise ToolchainError(
                "no NVIDIA GPU: there is no nvidia-smi, which comes with the driver"
            )
        query = [smi, f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader"]
        done = call(query, timeout=60, check=False)
        if not done.ok:
            said = (done.stdout + done.stderr).strip()
            raise ToolchainError(f"no NVIDIA GPU: nvidia-smi says: {said}")
        found = tuple(_device(line) for line in done.stdout.splitlines() if line.strip())
        if not found:
            raise ToolchainError("no NVIDIA GPU: nvidia-smi lists none")
        return found

    def build(self, job: Job, archs: tuple[str, ...]) -> Built:
        """Builds the port with nvcc."""
        return build_with_nvcc(job, archs or self.archs(), find_toolkit(), port=True)

    def build_original(self, job: Job, archs: tuple[str, ...]) -> Built:
        """Builds the CUDA code itself."""
        return build_with_nvcc(job, archs or self.archs(), find_toolkit(), port=False)

    def archs(self) -> tuple[str, ...]:
        """The architectures of the GPUs of this machine, each once."""
        return tuple(dict.fromkeys(device.arch for device in self.devices()))


def _device(line: str) -> Device:
    values = dict(zip(_FIELDS, (part.strip() for part in line.split(",")), strict=False))
    arch = "sm_" + values.get("compute_cap", "").replace(".", "")
    return Device(values["name"], arch, values)


PLATFORM = Nvidia()
