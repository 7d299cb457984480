"""The programs of the corpus, as their manifest describes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CORPUS = Path(__file__).resolve().parents[2] / "corpus"


@dataclass(frozen=True)
class Program:
    """One folder of the corpus. `excluded` are targets that it is not for, with the reason.

    `images` are files of device code that the program loads, each with its source.
    """

    name: str
    title: str
    libraries: tuple[str, ...]
    excluded: tuple[str, ...]
    reason: str
    images: tuple[tuple[str, str], ...]

    @property
    def folder(self) -> Path:
        """Where its sources are."""
        return CORPUS / self.name

    @property
    def needs_library(self) -> bool:
        """Whether it needs more than the runtime, the driver and run-time compilation."""
        return not set(self.libraries) <= {"runtime", "driver", "nvrtc"}


def programs() -> list[Program]:
    """All programs, by name."""
    manifest = yaml.safe_load((CORPUS / "manifest.yaml").read_text(encoding="utf-8"))
    return [_program(name, entry) for name, entry in sorted(manifest["programs"].items())]


def _program(name: str, entry: dict[str, Any]) -> Program:
    targets = entry["targets"]
    excluded = () if targets == "all" else tuple(targets["except"])
    reason = "" if targets == "all" else targets["because"]
    images = tuple(entry.get("images", {}).items())
    return Program(name, entry["title"], tuple(entry["libraries"]), excluded, reason, images)
