"""CUDA names that have no counterpart at the chosen target and ROCm version."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.rules.missing_case import is_case_label, is_missing
from hipify.sites import Site


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Says that the name stays as it is, why, and what to use instead."""
    entry = context.database.get(site.name)
    if entry is None or (entry.everyday and context.device_function_at(site.span.start) is None):
        return
    result = context.resolve(entry)
    if result.name is None:
        if is_missing(site.name.encode(), context) and is_case_label(site, context):
            return
        where = "ROCm" if context.options.target == "hip" else context.options.target.upper()
        version = context.options.rocm
        if version is not None:
            where += " " + ".".join(map(str, version))
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            f"{site.name} has no counterpart in {where} and stays as it is",
            result.caveat,
        )


RULE = Rule(
    id="unsupported-api",
    summary="A CUDA name without a counterpart stays and is reported with what to use instead.",
    visit=visit,
    by_name=True,
    entry=lambda entry: entry.kind != "namespace" and not entry.rule,
    diagnoses=(Diagnosis("void f() { cuTensorMapEncodeTiled(); }", "stays"),),
)
