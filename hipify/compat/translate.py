"""One file for AMD's commands: read, translated and kept with what their output needs to know."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hipify.errors import SourceError
from hipify.finding import Finding, Severity
from hipify.lexer import lex
from hipify.mapping import HeaderEntry, MappingEntry, Resolution, resolve
from hipify.options import Options
from hipify.pipeline import Engine, Translation, translate_bytes
from hipify.sites import Site
from hipify.translators.text import include_sites
from hipify.tree import disk
from hipify.tree.file import local_header_exists

Translate = Callable[..., Translation]


class Translated(NamedTuple):
    """A translation with the includes and the number of launches that its source had."""

    translation: Translation
    options: Options
    engine: Engine
    includes: tuple[Site, ...]
    launches: int
    seconds: float

    def resolve(self, entry: MappingEntry | HeaderEntry) -> Resolution:
        """What the entry becomes under the options of this translation."""
        return resolve(entry, self.options.target, self.options.rocm, self.options.experimental)

    def name_at(self, finding: Finding) -> str:
        """The source text that the finding speaks of."""
        start, end = finding.span
        return self.translation.source.data[start:end].decode("utf-8", "replace")


def translate_source(
    name: str, path: Path, options: Options, translate: Translate = translate_bytes
) -> Translated:
    """Translates the bytes of `path` as those of the file called `name`.

    Raises SourceError where the file cannot be read or its edits conflict.
    """
    begun = time.perf_counter()
    data, _ = disk.read(path)
    disk.require_text(data)
    folder = Path(name).absolute().parent
    translation = translate(
        data,
        options,
        os.fspath(name),
        exists=partial(_is_own_header, folder=folder),
    )
    for finding in translation.findings:
        if finding.rule == "edit-conflict":
            raise SourceError(f"{name}: {finding.message} ({finding.remedy})")
    lexed = lex(data, frozenset())
    return Translated(
        translation,
        options,
        Engine.default(),
        tuple(include_sites(lexed)),
        len(lexed.launches),
        time.perf_counter() - begun,
    )


def _is_own_header(name: str, folder: Path) -> bool:
    """Whether a quoted include means the user's own file.

    AMD's tools translate every path that they know; only samples' helpers, which people copy into
    their trees, are looked for.
    """
    header = Engine.default().database.header(name)
    known = header is not None and not header.local
    return not known and local_header_exists(name, folder, folder)


def speaks_up(finding: Finding) -> bool:
    """Whether a finding is one that AMD's tools would have to warn about."""
    return finding.severity >= Severity.WARNING
