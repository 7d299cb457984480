"""Sites: the places in a source file at which rules may have something to do."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from hipify.source import Span


class SiteKind(Enum):
    """What is found at a site."""

    NAME = "name"
    """An identifier that the database or a rule knows."""
    LAUNCH = "launch"
    """The `<<<` of a kernel launch."""
    INCLUDE = "include"
    """An `#include`; the name is the path, the span that of the path without delimiters."""
    LITERAL = "literal"
    """A string literal."""
    COMMENT = "comment"
    """A comment."""
    FILE = "file"
    """The file as a whole, visited after all other sites."""


class Site(NamedTuple):
    """One place. An uncertain site is one that tokens cannot decide (a macro body, say)."""

    kind: SiteKind
    name: str
    span: Span
    certain: bool = True
