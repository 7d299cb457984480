"""Lines that name both CUDA and HIP: someone's own portability layer, which a rename can break."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each line on which a CUDA name stands beside a HIP name that was there before."""
    if not context.hip_names or not context.used:
        return
    position = context.source.position
    hip_lines = {position(span.start)[0]: span for span in reversed(context.hip_names)}
    reported: set[int] = set()
    for name, span in context.used:
        line = position(span.start)[0]
        if line not in hip_lines or line in reported:
            continue
        entry = context.database.get(name)
        if entry is None or context.resolve(entry).name == name:
            continue
        reported.add(line)
        hip = context.text(hip_lines[line]).decode()
        yield Finding(
            RULE.id,
            Severity.WARNING,
            span,
            f"this line names both CUDA ({name}) and HIP ({hip})",
            "if it is a portability layer of your own, keep the original and exclude this file",
        )


RULE = Rule(
    id="mixed-line",
    summary="A line that already mixes CUDA and HIP names is reported.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#define cudaMalloc hipMalloc\n", "names both CUDA (cudaMalloc) and HIP (hipMalloc)"
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\nvoid f() { hipMalloc(&p, 4); }\n",),
)
