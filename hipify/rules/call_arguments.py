"""Functions whose HIP or ROCm twin takes more, fewer or reordered arguments."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import Call
from hipify.context import Context
from hipify.edits import Edit, copy_to, replace_all, wrap
from hipify.finding import Finding, Severity
from hipify.mapping import ArgumentRule, MappingEntry
from hipify.rules import Rewrite, Rule
from hipify.sites import Site
from hipify.version import NEWEST

_ACTIONS = frozenset(("add", "copy", "move", "remove", "replace"))


def _reshapes(rule: ArgumentRule) -> bool:
    return rule.action in _ACTIONS or (rule.action == "reinterpret_cast" and rule.target != "hip")


def _has_rules(entry: MappingEntry) -> bool:
    return any(map(_reshapes, entry.args))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Applies the database's argument rules for the chosen target to one call."""
    entry = context.database.get(site.name)
    if entry is None or context.resolve(entry).name is None:
        return
    rules = [rule for rule in context.argument_rules(entry) if _reshapes(rule)]
    if not rules:
        return
    call = context.call_after(site.span)
    if call is None:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"{site.name} takes other arguments in HIP and is not called here",
            "check every call that goes through this name",
        )
        return
    values = [rule.value.replace("{hip_version}", _hip_version(context)) for rule in rules]
    pairs = list(zip(rules, values, strict=True))
    edits = tuple(
        edit for rule, value in pairs for edit in _edits(rule, value.encode(), call)
    ) + tuple(_appended(pairs, call))
    lost = any(rule.action == "remove" and rule.loses for rule in rules)
    message = f"an argument of {site.name} has no counterpart and is dropped" if lost else ""
    severity = Severity.WARNING if lost else Severity.NOTE
    remedy = "check that the call does not depend on it" if lost else ""
    yield Finding(RULE.id, severity, site.span, message, remedy, edits)


def _hip_version(context: Context) -> str:
    """The HIP version as functions that ask for one want it: 603 for 6.3."""
    major, minor = ((*context.options.rocm, 0)[:2]) if context.options.rocm else NEWEST
    return str(100 * major + minor)


def _appended(rules: list[tuple[ArgumentRule, str]], call: Call) -> Iterator[Edit]:
    """New arguments behind the last one, all at once, since they share their place."""
    values = [
        value.encode()
        for rule, value in rules
        if rule.action == "add" and rule.index >= len(call.args)
    ]
    if values:
        at = call.args[-1].end if call.args else call.open + 1
        text = b", ".join(values)
        yield Edit(at, at, b", " + text if call.args else text)


def _edits(rule: ArgumentRule, value: bytes, call: Call) -> Iterator[Edit]:
    args, index = call.args, rule.index
    if index >= len(args):
        return
    if rule.action == "add":
        yield Edit(args[index].start, args[index].start, value + b", ")
        return
    argument = args[index]
    if rule.action == "replace":
        yield replace_all(argument.start, argument.end, value)
    elif rule.action == "reinterpret_cast":
        yield from wrap(argument.start, argument.end, b"reinterpret_cast<" + value + b">(", b")")
    elif rule.action == "remove":
        yield _removal(call, index)
    elif rule.action == "copy":
        yield _copy(call, rule.source, index)
    elif rule.action == "move":
        for number in range(index, min(index + max(rule.count, 1), len(args))):
            yield _copy(call, number, rule.to)
            yield _removal(call, number)


def _copy(call: Call, index: int, to: int) -> Edit:
    if to < len(call.args):
        return copy_to(call.args[to].start, call.args[index], b"", b", ")
    return copy_to(call.args[-1].end, call.args[index], b", ")


def _removal(call: Call, index: int) -> Edit:
    """Removes an argument with the comma after it, or before it for the last one."""
    args = call.args
    if index + 1 < len(args):
        return replace_all(args[index].start, args[index + 1].start, b"")
    start = args[index - 1].end if index else args[index].start
    return replace_all(start, args[index].end, b"")


RULE = Rule(
    id="call-arguments",
    summary="Arguments are added, removed, replaced or moved where the twin's signature differs.",
    visit=visit,
    entry=_has_rules,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaMallocHost(&p, g(a, b)); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipHostMalloc(&p, g(a, b), hipHostMallocDefault); }\n",
        ),
        Rewrite(
            "#include <cudnn.h>\nvoid f() { cudnnSoftmaxForward(h, CUDNN_SOFTMAX_FAST, m, a, x, p, b, y, q); }\n",
            "#include <hip/hip_runtime.h>\n#include <miopen/miopen.h>\nvoid f() { miopenSoftmaxForward_V2(h, a, x, p, b, y, q, MIOPEN_SOFTMAX_FAST, m); }\n",
            {"target": "miopen"},
        ),
        Rewrite(
            "#include <cusparse.h>\nvoid f() { cusparseSpSM_solve(h, a, b, &x, m, n, o, t, g, d); }\n",
            "#include <hip/hip_runtime.h>\n#include <rocsparse/rocsparse.h>\nvoid f() { "
            "rocsparse_spsm(h, a, b, &x, m, n, o, t, g, rocsparse_spsm_stage_compute, nullptr, nullptr); }\n",
            {"target": "roc"},
        ),
        Rewrite(
            "#include <cusparse.h>\nvoid f() { cusparseSgtsvInterleavedBatch(h, a, m, l, d, u, x, count, p); }\n",
            "#include <hip/hip_runtime.h>\n#include <rocsparse/rocsparse.h>\nvoid f() { "
            "rocsparse_sgtsv_interleaved_batch(h, a, m, l, d, u, x, count, count, p); }\n",
            {"target": "roc"},
        ),
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f() { cudaGetDriverEntryPoint(s, &p, 0, &r); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipGetProcAddress(s, &p, 603, 0, &r); }\n",
            {"rocm": (6, 3)},
        ),
    ),
)
