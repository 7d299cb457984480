"""From bytes to translated bytes: translator, rules, edits. Files are read in `hipify.tree`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hipify.context import Context
from hipify.edits import Edit, ordered, splice
from hipify.errors import EditConflictError
from hipify.finding import Finding, Severity
from hipify.lexer import Lexed, lex
from hipify.mapping import Database
from hipify.options import Options
from hipify.rules import Dispatch, all_rules
from hipify.sites import Site, SiteKind
from hipify.source import SourceFile, Span
from hipify.translators import Translator
from hipify.translators.text import TextTranslator

if TYPE_CHECKING:
    from hipify.translators.clang.oracle import Oracle


class Translation(NamedTuple):
    """One translated file.

    `findings` are those with something to tell, in order of place; `used` holds each use of a CUDA
    name. `support_headers` names headers of ours that the output includes. `engine` is what read
    the file: `text`, or `ast-` and the kind of CUDA headers, `toolkit`, `wheels` or `stubs`;
    `doubtful` counts the names that it could not be certain of.
    """

    source: SourceFile
    data: bytes
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    used: tuple[tuple[str, Span], ...]
    support_headers: frozenset[str]
    engine: str = "text"
    doubtful: int = 0

    @property
    def changed(self) -> bool:
        """Whether the output differs from the source."""
        return self.data != self.source.data

    @property
    def worst(self) -> Severity | None:
        """The highest severity among the findings."""
        return max((finding.severity for finding in self.findings), default=None)


class Engine:
    """The database, the rules and the vocabulary, put together once a process."""

    def __init__(self, database: Database, dispatch: Dispatch) -> None:
        self.database = database
        self.dispatch = dispatch
        self.vocabulary = frozenset(
            name.encode() for names in (database.names(), dispatch.names) for name in names
        )

    @classmethod
    @cache
    def default(cls) -> Engine:
        """The engine of the installed database and all rules."""
        return cls(Database.load(), Dispatch(all_rules()))


def translate_bytes(
    data: bytes,
    options: Options = Options(),  # noqa: B008 - frozen
    path: str = "<stdin>",
    engine: Engine | None = None,
    nested: bool = False,
    exists: Callable[[str], bool] = lambda name: False,
    way_up: str = "",
    ask: Callable[[Lexed], Oracle | None] | None = None,
) -> Translation:
    """The translation of one source text.

    `path` names the file in findings, and its extension says what kind of source it is. `nested`
    marks a text inside a string literal (a runtime-compiled kernel), which gets no main header.
    `exists` and `way_up` are as in Context: whether an include names a file of the user's own, and
    the way to our support headers, `../` for a folder below theirs.
    `ask` gives what clang knows about the file, for the AST engine.
    Any bytes are accepted. Edits that conflict leave the text as it was, with an error finding.
    """
    engine = engine or Engine.default()
    source = SourceFile(path, data)
    lexed = lex(data, engine.vocabulary)
    oracle = ask(lexed) if ask is not None else None
    context = Context(source, lexed, engine, options, nested, exists, way_up, oracle)
    translator: Translator = TextTranslator()
    if oracle is not None:
        from hipify.translators.clang_ast import ClangTranslator

        translator = ClangTranslator()
    visit_all(context, engine.dispatch, translator)
    return _finished(context)


def translate_nested(code: bytes, around: Context) -> Translation:
    """The translation of a text inside a string literal of the file that `around` stands for."""
    return translate_bytes(code, around.options, around.source.path, around.engine, nested=True)


def visit_all(context: Context, dispatch: Dispatch, translator: Translator) -> None:
    """Takes every site of the file through the rules that want it, file rules last."""
    findings, used, get = context.findings, context.used, context.database.get
    renamed: dict[str, bytes] = {}
    for site in translator.sites(context):
        if site.kind is not SiteKind.NAME:
            for rule in dispatch.for_kind(site.kind):
                findings.extend(rule.visit(site, context))
            continue
        name, span = site.name, site.span
        entry = get(name)
        if entry is not None:
            used.append((name, span))
            context.doubtful += not site.certain
        text = renamed.get(name)
        if text is not None:
            context.renames.append(Edit(span.start, span.end, text))
            continue
        rules = dispatch.for_name(name, entry)
        found = [finding for rule in rules for finding in rule.visit(site, context)]
        findings.extend(found)
        text = _plain_rename(site, found)
        if text is not None and all(rule.by_name for rule in rules):
            renamed[name] = text
    end = Site(SiteKind.FILE, context.source.path, Span(0, len(context.data)))
    for rule in dispatch.for_kind(SiteKind.FILE):
        findings.extend(rule.visit(end, context))


def _plain_rename(site: Site, found: list[Finding]) -> bytes | None:
    """The new name, if all that was found is that the name becomes another."""
    if len(found) != 1 or found[0].message or len(found[0].edits) != 1:
        return None
    edit = found[0].edits[0]
    return edit.text if edit == Edit(site.span.start, site.span.end, edit.text) else None


def _finished(context: Context) -> Translation:
    findings = context.findings
    try:
        made = [edit for found in findings for edit in found.edits]
        edits = ordered(context.data, made + context.renames)
        data = splice(context.data, edits)
    except EditConflictError as error:
        edits, data = [], context.data
        findings.append(_conflict(context, error))
    told = sorted((f for f in findings if f.message), key=lambda f: (f.span, f.rule, f.message))
    return Translation(
        context.source,
        data,
        tuple(edits),
        tuple(told),
        tuple(context.used),
        frozenset(context.support_headers | context.placed_headers),
        "text" if context.oracle is None else f"ast-{context.oracle.level}",
        context.doubtful,
    )


def _conflict(context: Context, error: EditConflictError) -> Finding:
    return Finding(
        "edit-conflict",
        Severity.ERROR,
        Span(0, 0),
        f"the file was left as it is: {error}",
        "please report this file: two rules want the same bytes",
    )
