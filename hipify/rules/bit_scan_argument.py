"""__ffsll of what is neither long long nor unsigned long long: ambiguous in HIP, which has both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import word_before
from hipify.context import Context
from hipify.edits import Edit, wrap
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site
from hipify.source import Span

_CAST = re.compile(
    rb"\(\s*(?:unsigned\s+)?long\s+long(?:\s+int)?\s*\)|static_cast<(?:unsigned )?long long"
)
_LITERAL = re.compile(rb"(?:0[xX][0-9a-fA-F]+|\d+)[uU]?[lL]{2}[uU]?")
_WIDE_CALL = re.compile(rb"(?:__ballot|__ballot_sync|__brevll|__activemask)\s*\(")
_NAME = re.compile(rb"[(\s~*-]*([A-Za-z_]\w*)")
_POSTFIX = re.compile(rb"[\w.]+(?:\[[\w.]+\])?|\([^()]*\)")
_LONG_LONG = rb"\blong\s+long(?:\s+(?:unsigned\s+)?int)?\s*(?:const\s*)?[*&\s]*(?:\w+(?:\[[^\]]*\])?\s*,\s*)*%s\b"


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Casts the argument to long long, which is CUDA's only form, unless it is plainly of that size."""
    call = context.call_after(site.span)
    if (
        call is None
        or len(call.args) != 1
        or word_before(context.lexed.code, site.span.start) == b"int"
    ):
        return
    argument = call.args[0]
    if _is_long_long(argument, context):
        return
    simple = _POSTFIX.fullmatch(context.text(argument)) is not None
    before, after = (b"(long long)", b"") if simple else (b"(long long)(", b")")
    edits: tuple[Edit, ...] = wrap(argument.start, argument.end, before, after)
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", edits)


def _is_long_long(argument: Span, context: Context) -> bool:
    """Whether the text of the argument tells: a cast, a literal, or a variable that the file declares."""
    text = context.text(argument)
    if _CAST.match(text) or _LITERAL.fullmatch(text) or _WIDE_CALL.match(text):
        return True
    match = _NAME.match(text)
    if match is None:
        return False
    declared = re.compile(_LONG_LONG % re.escape(match[1]))
    return declared.search(context.lexed.macro_code) is not None


RULE = Rule(
    id="bit-scan-argument",
    summary="__ffsll gets a long long where HIP's two forms would be ambiguous (size_t, uint64_t, int).",
    visit=visit,
    names=frozenset(("__ffsll",)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ int f(uint64_t* m, size_t n) { return __ffsll(m[1]) + __ffsll(n & 3); }\n",
            "#include <hip/hip_runtime.h>\n"
            "__device__ int f(uint64_t* m, size_t n) { return __ffsll((long long)m[1]) + __ffsll((long long)(n & 3)); }\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n"
        "__device__ int f(unsigned long long m) { return __ffsll(m) + __ffsll((long long)3) + __ffsll(7ULL); }\n",
    ),
)
