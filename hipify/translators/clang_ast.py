"""The second engine: sites as clang understands them, tokens where it has no answer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipify.errors import HipifyError
from hipify.finding import Finding, Severity
from hipify.sites import Site
from hipify.source import Span
from hipify.translators.clang.flags import Settings
from hipify.translators.clang.visitor import Verdict
from hipify.translators.text import TextTranslator, is_worth_a_site

if TYPE_CHECKING:
    from hipify.context import Context
    from hipify.lexer import Lexed
    from hipify.mapping import MappingEntry
    from hipify.options import Options
    from hipify.pipeline import Engine, Translation
    from hipify.translators.clang.oracle import Oracle, ParseError
    from hipify.translators.clang.session import Session

PARSE_ERROR = "parse-error"
"""The rule of findings about what clang cannot understand."""


class ClangTranslator(TextTranslator):
    """Takes clang's word on a name where it has one (`context.oracle`), else goes by the tokens."""

    def sites(self, context: Context) -> Iterator[Site]:
        """Sites of all kinds but FILE; with `active_only`, those that the preprocessor leaves."""
        oracle = context.oracle
        for site in super().sites(context):
            if (
                oracle is None
                or not context.options.active_only
                or not oracle.is_inactive(site.span.start)
            ):
                yield site

    def judged(
        self, context: Context, span: Span, name: str, entry: MappingEntry | None, in_macro: bool
    ) -> tuple[bool, bool]:
        """Whether there is a site at `span`, and whether that is certain."""
        oracle = context.oracle
        verdict = oracle.verdict(span.start) if oracle is not None else None
        if verdict is Verdict.OWN or verdict is Verdict.MEMBER:
            return False, True
        if verdict is Verdict.CUDA:
            return is_worth_a_site(context, name, entry), True
        return super().judged(context, span, name, entry, in_macro)[0], False


@cache
def session(settings: Settings) -> Session:
    """The session of this process for these settings.

    Raises ToolchainError where libclang or the headers are missing.
    """
    from hipify.pipeline import Engine
    from hipify.translators.clang.session import Session

    return Session(settings, Engine.default().database)


class ClangTranslation:
    """Translates with clang's help; called like `hipify.pipeline.translate_bytes`.

    With `strict`, what clang cannot understand is reported place by place, and a missing libclang
    is an error; without, the tokens decide where clang cannot, and one note says how often.
    """

    def __init__(self, settings: Settings = Settings(), strict: bool = True) -> None:  # noqa: B008
        self.settings, self.strict = settings, strict

    def __call__(
        self,
        data: bytes,
        options: Options,
        path: str = "<stdin>",
        engine: Engine | None = None,
        **more: Any,
    ) -> Translation:
        """The translation of one source text; `path` is where it lies, so that includes are found.

        Raises ToolchainError where `strict` and libclang or the headers are missing.
        """
        from hipify.pipeline import translate_bytes

        errors: tuple[ParseError, ...] = ()

        def ask(lexed: Lexed) -> Oracle | None:
            nonlocal errors
            try:
                oracle = session(self.settings).oracle(Path(path), lexed)
            except HipifyError:
                if self.strict:
                    raise
                return None
            errors = oracle.errors
            return oracle

        translation = translate_bytes(data, options, path, engine, ask=ask, **more)
        if not errors:
            return translation
        findings = sorted(
            (*translation.findings, *self._errors(translation, errors)),
            key=lambda f: (f.span, f.rule, f.message),
        )
        return translation._replace(findings=tuple(findings))

    def _errors(
        self, translation: Translation, errors: tuple[ParseError, ...]
    ) -> Iterator[Finding]:
        source = translation.source
        for error in errors:
            here = os.path.abspath(source.path) == error.path  # noqa: PTH100
            line = min(error.line, len(source.line_starts)) if here else 1
            start = min(source.line_starts[line - 1] + max(error.column - 1, 0), len(source.data))
            where = "" if here else f"{error.path}:{error.line}: "
            if self.strict:
                yield Finding(
                    PARSE_ERROR,
                    Severity.WARNING,
                    Span(start if here else 0, start if here else 0),
                    f"clang cannot understand this place: {where}{error.message}",
                    "the tokens decided here; name include folders and macros or check it",
                )
        if not self.strict:
            first = errors[0]
            yield Finding(
                PARSE_ERROR,
                Severity.NOTE,
                Span(0, 0),
                f"clang found {len(errors)} errors in this file and its headers, the first at "
                f"{first.path}:{first.line}: {first.message}",
                "the tokens decided where clang could not; name include folders and macros",
            )
