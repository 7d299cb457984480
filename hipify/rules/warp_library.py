"""CUB's warp collectives: their default width is the hardware's, 64 lanes on CDNA GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import split, word_before
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

# Template arguments before the warp's width, with what CUB has for those that may be left out.
_BEFORE_WIDTH: dict[str, tuple[bytes, ...]] = {
    "WarpReduce": (b"",),
    "WarpScan": (b"",),
    "WarpExchange": (b"", b""),
    "WarpMergeSort": (b"", b""),
    "WarpLoad": (b"", b"", b"hipcub::WARP_LOAD_DIRECT"),
    "WarpStore": (b"", b"", b"hipcub::WARP_STORE_DIRECT"),
}


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Names CUDA's width where the code leaves it to the default."""
    code, begin, end = context.lexed.code_around(site.span.start)
    qualifier = code[begin : site.span.start].rstrip()
    if not qualifier.endswith(b"::") or word_before(qualifier, len(qualifier) - 2) != b"cub":
        return
    if code[site.span.end : site.span.end + 1] != b"<":
        return
    close, args = split(code, site.span.end + 1, end, b">")
    before = _BEFORE_WIDTH[site.name]
    if close < 0 or not args or len(args) > len(before):
        return
    missing = before[len(args) :]
    if b"" in missing:
        return
    if context.options.wave_policy == "report":
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"cub::{site.name} has 32 lanes by default; hipCUB's has 64 on CDNA GPUs",
            "name the width as a template argument",
        )
        return
    text = b"".join(b", " + argument for argument in (*missing, b"32"))
    edit = Edit(args[-1].end, args[-1].end, text)
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


RULE = Rule(
    id="warp-library",
    summary="CUB's warp collectives get their width of 32 lanes named, since hipCUB's default is the hardware's.",
    visit=visit,
    names=frozenset(_BEFORE_WIDTH),
    rewrites=(
        Rewrite(
            "#include <cub/cub.cuh>\n"
            "typedef cub::WarpReduce<int> Reduce;\n"
            "using Scan = cub::WarpScan<float, 16>;\n"
            "using Load = cub::WarpLoad<int, 4>;\n"
            "using Sort = cub::WarpMergeSort<Pair<int, 2>, 4>;\n",
            "#include <hip/hip_runtime.h>\n"
            "#include <hipcub/hipcub.hpp>\n"
            "typedef hipcub::WarpReduce<int, 32> Reduce;\n"
            "using Scan = hipcub::WarpScan<float, 16>;\n"
            "using Load = hipcub::WarpLoad<int, 4, hipcub::WARP_LOAD_DIRECT, 32>;\n"
            "using Sort = hipcub::WarpMergeSort<Pair<int, 2>, 4, 32>;\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\nhipcub::WarpReduce<int>* p;\n",
    ),
)
