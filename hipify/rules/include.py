"""CUDA headers become HIP or ROCm headers."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Branches
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_OURS = dict.fromkeys(
    ("cooperative_groups/reduce.h", "cooperative_groups/scan.h"), "hipify/cooperative_groups.hpp"
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Rewrites one include line, drops it, or says that there is no such header."""
    quoted = context.data[site.span.end : site.span.end + 1] == b'"'
    if quoted and context.exists(site.name):
        yield from _local(site, context)
        return
    entry = context.database.header(site.name)
    if entry is None or (entry.local and context.exists(f"**/{site.name}")):
        return
    if site.name == "cublas.h" and context.calls_cublas_v1 and not context.options.as_amd:
        # Without this header a second run would take the names for those of cublas_v2.h.
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            "<cublas.h> is cuBLAS's first API, without handles, which HIP lacks; it stays",
            "include cublas_v2.h and pass a handle to each call, then translate again",
        )
        return
    result = context.resolve(entry)
    if result.status == "too-new" and site.name in _OURS:
        yield from _replaced(_OURS[site.name], site, context)
        return
    if result.name is None:
        yield Finding(
            RULE.id,
            Severity.WARNING if entry.local else Severity.ERROR,
            site.span,
            f"<{site.name}> has no counterpart and stays as it is",
            result.caveat,
        )
        return
    if not result.name or _is_repeated(result.name, site, context):
        line = _whole_line(site, context)
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(line.start, line.end, b""),))
        return
    edits: tuple[Edit, ...] = ()
    if result.name != site.name:
        edits = (Edit(site.span.start, site.span.end, result.name.encode()),)
    message = f"<{site.name}>: {result.caveat}" if result.caveat else ""
    if edits or message:
        severity = Severity.WARNING if message else Severity.NOTE
        yield Finding(RULE.id, severity, site.span, message, "", edits)


def _replaced(name: str, site: Site, context: Context) -> Iterator[Finding]:
    """A header of ours stands in for what the chosen ROCm version lacks, once."""
    context.placed_headers.add(name)
    if _is_repeated(name, site, context):
        line = _whole_line(site, context)
        edit = Edit(line.start, line.end, b"")
    else:
        path = (context.way_up + name).encode()
        edit = Edit(site.span.start - 1, site.span.end + 1, b'"%s"' % path)
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


def _local(site: Site, context: Context) -> Iterator[Finding]:
    """A header of the user's own: its name changes only where the file's name changes too."""
    stem, dot, extension = site.name.rpartition(".")
    renamed = context.options.renamed_files.get(dot + extension)
    if renamed is not None:
        edit = Edit(site.span.start, site.span.end, (stem + renamed).encode())
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


def _is_repeated(name: str, site: Site, context: Context) -> bool:
    """Whether an include that always precedes this one brings the same main header already."""
    seen: list[tuple[str, Branches]] = context.state.setdefault(RULE.id, [])
    branches = context.branches_at(site.span.start)
    for other, around in seen:
        if other == name and branches[: len(around)] == around:
            return True
    seen.append((name, branches))
    return False


def _whole_line(site: Site, context: Context) -> Span:
    """The include's line with its line ending; only the directive if a comment shares the line."""
    line = context.source.line_span(site.span.start)
    directive = context.lexed.directive_at(site.span.start)
    if directive is not None and context.data[site.span.end + 1 : line.end].strip():
        return Span(directive.start, site.span.end + 1)
    return line


RULE = Rule(
    id="include",
    summary="CUDA headers become HIP or ROCm headers, once each; headers that HIP does not need go.",
    visit=visit,
    kinds=frozenset((SiteKind.INCLUDE,)),
    rewrites=(
        Rewrite(
            "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n",
            "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n#include <device_launch_parameters.h>\nint x;\n",
            "#include <hip/hip_runtime.h>\nint x;\n",
        ),
        Rewrite(
            '#include "cublas_v2.h"\n#include <curand_kernel.h>\n',
            '#include "hipblas/hipblas.h"\n#include <hiprand/hiprand_kernel.h>\n',
        ),
        Rewrite(
            "#ifdef A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
            "#ifdef A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
        ),
        Rewrite(
            "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n",
            '#include <hip/hip_cooperative_groups.h>\n#include "hipify/cooperative_groups.hpp"\n',
            {"rocm": (6, 4)},
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cublas.h>\nvoid f() { cublasSaxpy(1, 2, x, 1, y, 1); }\n", "first API"
        ),
        Diagnosis("#include <optix.h>\n", "has no counterpart"),
    ),
    keeps=("#include <vector>\n", '#include "my_cuda.h"\n'),
)
