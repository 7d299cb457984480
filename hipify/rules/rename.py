"""Every plain mapping of the database: one name becomes another."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.mapping import MappingEntry
from hipify.rules import Rewrite, Rule
from hipify.sites import Site


def _is_plain(entry: MappingEntry) -> bool:
    return not entry.rule and not entry.overloads and entry.kind != "namespace"


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Renames a known name; a caveat of the database becomes a warning."""
    entry = context.database.get(site.name)
    if entry is None:
        return
    result = context.resolve(entry)
    if result.name is None:
        return
    message = f"{site.name}: {result.caveat}" if result.caveat else ""
    if result.name == site.name:
        if message:
            yield Finding(RULE.id, Severity.WARNING, site.span, message)
        return
    edit = Edit(site.span.start, site.span.end, result.name.encode())
    severity = Severity.WARNING if message else Severity.NOTE
    yield Finding(RULE.id, severity, site.span, message, "", (edit,))


RULE = Rule(
    id="rename",
    summary="CUDA names become the HIP or ROCm names that the database gives.",
    visit=visit,
    by_name=True,
    entry=_is_plain,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f(void** p) { cudaMalloc(p, 4); ::cudaFree(*p); }\n",
            "#include <hip/hip_runtime.h>\nvoid f(void** p) { hipMalloc(p, 4); ::hipFree(*p); }\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "cudaMemcpyKind k = cudaMemcpyKind::cudaMemcpyHostToDevice;\n",
            "#include <hip/hip_runtime.h>\n"
            "hipMemcpyKind k = hipMemcpyKind::hipMemcpyHostToDevice;\n",
        ),
    ),
    keeps=(
        "// see cudaMemcpy docs\n",
        "struct A { int cudaMalloc; };\nint f(A a) { return a.cudaMalloc; }\n",
        "void f() { app::cudaMemcpy(3); }\n",
        "auto s = at::cuda::getCurrentCUDAStream();\n",
        "int my_cudaMalloc, PROJECT_cudaSuccess, cudaMallocs;\n",
    ),
)
