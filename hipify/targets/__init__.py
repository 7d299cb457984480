"""What a program can be built for: a platform and an architecture of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Target:
    """One device architecture, `Target("amd", "gfx942")`.

    `arch` is as the compiler takes it: target features may follow, as in `gfx90a:xnack-`.
    """

    platform: str
    arch: str

    @property
    def processor(self) -> str:
        """The architecture without its features: `gfx90a` of `gfx90a:xnack-`."""
        return self.arch.partition(":")[0]
