"""What a rule has to say about a place in a source file."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from hipify.edits import Edit
from hipify.source import Span


class Severity(IntEnum):
    """How much a finding matters for the port."""

    NOTE = 0
    """Worth knowing; the port compiles and computes the same."""
    WARNING = 1
    """The port may compile and still behave differently: a person must look."""
    ERROR = 2
    """The port cannot compile or is known to be wrong at this place."""

    @property
    def label(self) -> str:
        """The severity as it is printed: `note`, `warning` or `error`."""
        return self.name.lower()


class Finding(NamedTuple):
    """One result of one rule at one place, with the edits that it wants, if any.

    `message` says what is there and what happens on AMD, `remedy` what to do.
    A finding with an empty message is a plain rewrite: nothing to tell, only edits.
    """

    rule: str
    severity: Severity
    span: Span
    message: str
    remedy: str = ""
    edits: tuple[Edit, ...] = ()
