"""Two case labels of CUDA's that become the same in HIP, which a switch must not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import closing
from hipify.context import Context
from hipify.edits import replace_all
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_SWITCH = re.compile(rb"\bswitch\s*(?=\()")
_CASE = re.compile(rb"\bcase\s+((?:\w+\s*::\s*)*(\w+))\s*:(?!:)")
_BODY = re.compile(rb"\s*\{")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes a label right behind its equal; reports one whose statements would never be reached."""
    code = context.lexed.code
    if b"switch" not in code:
        return
    for match in _SWITCH.finditer(code):
        close = closing(code, match.end(), len(code))
        body = _BODY.match(code, close + 1) if close >= 0 else None
        if body is None:
            continue
        end = closing(code, body.end() - 1, len(code))
        if end >= 0:
            yield from _duplicates(context, Span(body.end(), end))


def _duplicates(context: Context, body: Span) -> Iterator[Finding]:
    seen: dict[str, re.Match[bytes]] = {}
    for case in _CASE.finditer(context.lexed.code, *body):
        if _is_in_inner_switch(context.lexed.code, body.start, case.start()):
            continue
        name = _hip_name(case[2], context)
        if not name:
            continue
        first = seen.setdefault(name, case)
        if first[2] == case[2]:
            continue
        yield _duplicate(context, first, case, name)


def _duplicate(
    context: Context, first: re.Match[bytes], case: re.Match[bytes], name: str
) -> Finding:
    span = Span(*case.span())
    between = context.data[first.end() : case.start()]
    if not between.strip():
        edit = replace_all(first.end(), case.end(), b"")
        return Finding(RULE.id, Severity.NOTE, span, "", "", (edit,))
    return Finding(
        RULE.id,
        Severity.ERROR,
        span,
        f"{case[2].decode()} and {first[2].decode()} are both {name} in HIP, and a switch must not have a label twice",
        "merge the two cases, or leave this one to the other platform",
    )


def _is_in_inner_switch(code: bytes, start: int, at: int) -> bool:
    """Whether a switch within the body holds the place."""
    for match in _SWITCH.finditer(code, start, at):
        close = closing(code, match.end(), len(code))
        body = _BODY.match(code, close + 1) if close >= 0 else None
        if body is not None and closing(code, body.end() - 1, len(code)) > at:
            return True
    return False


def _hip_name(label: bytes, context: Context) -> str:
    entry = context.database.get(label.decode())
    return (context.resolve(entry).name or "") if entry is not None else ""


RULE = Rule(
    id="duplicate-case",
    summary="Case labels that HIP has one name for are merged where they stand together, else reported.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cusolverDn.h>\nint f(int s) {\n  switch (s) {\n    case CUSOLVER_STATUS_NOT_SUPPORTED:\n"
            "    case CUSOLVER_STATUS_IRS_NOT_SUPPORTED:\n      return 1;\n  }\n  return 0;\n}\n",
            "#include <hip/hip_runtime.h>\n#include <hipsolver/hipsolver.h>\nint f(int s) {\n  switch (s) {\n"
            "    case HIPSOLVER_STATUS_NOT_SUPPORTED:\n      return 1;\n  }\n  return 0;\n}\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cublas_v2.h>\nint f(int s) {\n  switch (s) {\n    case CUBLAS_GEMM_DEFAULT: return 1;\n"
            "    case CUBLAS_GEMM_DEFAULT_TENSOR_OP: return 2;\n  }\n  return 0;\n}\n",
            "a label twice",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nint f(hipError_t e) { switch (e) { case hipSuccess: return 0; default: return 1; } }\n",
    ),
)
