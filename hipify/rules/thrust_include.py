"""Thrust's algorithms without their own header: CUDA's Thrust brings most by any, rocThrust does not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import INCLUDE
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind

_ALGORITHMS = {
    "adjacent_difference": "adjacent_difference",
    "binary_search": "binary_search lower_bound upper_bound equal_range",
    "copy": "copy copy_if copy_n",
    "count": "count count_if",
    "equal": "equal",
    "extrema": "max_element min_element minmax_element",
    "fill": "fill fill_n",
    "find": "find find_if find_if_not",
    "for_each": "for_each for_each_n",
    "gather": "gather gather_if",
    "generate": "generate generate_n",
    "inner_product": "inner_product",
    "logical": "all_of any_of none_of",
    "merge": "merge merge_by_key",
    "mismatch": "mismatch",
    "partition": "partition partition_copy partition_point stable_partition stable_partition_copy",
    "reduce": "reduce reduce_by_key",
    "remove": "remove remove_if remove_copy remove_copy_if",
    "replace": "replace replace_if replace_copy replace_copy_if",
    "reverse": "reverse reverse_copy",
    "scan": "inclusive_scan exclusive_scan inclusive_scan_by_key exclusive_scan_by_key",
    "scatter": "scatter scatter_if",
    "sequence": "sequence",
    "set_operations": "set_difference set_intersection set_symmetric_difference set_union",
    "shuffle": "shuffle shuffle_copy",
    "sort": "sort sort_by_key stable_sort stable_sort_by_key is_sorted is_sorted_until",
    "swap": "swap_ranges",
    "tabulate": "tabulate",
    "transform": "transform transform_if",
    "transform_reduce": "transform_reduce",
    "transform_scan": "transform_inclusive_scan transform_exclusive_scan",
    "unique": "unique unique_copy unique_by_key unique_by_key_copy unique_count",
}
_HEADERS = {
    name.encode(): header.encode()
    for header, names in _ALGORITHMS.items()
    for name in names.split()
}
_CALL = re.compile(rb"\bthrust\s*::\s*([a-z_]+)\s*[(<]")
# What the vectors bring in every version.
_WITH_VECTORS = frozenset(
    b"copy equal fill find for_each generate reduce scan scatter transform".split()
)
_VECTORS = frozenset((b"thrust/device_vector.h", b"thrust/host_vector.h"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Adds the headers behind the last Thrust include, in files that have one which always counts."""
    if b"thrust" not in context.data:
        return
    called = {_HEADERS.get(match[1]) for match in _CALL.finditer(context.lexed.macro_code)}
    if not _VECTORS.isdisjoint(context.headers):
        called -= _WITH_VECTORS
    missing = sorted(
        name for name in called if name and b"thrust/" + name + b".h" not in context.headers
    )
    at = _behind_thrust_includes(context) if missing else -1
    if at < 0:
        return
    newline = context.source.newline
    text = b"".join(b"#include <thrust/" + name + b".h>" + newline for name in missing)
    if not context.data[:at].endswith(b"\n"):
        text = newline + text
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(at, at, text),))


def _behind_thrust_includes(context: Context) -> int:
    """The start of the line after the last include of Thrust that is in no branch; -1 without one."""
    last, guard = -1, None
    for number, directive in enumerate(context.lexed.directives):
        if number == 0 and directive.name in (b"ifndef", b"if"):
            guard = (
                directive.after
            )  # an include guard, if it is one: what stands in it alone will do
        path = INCLUDE.match(context.data, directive.start, directive.end)
        if path is None or not (path[1] or path[2]).startswith(b"thrust/"):
            continue
        if directive.around in ((), guard):
            last = context.source.line_span(directive.start).end
    return last


RULE = Rule(
    id="thrust-include",
    summary="Each Thrust algorithm that is called has its header included, which rocThrust needs and CUDA's Thrust does not.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n#include <thrust/device_vector.h>\n#include <thrust/scan.h>\nvoid f(int* p) {\n"
            "  thrust::sequence(p, p + 4);\n  thrust::sort(p, p + 4);\n  thrust::fill(p, p + 4, 1);\n}\n",
            "#include <hip/hip_runtime.h>\n#include <thrust/device_vector.h>\n#include <thrust/scan.h>\n"
            "#include <thrust/sequence.h>\n#include <thrust/sort.h>\nvoid f(int* p) {\n"
            "  thrust::sequence(p, p + 4);\n  thrust::sort(p, p + 4);\n  thrust::fill(p, p + 4, 1);\n}\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nvoid f(int* p) { thrust::sort(p, p + 4); }\n",
        "#include <hip/hip_runtime.h>\n#include <thrust/sort.h>\nvoid f(int* p) { thrust::sort(p, p + 4); std::copy(p, p, p); }\n",
    ),
)
