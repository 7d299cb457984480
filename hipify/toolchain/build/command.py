"""The command lines of one toolchain: a unit to an object, objects to a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.targets import Target
from hipify.toolchain.build.units import Unit
from hipify.toolchain.model import Toolchain

SYNC_BUILTINS = "-DHIP_ENABLE_WARP_SYNC_BUILTINS"
ERROR_LIMIT = 40


@dataclass(frozen=True)
class Compiler:
    """Makes command lines. `syntax_only` asks for no objects."""

    toolchain: Toolchain
    syntax_only: bool = False

    def compile(self, unit: Unit, targets: Iterable[Target], output: Path) -> list[str]:
        """The command that compiles a unit for all of `targets` into one object."""
        flags = [str(self.toolchain.clang), *self.toolchain.base_flags, "-x", unit.language]
        if unit.language == "hip":
            flags += [f"--offload-arch={target.arch}" for target in targets]
            if unit.rdc:
                flags.append("-fgpu-rdc")
            elif self.toolchain.clang_version >= (18,):
                flags.append("--no-offload-compress")
        flags += self._definitions()
        if not any(flag.startswith("-O") for flag in unit.flags):
            flags.append("-O3")  # as nvcc and hipcc do for device code
        flags += unit.flags
        flags += ["-fno-color-diagnostics", "-fdiagnostics-absolute-paths"]
        flags += ["-Wno-unused-command-line-argument", f"-ferror-limit={ERROR_LIMIT}"]
        if self.syntax_only:
            return [*flags, "-fsyntax-only", str(unit.path)]
        dependencies = ["-MD", "-MF", f"{output}.d"]
        return [*flags, *dependencies, "-c", str(unit.path), "-o", str(output)]

    def _definitions(self) -> list[str]:
        """What the headers of this version want to be told."""
        definitions = ["-D__HIP_PLATFORM_AMD__=1"]
        if self.toolchain.hip_version < (7,):
            definitions.append(SYNC_BUILTINS)
        return definitions

    def link(
        self,
        objects: Sequence[Path],
        targets: Iterable[Target],
        output: Path,
        flags: Sequence[str] = (),
        rdc: bool = False,
    ) -> list[str]:
        """The command that links objects to a program."""
        words = [str(self.toolchain.clang), *self.toolchain.base_flags, "--hip-link"]
        words += [f"--offload-arch={target.arch}" for target in targets]
        words += ["-fgpu-rdc"] if rdc else []
        words += ["-Wno-unused-command-line-argument", "-fno-color-diagnostics"]
        words += [str(path) for path in objects]
        return [*words, *flags, *self.toolchain.link_flags, "-o", str(output)]
