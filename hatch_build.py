"""Puts the mapping database into the wheel: the YAML, and the compiled form that start-up reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MappingsHook(BuildHookInterface[Any]):
    """Compiles `mappings/` for a wheel; an editable install reads the checkout instead."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds `hipify/_mappings` and `hipify/_compiled/mappings.bin` to the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from hipify.database.compiled import content_key, pack, write_compiled
            from hipify.database.source import read_folder
        finally:
            sys.path.remove(str(root))
        mappings = str(root / "mappings")
        compiled = root / "build" / "mappings.bin"
        payload = pack(*read_folder(mappings))
        if not write_compiled(str(compiled), payload, b"", content_key(mappings)):
            raise OSError(f"{compiled}: cannot be written")
        build_data["force_include"][str(compiled)] = "hipify/_compiled/mappings.bin"
        build_data["force_include"][mappings] = "hipify/_mappings"
