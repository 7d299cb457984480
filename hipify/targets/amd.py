"""The AMD architectures that hipify knows, and what a port must know about each."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from os.path import commonprefix

from hipify.errors import UsageError
from hipify.targets import Target

PLATFORM = "amd"
FEATURES = ("xnack", "sramecc")


@dataclass(frozen=True)
class AmdArch:
    """Facts about one architecture; `wave` is the default wavefront size in lanes."""

    name: str
    wave: int
    family: str
    products: str


ARCHS: dict[str, AmdArch] = {
    arch.name: arch
    for arch in (
        AmdArch("gfx906", 64, "GCN 5.1", "Radeon VII, Instinct MI50, MI60"),
        AmdArch("gfx908", 64, "CDNA 1", "Instinct MI100"),
        AmdArch("gfx90a", 64, "CDNA 2", "Instinct MI210, MI250, MI250X"),
        AmdArch("gfx942", 64, "CDNA 3", "Instinct MI300A, MI300X, MI325X"),
        AmdArch("gfx950", 64, "CDNA 4", "Instinct MI350X, MI355X"),
        AmdArch("gfx1030", 32, "RDNA 2", "Radeon RX 6800, RX 6900, PRO W6800"),
        AmdArch("gfx1100", 32, "RDNA 3", "Radeon RX 7900, PRO W7800, PRO W7900"),
        AmdArch("gfx1101", 32, "RDNA 3", "Radeon RX 7700 XT, RX 7800 XT, PRO W7700"),
        AmdArch("gfx1102", 32, "RDNA 3", "Radeon RX 7600"),
        AmdArch("gfx1150", 32, "RDNA 3.5", "Radeon 880M, 890M"),
        AmdArch("gfx1151", 32, "RDNA 3.5", "Radeon 8050S, 8060S"),
        AmdArch("gfx1200", 32, "RDNA 4", "Radeon RX 9060 XT"),
        AmdArch("gfx1201", 32, "RDNA 4", "Radeon RX 9070, RX 9070 XT"),
    )
}


def amd_target(text: str) -> Target:
    """The target that a user names, `gfx942` or `gfx90a:sramecc+:xnack-`.

    Raises UsageError with near misses for an architecture or a feature that is not known.
    """
    name, *features = text.strip().lower().split(":")
    if name not in ARCHS:
        near = get_close_matches(name, ARCHS, n=len(ARCHS), cutoff=0.6)
        # of equally near names those that start alike
        near = sorted(near, key=lambda known: -len(commonprefix((known, name))))[:3]  # noqa: RUF071
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(ARCHS)}"
        raise UsageError(f"unknown architecture {text!r}: {hint}")
    for feature in features:
        if feature[:-1] not in FEATURES or feature[-1:] not in ("+", "-"):
            raise UsageError(
                f"unknown target feature {feature!r} in {text!r}: "
                f"use {' or '.join(FEATURES)} followed by + or -"
            )
    return Target(PLATFORM, ":".join((name, *features)))


def amd_targets(text: str) -> tuple[Target, ...]:
    """The targets of a list with commas, in its order and each once.

    Raises UsageError for an empty list and for what `amd_target` refuses.
    """
    targets = tuple(dict.fromkeys(amd_target(part) for part in text.split(",") if part.strip()))
    if not targets:
        raise UsageError("no architecture given: for example gfx90a,gfx942,gfx1100")
    return targets
