"""Findings in the words and forms of AMD's warnings, for scripts that read those."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.compat.translate import Translated, speaks_up
from hipify.finding import Finding
from hipify.mapping import MappingEntry
from hipify.source import Span
from hipify.translators.clang_ast import PARSE_ERROR

_TARGETS = {"hip": "HIP", "roc": "ROC", "miopen": "MIOPEN"}
_CLANG_TARGETS = {"hip": "'HIP'", "roc": "'ROC'", "miopen": "'MIOPEN'"}
_MISSING = frozenset(("unsupported-api", "namespace"))


def perl_warnings(translated: Translated, whitelist: frozenset[str]) -> list[str]:
    """hipify-perl's lines, in order of place: `  file:line: warning: ...`."""
    source = translated.translation.source
    found = [
        (span, text)
        for span, name, text in _perl(translated)
        if name.partition("::")[0] not in whitelist and name not in whitelist
    ]
    lines = []
    for span, text in sorted(found):
        line = source.position(span.start)[0]
        shown = source.data[slice(*source.line_span(span.start))].decode("utf-8", "replace")
        place = f"{source.path}:{line}"
        lines.append(text.format(place=place, file=source.path, line=line, text=shown.rstrip()))
    return lines


def _perl(translated: Translated) -> Iterator[tuple[Span, str, str]]:
    """Place, name and form of each warning; braces in the form are filled in by the caller."""
    for entry, span, what, since in _dated_uses(translated):
        tool = "CUDNN" if entry.library == "dnn" else "CUDA"
        text = f"{what} {tool} identifier: {entry.cuda} since {tool} {since}"
        yield span, entry.cuda, f"  {{place}}: warning: {text}"
    for finding in filter(speaks_up, translated.translation.findings):
        name = translated.name_at(finding)
        if finding.rule == "unknown-name":
            yield finding.span, name, "  warning: {file}:#{line} : {text}"
            continue
        yield finding.span, name, f"  {{place}}: warning: {_perl_text(translated, finding, name)}"


def _perl_text(translated: Translated, finding: Finding, name: str) -> str:
    entry = translated.engine.database.get(name)
    if finding.rule in _MISSING and entry is not None:
        result = translated.resolve(entry)
        if result.status == "experimental":
            return f"experimental ROCm HIP identifier: {name} {result.since}".rstrip()
        if entry.kind == "device function":
            return f'unsupported device function "{name}": {{text}}'
        if entry.kind == "device type":
            return f"unsupported device data type identifier: {name}"
        return f"unsupported {_TARGETS[translated.options.target]} identifier: {name}"
    return _braced(_own_words(finding))


def clang_warnings(translated: Translated) -> list[str]:
    """hipify-clang's warnings: `file:line:column: warning: ...`, the source line and a caret."""
    source = translated.translation.source
    found = [
        (span, f"'{entry.cuda}' is {what} in CUDA.")
        for entry, span, what, _ in _dated_uses(translated)
        if what == "deprecated"
    ]
    found += [
        (finding.span, _clang_text(translated, finding))
        for finding in filter(speaks_up, translated.translation.findings)
        if finding.rule != PARSE_ERROR
    ]
    blocks = []
    for span, text in sorted(found):
        line, column = source.position(span.start)
        shown = source.data[slice(*source.line_span(span.start))].decode("utf-8", "replace")
        indent = "".join("\t" if char == "\t" else " " for char in shown[: column - 1])
        blocks.append(
            f"{source.path}:{line}:{column}: warning: {text}\n{shown.rstrip()}\n{indent}^"
        )
    return blocks


def clang_errors(translated: Translated) -> list[str]:
    """What clang could not understand, as it says it: `file:line:column: error: ...`."""
    source = translated.translation.source
    lines = []
    for finding in translated.translation.findings:
        if finding.rule == PARSE_ERROR:
            line, column = source.position(finding.span.start)
            lines.append(f"{source.path}:{line}:{column}: error: {finding.message}")
    return lines


def _clang_text(translated: Translated, finding: Finding) -> str:
    name, target = translated.name_at(finding), _CLANG_TARGETS[translated.options.target]
    entry = translated.engine.database.get(name)
    if finding.rule in _MISSING and entry is not None:
        if translated.resolve(entry).status == "experimental":
            return (
                f"'{name}' is experimental in {target}; "
                "to hipify it, use the '--experimental' option."
            )
        return f"'{name}' is unsupported in {target}."
    if finding.rule == "include" and translated.engine.database.header(name) is not None:
        return f"'{name}' is unsupported header in {target}."
    return _own_words(finding)


def _dated_uses(translated: Translated) -> Iterator[tuple[MappingEntry, Span, str, str]]:
    """Each use of a name that CUDA deprecated or removed, and the version that did."""
    for name, span in translated.translation.used:
        entry = translated.engine.database.get(name)
        if entry is None:
            continue
        for what in ("deprecated", "removed"):
            since = entry.cuda_versions.get(what)
            if since:
                yield entry, span, what, str(since) if isinstance(since, str) else "?"


def _own_words(finding: Finding) -> str:
    return f"{finding.message} ({finding.remedy})" if finding.remedy else finding.message


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
