"""`__launch_bounds__`: its second argument counts blocks in CUDA and waves in HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import wrap
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site
from hipify.waves.origin import Origin, origin

HEADER = "hipify/launch_bounds.hpp"
_ASKS_NOTHING = re.compile(rb"[01][uUlL]*\Z")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Converts blocks a multiprocessor into waves an execution unit."""
    call = context.call_after(site.span)
    if call is None or len(call.args) < 2 or origin(context) is Origin.HIP:
        return
    if len(call.args) > 2:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            "the third argument of __launch_bounds__ asks for clusters of blocks, which HIP lacks",
            "leave it out, and see that the kernel does not count on clusters",
        )
        return
    threads, blocks = (context.text(span) for span in call.args)
    if _ASKS_NOTHING.match(blocks) or blocks.startswith(b"hipify::"):
        return
    if context.options.wave_policy == "report" or origin(context) is Origin.BOTH:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            "the second argument of __launch_bounds__ is blocks a multiprocessor in CUDA, "
            "but waves an execution unit in HIP",
            "see which of the two the number is; "
            f"hipify::min_waves_per_eu of {HEADER} turns the first into the second",
        )
        return
    context.support_headers.add(HEADER)
    start, end = call.args[1]
    edits = wrap(start, end, b"hipify::min_waves_per_eu(" + threads + b", ", b")")
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", edits)


RULE = Rule(
    id="launch-bounds",
    summary="`__launch_bounds__(threads, blocks)`: blocks a multiprocessor become waves an execution unit.",
    visit=visit,
    names=frozenset(("__launch_bounds__",)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__global__ void __launch_bounds__(256, 4) k() {}\n"
            "template <int T> __global__ void __launch_bounds__(T, 2048 / T) t() {}\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/launch_bounds.hpp"\n'
            "__global__ void __launch_bounds__(256, hipify::min_waves_per_eu(256, 4)) k() {}\n"
            "template <int T> __global__ void __launch_bounds__(T, hipify::min_waves_per_eu(T, 2048 / T)) t() {}\n",
        ),
    ),
    diagnoses=(
        Diagnosis("__global__ void __launch_bounds__(128, 2, 4) k() {}\n", "clusters"),
        Diagnosis(
            "#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\n"
            "__global__ void __launch_bounds__(128, 2) k() {}\n",
            "waves an execution unit in HIP",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(256, 4) k() {}\n",
        "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(256) k() {}\n",
    ),
)
