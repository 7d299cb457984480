"""Namespaces of CUDA's C++ libraries: `cub`, `thrust::cuda`, `nvcuda::wmma` and their aliases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import OPERATOR_WORDS, skip_space_back, word_before
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.mapping import MappingEntry
from hipify.rules import Rewrite, Rule
from hipify.sites import Site
from hipify.source import Span

_SCOPE = re.compile(rb"\s*::\s*([A-Za-z_]\w*)")
_ALIAS_END = re.compile(rb"\s*;")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Renames the longest known path `a::b::c` that starts here, where it is used as a namespace."""
    if _is_inner(site.span, context):
        return
    span, entry = _longest(site, context)
    if entry is None or not _is_used_as_namespace(span, context):
        return
    result = context.resolve(entry)
    if result.name is None:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            span,
            f"namespace {entry.cuda} has no counterpart and stays as it is",
            result.caveat,
        )
        return
    message = f"namespace {entry.cuda}: {result.caveat}" if result.caveat else ""
    edits: tuple[Edit, ...] = ()
    if result.name != entry.cuda:
        edits = (Edit(span.start, span.end, result.name.encode()),)
    if edits or message:
        severity = Severity.WARNING if message else Severity.NOTE
        yield Finding(RULE.id, severity, span, message, "", edits)


def _is_inner(span: Span, context: Context) -> bool:
    """Whether a scope stands before the name, whose own site covers the whole path."""
    at = skip_space_back(context.data, span.start, 0)
    word = word_before(context.data, at - 2)
    return context.data[at - 2 : at] == b"::" and bool(word) and word not in OPERATOR_WORDS


def _longest(site: Site, context: Context) -> tuple[Span, MappingEntry | None]:
    span, path = site.span, site.name
    best, entry = span, context.database.get(path)
    end = span.end
    while (match := _SCOPE.match(context.data, end)) is not None:
        end = match.end()
        path += "::" + match[1].decode()
        longer = context.database.get(path)
        if longer is not None:
            best, entry = Span(span.start, end), longer
    return best, entry


def _is_used_as_namespace(span: Span, context: Context) -> bool:
    """`cub::x`, `using namespace cub;` and `namespace c = cub;`, but not `namespace cub {` or a variable."""
    data = context.data
    before = word_before(data, span.start)
    if before == b"namespace":
        at = data.rfind(b"namespace", 0, span.start)
        return word_before(data, at) == b"using"
    if _SCOPE.match(data, span.end):
        return True
    return data[: span.start].rstrip().endswith(b"=") and bool(_ALIAS_END.match(data, span.end))


RULE = Rule(
    id="namespace",
    summary="cub, thrust::cuda, nvcuda::wmma: namespaces of CUDA's C++ libraries become ROCm's.",
    visit=visit,
    entry=lambda entry: entry.kind == "namespace",
    rewrites=(
        Rewrite(
            "#include <cub/cub.cuh>\nnamespace c = cub;\nusing namespace cub;\ntypedef ::cub::Y<3> Y;\nvoid f() { cub::DeviceReduce::Sum(); ::cub::X x; }\n",
            "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\nnamespace c = hipcub;\nusing namespace hipcub;\ntypedef ::hipcub::Y<3> Y;\nvoid f() { hipcub::DeviceReduce::Sum(); ::hipcub::X x; }\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nauto p = thrust::hip::par.on(s);\n",
        "#include <hip/hip_runtime.h>\nnamespace my { int cub; }\nint x = my::cub::f();\n",
    ),
)
