"""CUctxCreateParams, which CUDA 13's cuCtxCreate takes and HIP does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site

_DECLARATION = re.compile(rb"CUctxCreateParams\s+(\w+)\s*(?:=\s*\{\s*0?\s*\}|\{\s*\})?\s*;")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes a variable that holds nothing and goes nowhere else; reports any other use."""
    declaration = _DECLARATION.match(context.lexed.code, site.span.start)
    if declaration is not None and is_empty(declaration[1], context):
        line = context.source.line_span(site.span.start)
        alone = not context.data[line.start : site.span.start].strip()
        alone = alone and not context.data[declaration.end() : line.end].strip()
        start, end = line if alone else (site.span.start, declaration.end())
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(start, end, b""),))
        return
    yield Finding(
        RULE.id,
        Severity.ERROR,
        site.span,
        "CUctxCreateParams has no counterpart in HIP, whose contexts take no parameters",
        "use hipSetDevice, and hipExtStreamCreateWithCUMask to limit compute units",
    )


def is_empty(name: bytes, context: Context) -> bool:
    """Whether the file declares parameters of this name without values, for cuCtxCreate alone."""
    code = context.lexed.code
    declared = len([m for m in _DECLARATION.finditer(code) if m[1] == name])
    handed = re.findall(rb"\bcuCtxCreate\w*\s*\([^;{}]*&\s*%s\b" % re.escape(name), code)
    uses = re.findall(rb"\b%s\b" % re.escape(name), context.lexed.macro_code)
    return bool(declared) and len(uses) == declared + len(handed)


RULE = Rule(
    id="context-parameters",
    summary="Empty parameters for CUDA 13's cuCtxCreate go with their variable; others are reported.",
    visit=visit,
    names=frozenset(("CUctxCreateParams",)),
    rewrites=(
        Rewrite(
            "#include <cuda.h>\nvoid f(CUdevice d) {\n  CUcontext c;\n  CUctxCreateParams p = {};\n"
            "  cuCtxCreate(&c, &p, 0, d);\n  cuCtxCreate(&c, 0, d);\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f(hipDevice_t d) {\n  hipCtx_t c;\n"
            "  hipCtxCreate(&c, 0, d);\n  hipCtxCreate(&c, 0, d);\n}\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda.h>\nvoid f(CUctxCreateParams p) { p.numExecAffinityParams = 1; }\n",
            "no counterpart",
        ),
    ),
)
