"""Functions of one name in CUDA that HIP tells apart by name."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Chooses the name by the number of arguments."""
    entry, call = context.database.get(site.name), context.call_after(site.span)
    if entry is None:
        return
    name = entry.overloads.get(len(call.args)) if call is not None else None
    if name is None:
        default = context.resolve(entry).name or site.name
        given = f"called with {len(call.args)} arguments" if call else "not called here"
        known = ", ".join(f"{count}: {name}" for count, name in sorted(entry.overloads.items()))
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"{site.name} is {given}; it becomes {default}, but HIP chooses by arguments ({known})",
            "check the signature",
            (Edit(site.span.start, site.span.end, default.encode()),),
        )
        return
    yield Finding(
        RULE.id,
        Severity.NOTE,
        site.span,
        "",
        "",
        (Edit(site.span.start, site.span.end, name.encode()),),
    )


RULE = Rule(
    id="overload",
    summary="CUDA overloads that HIP tells apart by name are chosen by the number of arguments.",
    visit=visit,
    entry=lambda entry: bool(entry.overloads),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaEventCreate(&e); cudaEventCreate(&e, 1); "
            "cudaGraphInstantiate(&x, g, 0, 0, 0); cudaGraphInstantiate(&x, g, 0); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipEventCreate(&e); hipEventCreateWithFlags(&e, 1); "
            "hipGraphInstantiate(&x, g, 0, 0, 0); hipGraphInstantiateWithFlags(&x, g, 0); }\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\nauto p = &cudaEventCreate;\n", "chooses by arguments"
        ),
    ),
)
