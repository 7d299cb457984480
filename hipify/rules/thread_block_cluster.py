"""Thread-block clusters, which only NVIDIA's Hopper and later have."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site

_NAMES = (
    "__cluster_dims__",
    "__cluster_max_blocks__",
    "cluster_group",
    "cudaLaunchAttributeClusterDimension",
    "cudaLaunchAttributeClusterSchedulingPolicyPreference",
    "this_cluster",
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports each use of a cluster."""
    yield Finding(
        RULE.id,
        Severity.ERROR,
        site.span,
        f"{site.name}: AMD GPUs have no thread-block clusters",
        "use one larger block, or exchange the data through global memory between two launches",
    )


RULE = Rule(
    id="thread-block-cluster",
    summary="Thread-block clusters (launch attributes, __cluster_dims__, cluster groups) are errors.",
    visit=visit,
    names=frozenset(_NAMES),
    diagnoses=(
        Diagnosis(
            "#include <hip/hip_runtime.h>\n__global__ void __cluster_dims__(2, 1, 1) k();\n",
            "no thread-block clusters",
        ),
    ),
)
