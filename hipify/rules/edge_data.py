"""Functions to which CUDA 13 gave an argument for edge data or parameters, which HIP's do not have."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import Call
from hipify.context import Context
from hipify.edits import replace_all
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.rules.context_parameters import is_empty
from hipify.sites import Site

# How many arguments the new form has, and which of them is new.
_GRAPH_FORMS = {
    "GraphAddDependencies": (5, 3),
    "GraphRemoveDependencies": (5, 3),
    "GraphGetEdges": (5, 3),
    "GraphNodeGetDependencies": (4, 2),
    "GraphNodeGetDependentNodes": (4, 2),
    "GraphAddNode": (6, 3),
    "StreamUpdateCaptureDependencies": (5, 2),
    "StreamGetCaptureInfo": (7, 5),
}
_FORMS = {f"{api}{name}": form for name, form in _GRAPH_FORMS.items() for api in ("cuda", "cu")}
_FORMS["cuCtxCreate"] = (4, 1)
_NULL = frozenset((b"NULL", b"nullptr", b"0", b"{}"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Leaves the new argument out of a call; a value that gets lost is told of."""
    entry, call = context.database.get(site.name), context.call_after(site.span)
    count, index = _FORMS[site.name]
    if entry is None or context.resolve(entry).name is None or call is None:
        return
    if len(call.args) != count:
        return
    argument = call.args[index]
    text = context.text(argument)
    lost = text not in _NULL and not (text[:1] == b"&" and is_empty(text[1:].strip(), context))
    what = "creation parameters" if site.name == "cuCtxCreate" else "edge data"
    yield Finding(
        RULE.id,
        Severity.WARNING if lost else Severity.NOTE,
        argument if lost else site.span,
        f"HIP's form of {site.name} has no {what}, and the argument is dropped" if lost else "",
        "check that the program does without" if lost else "",
        (replace_all(argument.start, _next_argument(call, index), b""),),
    )


def _next_argument(call: Call, index: int) -> int:
    """Where the argument behind starts; the new one is never the last."""
    return call.args[index + 1].start


RULE = Rule(
    id="edge-data",
    summary="The edge data that CUDA 13 added to graph and capture functions is left out, since HIP's have none.",
    visit=visit,
    names=frozenset(_FORMS),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() {\n  cudaGraphAddDependencies(g, &a, &b, nullptr, 1);\n"
            "  cudaGraphAddDependencies(g, &a, &b, 1);\n  cudaGraphAddNode(&n, g, d, NULL, 2, &p);\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f() {\n  hipGraphAddDependencies(g, &a, &b, 1);\n"
            "  hipGraphAddDependencies(g, &a, &b, 1);\n  hipGraphAddNode(&n, g, d, 2, &p);\n}\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaStreamGetCaptureInfo(s, &t, &i, &g, &d, 0, &n); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipStreamGetCaptureInfo_v2(s, &t, &i, &g, &d, &n); }\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\nvoid f() { cudaGraphGetEdges(g, from, to, edges, &n); }\n",
            "no edge data",
        ),
    ),
)
