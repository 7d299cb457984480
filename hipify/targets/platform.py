"""What `hipify run` and `hipify verify` ask of a platform: devices, and programs built for them.

A platform is a module in `hipify/targets/platforms` with an object PLATFORM; it is found there by
its name, and nothing else has to know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hipify.errors import UsageError
from hipify.options import Options
from hipify.walk import Selection


@dataclass(frozen=True)
class Device:
    """A GPU, or what stands for one: its name, its architecture as compilers call it, and facts."""

    name: str
    arch: str
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """What is to be built, into which folder, and how. Without `translate` it is HIP already."""

    paths: tuple[Path, ...]
    out: Path
    include: tuple[Path, ...] = ()
    define: tuple[str, ...] = ()
    std: str = ""
    link: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    selection: Selection = field(default_factory=Selection)
    translate: bool = True
    debug: bool = False
    """Whether addresses in the program can be led back to source lines."""
    jobs: int = 1


@dataclass(frozen=True)
class Executable:
    """A program: how to start it (`prefix`, then `path`) and what goes into its environment."""

    name: str
    path: Path
    prefix: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """The programs of a tree, and why others are not among them.

    `origin` leads a compiled file and line back to the user's, None for those that are the user's.
    """

    programs: tuple[Executable, ...]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    origin: Callable[[str, int], tuple[str, int] | None] = lambda file, line: None


class Platform(Protocol):
    """Something that programs can be built for and run on."""

    @property
    def name(self) -> str:
        """What `--platform` calls it."""

    def devices(self) -> tuple[Device, ...]:
        """The devices of this machine.

        Raises ToolchainError that says in clear words why there is none.
        """

    def build(self, job: Job, archs: tuple[str, ...]) -> Built:
        """Builds the port for these architectures, for those of the devices when none are given.

        Raises HipifyError where it cannot begin; faults of the code are in the result.
        """


def platform_names() -> list[str]:
    """The platforms of this installation, sorted."""
    import pkgutil

    import hipify.targets.platforms

    return sorted(module.name for module in pkgutil.iter_modules(hipify.targets.platforms.__path__))


def platform(name: str) -> Platform:
    """The platform of a name. Raises UsageError for one that is not known."""
    from importlib import import_module

    if name not in platform_names():
        raise UsageError(f"unknown platform {name!r}: known are {', '.join(platform_names())}")
    found: Platform = import_module(f"hipify.targets.platforms.{name}").PLATFORM
    return found
