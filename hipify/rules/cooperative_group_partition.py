"""Parts of cooperative groups that HIP has late or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.mapping import is_reached
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span
from hipify.waves.origin import Origin, origin

_LABELED = re.compile(rb"\blabeled_partition\s*\(")
_GROUP = re.compile(
    rb"\b(?:auto|(?:\w+::)*(?:thread_block_tile\s*<[^;{}()]*>|coalesced_group))\s+(?:const\s+)?&?\s*(\w+)"
    rb"\s*(?:=|\(|\{|;|,|\))"
)
_MAKES_GROUP = re.compile(
    rb"=\s*(?:\w+::)*(?:tiled_partition\s*<|coalesced_threads|binary_partition)"
)
_VOTE = re.compile(rb"\b(\w+)\s*\.\s*(?:any|all|ballot|match_any|match_all)\s*\(")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports partitions by label, and votes of groups where HIP hides them by default."""
    if b"cooperative_groups" not in context.data or origin(context) is Origin.HIP:
        return
    code = context.lexed.macro_code
    for match in _LABELED.finditer(code):
        yield Finding(
            RULE.id,
            Severity.ERROR,
            Span(*match.span()),
            "HIP has no labeled_partition",
            "find the lanes with the same label with hipify::match_any_sync of hipify/warp32.hpp",
        )
    if is_reached(context.options.rocm, "7.0.0"):
        return
    groups = {match[1] for match in _GROUP.finditer(code) if _is_group(code, match)}
    hidden = [match for match in _VOTE.finditer(code) if match[1] in groups]
    hidden += re.finditer(rb"\bbinary_partition\s*\(", code)
    for match in hidden[:1]:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            Span(*match.span()),
            "HIP declares votes and binary partitions of groups before ROCm 7.0 only on request",
            "compile with -DHIP_ENABLE_WARP_SYNC_BUILTINS",
        )


def _is_group(code: bytes, match: re.Match[bytes]) -> bool:
    """Whether the declaration is that of a group; `auto` alone tells nothing."""
    return not match[0].startswith(b"auto") or _MAKES_GROUP.match(code, match.end() - 1) is not None


RULE = Rule(
    id="cooperative-group-partition",
    summary="Partitions by label do not exist in HIP; votes of groups need a macro before ROCm 7.0.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    diagnoses=(
        Diagnosis(
            "#include <cooperative_groups.h>\n"
            "__device__ void f(int l) { auto g = cooperative_groups::labeled_partition(cooperative_groups::coalesced_threads(), l); }\n",
            "no labeled_partition",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"
        "__device__ int f(int l) { auto g = cooperative_groups::coalesced_threads(); return g.any(l); }\n",
    ),
)
