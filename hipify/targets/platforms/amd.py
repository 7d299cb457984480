"""AMD GPUs, by ROCm."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.targets.amd import amd_targets
from hipify.targets.platform import Built, Device, Executable, Job
from hipify.toolchain.build.driver import Request, build
from hipify.toolchain.build.units import Choices
from hipify.toolchain.call import call
from hipify.toolchain.detect import Machine, find_toolchain

_AGENT = re.compile(r"^\*{3,}\s*$\s*^Agent \d+\s*$", re.MULTILINE)
_FIELD = re.compile(
    r"^  (Name|Marketing Name|Device Type|Compute Unit|Uuid):\s*(.*?)\s*$", re.MULTILINE
)
_KFD = Path("/dev/kfd")


class Amd:
    """AMD GPUs as `rocminfo` lists them."""

    name = "amd"

    def devices(self) -> tuple[Device, ...]:
        """The GPUs. Raises ToolchainError where there is none, or no driver."""
        if not _KFD.exists():
            raise ToolchainError(
                f"no AMD GPU: {_KFD} is not there, so the amdgpu driver has found none "
                "(in a container it must be passed in)"
            )
        rocminfo = shutil.which("rocminfo") or "/opt/rocm/bin/rocminfo"
        if not Path(rocminfo).is_file():
            raise ToolchainError(
                "AMD's driver is there, but no rocminfo to list GPUs: install ROCm"
            )
        done = call([rocminfo], timeout=60, check=False)
        found = tuple(gpus(done.stdout))
        if not found:
            said = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise ToolchainError(f"no AMD GPU: rocminfo lists none {' '.join(said)}".rstrip())
        return found

    def build(self, job: Job, archs: tuple[str, ...]) -> Built:
        """Builds the port with the AMD toolchain at hand."""
        names = archs or tuple(dict.fromkeys(device.arch for device in self.devices()))
        request = Request(
            job.paths,
            job.out,
            amd_targets(",".join(names)),
            find_toolchain(Machine()),
            Choices(job.include, job.define, job.std),
            job.options,
            job.selection,
            translate=job.translate,
            link=True,
            link_flags=job.link,
            keep_going=True,
            jobs=job.jobs,
        )
        result = build(request)
        said = [item for unit in result.units for item in unit.diagnostics]
        said += [item for program in result.programs for item in program.diagnostics]
        problems = [
            f"{item.source or item.file}:{item.source_line or item.line}: {item.text}"
            if item.file
            else item.text
            for item in said
            if item.is_error
        ]
        programs = tuple(
            Executable(program.name, program.output)
            for program in result.programs
            if program.output is not None
        )
        return Built(programs, (*result.tree.failures, *problems), tuple(result.notes))


def gpus(text: str) -> Iterator[Device]:
    """The GPUs in what rocminfo wrote: agents whose type is GPU."""
    for part in _AGENT.split(text)[1:]:
        # fields of an agent come before those of its pools and instruction sets, which repeat names
        fields: dict[str, str] = {}
        for name, value in _FIELD.findall(part):
            fields.setdefault(name, value)
        if fields.get("Device Type") == "GPU":
            yield Device(fields.get("Marketing Name") or "AMD GPU", fields.get("Name", ""), fields)


PLATFORM = Amd()
