"""CUDA names inside string literals: kernels for run-time compilation, and mere messages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_NAME = re.compile(
    rb"\b(?:cuda[A-Z]\w+|cu[A-Z][a-z]\w+|cu(?:blas|fft|rand|sparse|solver|dnn)[A-Z]\w+)"
)
_KERNEL = re.compile(rb"\b__(?:global|device)__\b")
_RAW = re.compile(rb'(?:u8|[uUL])?R"([^(]*)\((.*)\)\1"\Z', re.DOTALL)
# One of these is in every literal that is worth a look.
_HINTS = (b"cu", b"CU", b"__", b".version", b".target", b".visible")
_PTX = re.compile(rb"\.version\s+\d|\.target\s+sm_|\.visible\s+\.entry")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Translates a raw string that holds kernels as a unit of its own; else says what it holds."""
    text = context.text(site.span)
    if not any(hint in text for hint in _HINTS):
        return
    if _PTX.search(text):
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            "this string holds PTX, NVIDIA's assembly, which AMD GPUs cannot load",
            "compile the kernel's C++ source with hipRTC instead",
        )
    elif _KERNEL.search(text):
        yield from _kernel(site, context, text)
    elif context.options.strings:
        yield from _renamed(site, context)
    elif context.nested:
        return
    else:
        name = _NAME.search(text)
        if name is not None and context.database.get(name[0].decode()) is not None:
            place = Span(site.span.start + name.start(), site.span.start + name.end())
            yield Finding(
                RULE.id,
                Severity.NOTE,
                place,
                f"a string holds the CUDA name {name[0].decode()}; strings stay as they are",
                "change the text by hand if a user reads it or a program looks the name up",
            )


def _renamed(site: Site, context: Context) -> Iterator[Finding]:
    """Renames the CUDA names in a text, as AMD's translators do."""
    for match in _NAME.finditer(context.text(site.span)):
        entry = context.database.get(match[0].decode())
        name = context.resolve(entry).name if entry is not None else None
        if name is not None and name != match[0].decode():
            place = Span(site.span.start + match.start(), site.span.start + match.end())
            edit = Edit(place.start, place.end, name.encode())
            yield Finding(RULE.id, Severity.NOTE, place, "", "", (edit,))


def _kernel(site: Site, context: Context, text: bytes) -> Iterator[Finding]:
    match = _RAW.match(text)
    if match is None:
        if any(context.database.get(name.decode()) for name in _NAME.findall(text)):
            yield Finding(
                RULE.id,
                Severity.WARNING,
                site.span,
                "a string with escapes holds device code that names CUDA; it stays as it is",
                "write it as a raw string, which is translated, or change it by hand",
            )
        return
    yield from _nested(site.span.start + match.start(2), match[2], context)


def _nested(offset: int, code: bytes, context: Context) -> Iterator[Finding]:
    """The code inside the literal, translated as a whole; findings and edits shifted to the file."""
    from hipify.pipeline import translate_nested

    inner = translate_nested(code, context)
    edits = tuple(
        edit._replace(start=edit.start + offset, end=edit.end + offset) for edit in inner.edits
    )
    context.placed_headers |= inner.support_headers
    if edits:
        yield Finding(RULE.id, Severity.NOTE, Span(offset, offset + len(code)), "", "", edits)
    for finding in inner.findings:
        span = Span(finding.span.start + offset, finding.span.end + offset)
        yield finding._replace(span=span, edits=())


RULE = Rule(
    id="string-literal",
    summary="A raw string with kernels is translated as a unit; other strings stay, with a note.",
    visit=visit,
    kinds=frozenset((SiteKind.LITERAL,)),
    rewrites=(
        Rewrite(
            '#include <nvrtc.h>\nconst char* s = R"(#include <cuda_fp16.h>\n__global__ void k(cudaTextureObject_t t) {})";\n',
            '#include <hip/hiprtc.h>\nconst char* s = R"(#include <hip/hip_fp16.h>\n__global__ void k(hipTextureObject_t t) {})";\n',
        ),
        Rewrite(
            '#include <cuda_runtime.h>\nvoid f() { puts("cudaMalloc failed: cudaErrorFoo"); }\n',
            '#include <hip/hip_runtime.h>\nvoid f() { puts("hipMalloc failed: cudaErrorFoo"); }\n',
            {"strings": True},
        ),
    ),
    diagnoses=(
        Diagnosis('int x = puts("cudaMalloc failed");\n', "strings stay as they are"),
        Diagnosis('const char* p = ".version 7.0\\n.target sm_70";\n', "holds PTX"),
    ),
    keeps=('const char* s = "hello cuda";\n',),
)
