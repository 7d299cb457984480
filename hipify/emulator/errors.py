"""Errors of the emulator."""

from __future__ import annotations

from hipify.errors import HipifyError


class EmulatorError(HipifyError):
    """A tool is missing, or a code object is not understood."""
