"""Case labels of status codes that HIP does not have, and so never returns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.definitions import guarded
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_GUARD = b"#if !defined(__HIP_PLATFORM_AMD__)  // HIP has no such code"
_CASE = re.compile(rb"\bcase\s+((?:\w+\s*::\s*)*(\w+))\s*:(?!:)")
_LABEL = re.compile(rb"\s*(?:case\b|default\s*:|\})")
# A section of one statement that leaves the switch, and the end of one before it.
_LEAVES = re.compile(rb"[^;{}]*;\s*break\s*;|\s*(?:return|throw)\b[^;{}]*;|\s*break\s*;")
_LEFT = re.compile(rb"(?:\bbreak|\breturn\b[^;{}]*|\bthrow\b[^;{}]*)\s*;\s*\Z|\{\s*\Z")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Keeps each such label, and what belongs to it alone, from AMD's compiler."""
    code = context.lexed.code
    if b"switch" not in code:
        return
    spans = [
        _section(code, Span(*case.span()))
        for case in _CASE.finditer(code)
        if is_missing(case[2], context) and not _is_guarded(context, case.start())
    ]
    if spans:
        edits = tuple(guarded(context.source, code, spans, _GUARD))
        yield Finding(RULE.id, Severity.NOTE, spans[0], "", "", edits)


def is_missing(name: bytes, context: Context) -> bool:
    """Whether a constant of CUDA's has no counterpart for this translation."""
    entry = context.database.get(name.decode())
    return (
        entry is not None
        and entry.kind == "enum constant"
        and not entry.rule
        and context.resolve(entry).name is None
    )


def is_case_label(site: Site, context: Context) -> bool:
    """Whether a name stands in a case label, which this rule takes care of."""
    line = context.source.line_span(site.span.start)
    return any(
        case.start(2) == site.span.start for case in _CASE.finditer(context.lexed.code, *line)
    )


def _section(code: bytes, label: Span) -> Span:
    """The label with its statements, where no other code comes to them; else the label alone."""
    if _LABEL.match(code, label.end) or not _LEFT.search(
        code, max(0, label.start - 400), label.start
    ):
        return label
    leaves = _LEAVES.match(code, label.end)
    if leaves is None or b"case" in leaves[0] or not _LABEL.match(code, leaves.end()):
        return label
    return Span(label.start, leaves.end())


def _is_guarded(context: Context, at: int) -> bool:
    """Whether a branch around the place is not AMD's, as after an earlier run."""
    return any(
        b"__HIP_PLATFORM_AMD__" in context.data[directive.start : directive.end]
        for directive in context.lexed.conditionals_around(at)
    )


RULE = Rule(
    id="missing-case",
    summary="Case labels of codes that HIP lacks, and so never returns, are left to NVIDIA.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cufft.h>\nconst char* f(cufftResult r) {\n  switch (r) {\n    case CUFFT_SUCCESS:\n"
            '      return "ok";\n    case CUFFT_LICENSE_ERROR:\n      return "license";\n    case CUFFT_INVALID_PLAN:\n'
            '      return "plan";\n  }\n  return "";\n}\n',
            "#include <hip/hip_runtime.h>\n#include <hipfft/hipfft.h>\nconst char* f(hipfftResult r) {\n  switch (r) {\n    case HIPFFT_SUCCESS:\n"
            '      return "ok";\n#if !defined(__HIP_PLATFORM_AMD__)  // HIP has no such code\n'
            '    case CUFFT_LICENSE_ERROR:\n      return "license";\n#endif\n    case HIPFFT_INVALID_PLAN:\n'
            '      return "plan";\n  }\n  return "";\n}\n',
        ),
        Rewrite(
            "#include <cufft.h>\nint f(cufftResult r) {\n  switch (r) {\n    case CUFFT_LICENSE_ERROR:\n"
            "    case CUFFT_INVALID_PLAN:\n      g();\n    default:\n      return 1;\n  }\n}\n",
            "#include <hip/hip_runtime.h>\n#include <hipfft/hipfft.h>\nint f(hipfftResult r) {\n  switch (r) {\n"
            "#if !defined(__HIP_PLATFORM_AMD__)  // HIP has no such code\n    case CUFFT_LICENSE_ERROR:\n#endif\n"
            "    case HIPFFT_INVALID_PLAN:\n      g();\n    default:\n      return 1;\n  }\n}\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nint f(int e) { switch (e) { case MINE: return 0; default: return 1; } }\n",
    ),
)
