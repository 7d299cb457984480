"""Conversions between half and bfloat16, which CUDA has and which are ambiguous in HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_HALF = rb"(?:__half|half|__nv_half|nv_half)"
_BFLOAT = rb"(?:__nv_bfloat16|nv_bfloat16)"
_BOTH = re.compile(
    rb"(?<![\w:.])(\w+)\s*<\s*(?:%s\s*,\s*%s|%s\s*,\s*%s)\s*[,>]" % (_HALF, _BFLOAT, _BFLOAT, _HALF)
)
_MENTIONED = (b"pair", b"tuple", b"is_same", b"is_same_v", b"map")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports templates that get both types, as those that convert between their parameters do."""
    if b"bfloat16" not in context.data:
        return
    for match in _BOTH.finditer(context.lexed.code):
        if match[1] in _MENTIONED:
            continue
        name = match[1].decode("utf-8", "replace")
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*match.span()),
            f"{name} gets half and bfloat16: a conversion from one to the other is ambiguous in HIP",
            "convert through float: __float2half(__bfloat162float(x)), or with static_cast<float>",
        )


RULE = Rule(
    id="half-conversion",
    summary="Templates over half and bfloat16 together are reported: HIP's types do not convert to one another.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nvoid f() { convert<half, __nv_bfloat16>(3); }\n",
            "is ambiguous",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\nvoid f() { convert<half, float>(3); }\n",),
)
