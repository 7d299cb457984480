"""How long each kernel ran, measured by CUPTI in both programs alike."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "cupti" / "kernel_times.cpp"


@dataclass(frozen=True)
class KernelTime:
    """All launches of one kernel; the name is as the linker has it."""

    name: str
    nanoseconds: int
    launches: int


@dataclass(frozen=True)
class Ratios:
    """Times of the port over those of the original: of all kernels together, and of each."""

    total: float
    kernels: dict[str, float]

    @property
    def median(self) -> float:
        """The median over the kernels."""
        return statistics.median(self.kernels.values())


def read_times(output: Path) -> dict[str, KernelTime]:
    """The kernels by name; empty when nothing was written."""
    if not output.is_file():
        return {}
    found = {}
    for line in output.read_text("utf-8", "replace").splitlines():
        nanoseconds, launches, name = line.split("\t", 2)
        found[name] = KernelTime(name, int(nanoseconds), int(launches))
    return found


def ratios(original: dict[str, KernelTime], port: dict[str, KernelTime]) -> Ratios | None:
    """The ratios for the kernels that both sides ran; None when there are none."""
    common = [name for name in original if name in port and original[name].nanoseconds]
    if not common:
        return None
    each = {name: port[name].nanoseconds / original[name].nanoseconds for name in common}
    totals = [sum(side[name].nanoseconds for name in common) for side in (original, port)]
    return Ratios(totals[1] / totals[0], each)
