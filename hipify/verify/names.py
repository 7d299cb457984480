"""CUDA's names and HIP's mean the same in what programs print, names of errors say."""

from __future__ import annotations

from hipify.mapping import Database


class Counterparts:
    """Tells whether a word is the HIP counterpart of another."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __call__(self, cuda: str, hip: str) -> bool:
        """Whether the port's word `hip` stands for the original's `cuda`."""
        entries = self._database.get_all(cuda)
        if any(hip in (entry.hip, entry.roc) for entry in entries):
            return True
        # two CUDA names of one HIP name: an error has one in the runtime and one in the driver
        mine = {entry.hip for entry in entries if entry.hip}
        theirs = {entry.hip for entry in self._database.get_all(hip) if entry.hip}
        return bool(mine & theirs)
