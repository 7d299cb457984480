"""AMD GPUs without one: the real compiler's machine code, run on the CPU."""

from __future__ import annotations

import os
from dataclasses import replace

from hipify.errors import ToolchainError, UsageError
from hipify.targets.amd import ARCHS
from hipify.targets.platform import Built, Device, Job
from hipify.targets.platforms.amd import Amd

_DEFAULT = "gfx90a"


class Emulated:
    """The emulator, which can be any of several architectures; one of them a run."""

    name = "emulated"

    def devices(self) -> tuple[Device, ...]:
        """The architectures that can be emulated, the default first.

        Raises ToolchainError where the emulator lacks something of its own.
        """
        from hipify.emulator import ARCHITECTURES, EmulatorError, find_tools

        try:
            find_tools()
        except EmulatorError as error:
            raise ToolchainError(f"nothing to emulate AMD GPUs with: {error}") from None
        ordered = sorted(ARCHITECTURES, key=lambda arch: (arch != _DEFAULT, arch))
        return tuple(Device(f"emulated {ARCHS[arch].family}", arch) for arch in ordered)

    def build(self, job: Job, archs: tuple[str, ...]) -> Built:
        """Builds for one architecture with the AMD toolchain, to be run by the emulator.

        Raises UsageError for several architectures or one that is not emulated.
        """
        from hipify.emulator import ARCHITECTURES, build_runtime, find_tools
        from hipify.emulator.run import environment

        chosen = archs or (_DEFAULT,)
        if len(chosen) > 1 or chosen[0] not in ARCHITECTURES:
            raise UsageError(
                f"--arch {','.join(chosen)}: one architecture a run, of {', '.join(ARCHITECTURES)}"
            )
        tools = find_tools()
        built = Amd().build(job, chosen)
        variables = environment(build_runtime(tools), tools, chosen[0], os.environ)
        added = {name: text for name, text in variables.items() if os.environ.get(name) != text}
        return replace(
            built,
            programs=tuple(replace(each, env={**each.env, **added}) for each in built.programs),
        )


PLATFORM = Emulated()
