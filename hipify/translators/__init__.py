"""Translators find the sites of a source file; rules decide what to do there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from hipify.sites import Site

if TYPE_CHECKING:
    from hipify.context import Context


class Translator(Protocol):
    """Finds sites. It changes nothing and has no opinion on what a site becomes."""

    def sites(self, context: Context) -> Iterable[Site]:
        """All sites of the file, in the order of their offsets within a kind."""
        ...
