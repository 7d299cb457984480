"""nvcc includes its runtime header by itself; a HIP file must say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import PurePath

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Directive
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import BOM

_HEADER = b"#include <hip/hip_runtime.h>"
_INCLUDE = rb"\#[ \t]*include[ \t]*[<\"]"
_RUNTIME = re.compile(
    _INCLUDE + rb"(?:hip/hip_runtime(?:_api)?|cuda|cuda_runtime|cuda_runtime_api)\.h[>\"]"
)
"""An include that brings HIP's runtime functions, now or once it is translated."""
_MAIN = re.compile(_INCLUDE + rb"(?:hip/hip_runtime|cuda|cuda_runtime)\.h[>\"]")
"""An include that brings the launch syntax and device code as well."""
_DEVICE_CODE = re.compile(rb"\b__(?:global|device|host)__\b")
_DEVICE_GUARD = re.compile(rb"CUDACC|NVCC|HIPCC|CUDA_ARCH|HIP_|_HIP|CUDA")
_CUDA_FILES = frozenset((".cu", ".cuh"))
# Fragments are included in the middle of something: an #include there could land in a namespace.
_FRAGMENTS = frozenset((".inl", ".inc", ".ipp", ".tpp"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Adds the main header once, where the file uses HIP and no include brings it, and ours."""
    extension = PurePath(context.source.path).suffix.lower()
    always = context.options.always_header and extension in _CUDA_FILES
    present = _runtime_include(context, _MAIN if always else _RUNTIME)
    lines = []
    if not (context.nested or extension in _FRAGMENTS or present) and (
        always or _needs_header(context, extension)
    ):
        lines.append(_HEADER)
    ours = _support_includes(context)
    if ours:
        yield from _caveat(site, context, extension)
    if extension not in _FRAGMENTS:
        lines += ours
    if not lines:
        return
    if _HEADER in lines or present is None or present.around:
        at = _place(context)
    else:
        at = _next_line(context.data, present.end)
    newline = context.source.newline
    text = b"".join(line + newline for line in lines)
    if at > 0 and not context.data[:at].endswith((b"\n", BOM)):
        text = newline + text
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(at, at, text),))


def _runtime_include(context: Context, wanted: re.Pattern[bytes]) -> Directive | None:
    """The first include of a header that is `wanted`."""
    for directive in context.lexed.directives:
        if directive.name == b"include":
            line = context.data[directive.start : directive.end]
            if wanted.match(line):
                return directive
    return None


def _support_includes(context: Context) -> list[bytes]:
    """Includes of headers of ours that the file's edits need and that it does not have yet."""
    return [
        b'#include "%s%s"' % (context.way_up.encode(), name.encode())
        for name in sorted(context.support_headers)
        if not re.search(rb'#[ \t]*include[ \t]*["<][./]*%s[">]' % name.encode(), context.data)
    ]


def _caveat(site: Site, context: Context, extension: str) -> Iterator[Finding]:
    """What a person must do for headers of ours where an include alone does not bring them."""
    names = ", ".join(sorted(context.support_headers))
    if context.nested:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"code that is compiled at run time now includes {names}",
            "give the run-time compiler the folder that holds it (-I), or its text as a header",
        )
    elif extension in _FRAGMENTS:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"this fragment uses functions of {names}, which it cannot include: "
            "it may be inside a namespace or function itself",
            "include the header in the file that includes this fragment",
        )


def _needs_header(context: Context, extension: str) -> bool:
    if extension in _CUDA_FILES or extension == "":
        launches = any(map(context.launch_at, context.lexed.launches))
        device_code = _DEVICE_CODE.search(context.lexed.code)
        return bool(context.used or launches or device_code)
    edited = (
        edit.start
        for edit in chain(
            (e for found in context.findings if found.rule != "include" for e in found.edits),
            context.renames,
        )
        if not _is_condition(context.lexed.directive_at(edit.start))
    )
    device = (match.start() for match in _DEVICE_CODE.finditer(context.lexed.code))
    return any(not _is_guarded(context, at) for places in (edited, device) for at in places)


def _is_condition(directive: Directive | None) -> bool:
    """Whether a directive asks something, which a plain compiler can answer without HIP."""
    return directive is not None and directive.name != b"define"


def _is_guarded(context: Context, offset: int) -> bool:
    """Whether `offset` is in a branch that only a CUDA or HIP compiler sees."""
    return any(
        _DEVICE_GUARD.search(context.data[directive.start : directive.end])
        and not _is_include_guard(context, directive)
        for directive in context.lexed.conditionals_around(offset)
    )


def _is_include_guard(context: Context, directive: Directive) -> bool:
    guard = _include_guard(context.lexed.directives, context.data)
    return guard is not None and guard[0] is directive


def _include_guard(directives: list[Directive], data: bytes) -> tuple[Directive, Directive] | None:
    """The `#ifndef X` and `#define X` that open the file, if they do."""
    for first, second in pairwise(directives):
        if first.name == b"pragma":
            continue
        if first.name not in (b"ifndef", b"if") or second.name != b"define":
            return None
        words = re.findall(rb"\w+", data[second.start : second.end])
        tested = re.findall(rb"\w+", data[first.start : first.end])
        if len(words) >= 2 and words[1] in tested and len(words) == 2:
            return first, second
        return None
    return None


def _place(context: Context) -> int:
    """After `#pragma once` or the include guard, else before the first include, else at the top."""
    directives, data = context.lexed.directives, context.data
    if context.options.always_header:
        guard = _include_guard([d for d in directives if d.name != b"pragma"], data)
        if guard is not None and guard[0] is directives[0]:
            return _next_line(data, guard[0].end)
    for directive in directives:
        if directive.name == b"pragma" and data[directive.start : directive.end].split()[1:] == [
            b"once"
        ]:
            return _next_line(data, directive.end)
    guard = _include_guard(directives, data)
    if guard is not None:
        return _next_line(data, guard[1].end)
    outermost = 0
    for directive in directives:
        if not directive.around:
            outermost = directive.start
        if directive.name == b"include":
            return data.rfind(b"\n", 0, outermost) + 1 or _top(data)
    return _top(data)


def _top(data: bytes) -> int:
    return len(BOM) if data.startswith(BOM) else 0


def _next_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return end + 1 if end >= 0 else len(data)


RULE = Rule(
    id="main-header",
    summary="A file that uses HIP includes <hip/hip_runtime.h>, which nvcc's own header was for free.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cstdio>\n__global__ void k() {}\n",
            "#include <hip/hip_runtime.h>\n#include <cstdio>\n__global__ void k() {}\n",
        ),
        Rewrite(
            "#ifndef A_H\n#define A_H\nvoid f(cudaStream_t s);\n#endif\n",
            "#ifndef A_H\n#define A_H\n#include <hip/hip_runtime.h>\nvoid f(hipStream_t s);\n#endif\n",
        ),
        Rewrite(
            "\ufeff#pragma once\r\nvoid f(cudaStream_t s);",
            "\ufeff#pragma once\r\n#include <hip/hip_runtime.h>\r\nvoid f(hipStream_t s);",
        ),
    ),
    diagnoses=(
        Diagnosis(
            'const char* k = R"(\n'
            'extern "C" __global__ void k(int* v) { *v = __shfl_sync(~0u, *v, 0); }\n'
            ')";\n',
            "compiled at run time",
        ),
    ),
    keeps=("int main() {}\n", "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"),
)
