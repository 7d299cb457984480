"""cuDNN: what hipDNN.h declares is no part of ROCm, and MIOpen is another API, taken on request."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind

_HEADERS = frozenset(("cudnn.h", "cudnn_v8.h", "cudnn_v9.h"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Says so once a file, at the include."""
    if site.name not in _HEADERS or context.options.target != "hip" or context.state.get(RULE.id):
        return
    context.state[RULE.id] = True
    yield Finding(
        RULE.id,
        Severity.ERROR,
        site.span,
        "cuDNN has no counterpart of the same shape in ROCm: hipDNN.h, whose names this file gets, is not shipped with it",
        "translate this file with --target miopen, and go through what that reports",
    )


RULE = Rule(
    id="cudnn",
    summary="cuDNN's counterpart with its call shapes, hipDNN, is not shipped with ROCm; MIOpen is, as a target of its own.",
    visit=visit,
    kinds=frozenset((SiteKind.INCLUDE,)),
    diagnoses=(
        Diagnosis(
            "#include <cudnn.h>\nvoid f(cudnnHandle_t* h) { cudnnCreate(h); }\n", "not shipped"
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n#include <miopen/miopen.h>\n",),
)
