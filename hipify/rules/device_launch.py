"""Kernels launched from device code (CUDA dynamic parallelism), which HIP does not have."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports a launch whose enclosing function runs on the device."""
    if context.launch_at(site.span.start) is None:
        return
    function = context.device_function_at(site.span.start)
    if function is not None:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            f"{function.name.decode('utf-8', 'replace') or 'a device function'} launches a kernel "
            "from device code; HIP has no dynamic parallelism",
            "return to the host and launch there, or loop over the work inside one kernel",
        )


RULE = Rule(
    id="device-launch",
    summary="A launch in device code (dynamic parallelism) is an error: HIP cannot do that.",
    visit=visit,
    kinds=frozenset((SiteKind.LAUNCH,)),
    diagnoses=(
        Diagnosis(
            "#include <hip/hip_runtime.h>\n__global__ void p() { child<<<1, 1>>>(); }\n",
            "dynamic parallelism",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n__global__ void k();\nvoid p() { k<<<1, 1>>>(); }\n",),
)
