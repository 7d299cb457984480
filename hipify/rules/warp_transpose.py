"""CUB's loads and stores that transpose within a warp: rocPRIM's want whole waves, of 64 lanes on CDNA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import split
from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site

_NAMES = tuple(
    f"BLOCK_{what}_WARP_TRANSPOSE{how}" for what in ("LOAD", "STORE") for how in ("", "_TIMESLICED")
)
_TEMPLATE = re.compile(rb"\bBlock(?:Load|Store)\s*<(?=[^;{}]*\Z)")
_NUMBER = re.compile(rb"\d+[uUlL]*")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Warns where the number of threads is not plainly a multiple of 64."""
    if context.is_own(site.span) or b"hipcub" in context.data:
        return
    threads = _threads(site, context)
    number = _NUMBER.fullmatch(threads)
    if number is not None and int(threads.rstrip(b"uUlL")) % 64 == 0:
        return
    shown = threads.decode("utf-8", "replace") or "the size"
    yield Finding(
        RULE.id,
        Severity.WARNING,
        site.span,
        f"{site.name} compiles for CDNA GPUs only where the block ({shown}) is a multiple of 64 threads",
        "use BLOCK_LOAD_TRANSPOSE or BLOCK_STORE_TRANSPOSE for other sizes",
    )


def _threads(site: Site, context: Context) -> bytes:
    """The second template argument of the BlockLoad or BlockStore that the name stands in."""
    code, begin, end = context.lexed.code_around(site.span.start)
    opening = _TEMPLATE.search(code, max(begin, site.span.start - 300), site.span.start)
    if opening is None:
        return b""
    _, args = split(code, opening.end(), end, b">")
    return code[args[1].start : args[1].end] if len(args) > 1 else b""


RULE = Rule(
    id="warp-transpose",
    summary="CUB's warp transposes in block loads and stores need blocks of whole waves: 64 threads on CDNA GPUs.",
    visit=visit,
    names=frozenset(_NAMES),
    diagnoses=(
        Diagnosis(
            "#include <cub/cub.cuh>\n"
            "typedef cub::BlockLoad<int, THREADS, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;\n",
            "(THREADS) is a multiple of 64",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\n"
        "typedef hipcub::BlockLoad<int, 32, 4, hipcub::BLOCK_LOAD_WARP_TRANSPOSE> Load;\n",
    ),
)
