"""Errors of the emulator."""

from __future__ import annotations

from hipify.errors import HipifyError


class EmulatorError(HipifyError):
    """The emulator cannot do what it was asked: a tool is missing, or a code object is not understood."""
