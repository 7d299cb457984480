"""A device's `warpSize` property tells the wave of the hardware, not the warp of the kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.waves.origin import Origin, origin

_USE = re.compile(
    rb"(?:\.|->)\s*(warpSize)\b(?!\s*=[^=])|\b(cudaDevAttrWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE)\b"
)
_HINTS = (b"warpSize", b"WarpSize", b"WARP_SIZE")
_PRINTS = re.compile(rb"\b(?:\w*printf|cout|cerr|clog|print|println|format)\b|<<")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each use that is more than printing."""
    if not any(hint in context.data for hint in _HINTS) or origin(context) is Origin.HIP:
        return
    code = context.lexed.code
    for match in _USE.finditer(code):
        start, end = match.span(match.lastindex or 0)
        statement = code[max(code.rfind(stop, 0, start) for stop in (b";", b"{", b"}")) + 1 : start]
        if not _PRINTS.search(statement):
            yield Finding(
                RULE.id,
                Severity.WARNING,
                Span(start, end),
                "the device's warp size is 64 on CDNA GPUs, but kernels keep CUDA's 32-lane warps",
                "use 32 where the number sizes warps of kernels, and the property where it "
                "speaks of the hardware",
            )


RULE = Rule(
    id="warp-size-property",
    summary="The warpSize property of a device is 64 on CDNA GPUs, whatever the kernels' warps are.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\nint warps(cudaDeviceProp p) { return 256 / p.warpSize; }\n",
            "64 on CDNA",
        ),
        Diagnosis(
            "#include <cuda_runtime.h>\n"
            "void f(int* w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n",
            "64 on CDNA",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nint warps(hipDeviceProp_t p) { return 256 / p.warpSize; }\n",
        'void f(P p) { printf("%d\\n", p.warpSize); }\n',
    ),
)
