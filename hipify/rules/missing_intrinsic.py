"""Device functions that HIP lacks and that small headers of ours have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Directive
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_BINARY = "addss addus subss subus abs absss neg negss absdiffs absdiffu avgs avgu haddu"
_ROUNDED = "fadd fsub fmul fmaf fdiv frcp fsqrt dadd dsub dmul fma ddiv drcp dsqrt fmaf_ieee"
_COMPARED = ["eq", "ne", "gts", "gtu", "ges", "geu", "lts", "ltu", "les", "leu"]
_INTEGERS = ["int", "short", "uint", "ushort", "ll", "ull"]
_ROUNDINGS = ["rn", "rz", "rd", "ru"]


def _simd() -> Iterator[str]:
    packed = [*_BINARY.split(), "add", "sub", "maxs", "maxu", "mins", "minu", "sads", "sadu"]
    packed += [kind + what for kind in ("cmp", "set") for what in _COMPARED]
    yield from (f"__v{what}{size}" for what in packed for size in "24")
    for best in ("max", "min"):
        for word in ("s32", "u32", "s16x2", "u16x2"):
            for relu in ("", "_relu") if word[0] == "s" else ("",):
                yield f"__vi{best}3_{word}{relu}"
                yield f"__viadd{best}_{word}{relu}"
                yield f"__vi{best}_{word}{relu}" if relu else f"__vib{best}_{word}"


def _half() -> Iterator[str]:
    yield from (
        f"__h{what}2_mask"
        for what in ["eq", "ne", "le", "ge", "lt", "gt", "equ", "neu", "leu", "geu", "ltu", "gtu"]
    )
    yield from (f"__h{what}_rn" for what in ["add", "add2", "sub", "sub2", "mul", "mul2"])
    yield from ["__hfma_relu", "__hfma2_relu", "__hcmadd", "__hmax2_nan", "__hmin2_nan"]
    yield from ["htanh", "h2tanh", "htanh_approx", "h2tanh_approx"]


def _bfloat() -> Iterator[str]:
    for type_ in _INTEGERS:
        yield from (f"__bfloat162{type_}_{rounding}" for rounding in _ROUNDINGS)
        yield from (f"__{type_}2bfloat16_{rounding}" for rounding in _ROUNDINGS)
    yield from ["__bfloat162char_rz", "__bfloat162uchar_rz"]
    yield from (f"__float2bfloat16_{rounding}" for rounding in _ROUNDINGS[1:])


_ATOMICS = ["Add", "Sub", "Exch", "Min", "Max", "And", "Or", "Xor", "CAS", "Inc", "Dec"]
_ODDS = [
    "__dp4a",
    "__dp2a_lo",
    "__dp2a_hi",
    "__ldca",
    "__ldcg",
    "__ldcs",
    "__ldlu",
    "__ldcv",
    "__stwb",
    "__stcg",
    "__stcs",
    "__stwt",
    "__isShared",
    "__isLocal",
    "__isGlobal",
    "__cvta_generic_to_shared",
    "__cvta_shared_to_generic",
    "__cvta_generic_to_global",
    "__cvta_global_to_generic",
    "__nv_bswap16",
    "__nv_bswap32",
    "__nv_bswap64",
    "__tanhf",
    "__nanosleep",
    "__trap",
    "__brkpt",
    "__prof_trigger",
    "fdivide",
]

HEADERS = {
    **dict.fromkeys(_simd(), "hipify/simd.hpp"),
    **dict.fromkeys(_ODDS, "hipify/intrinsics.hpp"),
    **{
        f"__{what}_{rounding}": "hipify/rounding.hpp"
        for what in _ROUNDED.split()
        for rounding in _ROUNDINGS[1:]
    },
    "__fmaf_ieee_rn": "hipify/rounding.hpp",
    **dict.fromkeys((f"atomic{what}_block" for what in _ATOMICS), "hipify/atomics.hpp"),
    **dict.fromkeys(("atomicInc_system", "atomicDec_system"), "hipify/atomics.hpp"),
    **dict.fromkeys(_half(), "hipify/half.hpp"),
    **dict.fromkeys(("__double2half", "__half2char_rz", "__half2uchar_rz"), "hipify/half.hpp"),
    **dict.fromkeys(_bfloat(), "hipify/bfloat16.hpp"),
}
"""The header of ours that has each CUDA function, without its leading underscores, in namespace hipify."""

_SATURATED = tuple(f"__h{what}{pair}_sat" for what in ("add", "sub", "mul") for pair in ("", "2"))
OVERLOADED = {
    "hipify/half.hpp": frozenset(("__hmax2", "__hmin2", "atomicAdd")),
    "hipify/bfloat16.hpp": frozenset(("__ldg", "atomicAdd", *_SATURATED)),
}
"""Functions that HIP has for other types; our headers add overloads, and the calls stay as they are."""

_TYPES = {
    "hipify/half.hpp": re.compile(rb"\b(?:__)?(?:nv_)?half2?\b"),
    "hipify/bfloat16.hpp": re.compile(rb"bfloat16"),
}

_NAMING = frozenset((b"define", b"undef", b"ifdef", b"ifndef", b"if", b"elif"))
_MACRO_NAME = re.compile(rb"\#[ \t]*\w+[ \t]+(\w+)")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Leads a call to our function of that name, unless the file has one of its own."""
    directive = context.lexed.directive_at(site.span.start)
    if directive is not None and _asks_about_the_name(site, directive, context):
        return
    if _is_own_macro(site.name, context):
        return
    if site.name not in HEADERS:
        context.support_headers.update(_headers_for_overloads(site.name, context))
        return
    header = HEADERS[site.name]
    if header == "hipify/half.hpp" and _TYPES["hipify/bfloat16.hpp"].search(context.data):
        header = "hipify/bfloat16.hpp"  # it brings the other one
    context.support_headers.add(header)
    name = b"hipify::" + site.name.removeprefix("__").encode()
    edit = Edit(site.span.start, site.span.end, name)
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


def _headers_for_overloads(name: str, context: Context) -> list[str]:
    """Headers that add a type's overload, where the file has that type: the last of them brings the others."""
    wanted = [
        header
        for header, names in OVERLOADED.items()
        if name in names and _names_type_of(header, context)
    ]
    return wanted[-1:]


def _names_type_of(header: str, context: Context) -> bool:
    """Whether the file names a type that the header is about, looked up once."""
    known: dict[str, bool] = context.state.setdefault(f"{RULE.id} types", {})
    if header not in known:
        known[header] = _TYPES[header].search(context.lexed.macro_code) is not None
    return known[header]


def _asks_about_the_name(site: Site, directive: Directive, context: Context) -> bool:
    """Whether a directive defines or tests a macro of this name, instead of calling the function."""
    if directive.name not in _NAMING:
        return False
    if directive.name in (b"if", b"elif"):
        return True
    match = _MACRO_NAME.match(context.data, directive.start)
    return match is not None and match.start(1) == site.span.start


def _is_own_macro(name: str, context: Context) -> bool:
    """Whether the file defines a macro of this name; that of a function is no site at all."""
    own: dict[str, bool] = context.state.setdefault(RULE.id, {})
    if name not in own:
        macro = re.compile(rb"#[ \t]*define[ \t]+%s\b" % name.encode())
        own[name] = macro.search(context.lexed.macro_code) is not None
    return own[name]


RULE = Rule(
    id="missing-intrinsic",
    summary="Device functions that HIP lacks (SIMD in a word, cache hints, directed rounding, scopes) come from small headers.",
    visit=visit,
    names=frozenset(HEADERS).union(*OVERLOADED.values()),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ int f(int a, int b, int c) { return __dp4a(a, b, c) + __vsadu4(a, b); }\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/intrinsics.hpp"\n'
            '#include "hipify/simd.hpp"\n'
            "__device__ int f(int a, int b, int c) { return hipify::dp4a(a, b, c) + hipify::vsadu4(a, b); }\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "#define ADD(p, v) atomicAdd_block(p, v)\n"
            "__global__ void k(float* p) { ADD(p, __fadd_rz(__ldcs(p + 1), 1.0f)); }\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/atomics.hpp"\n'
            '#include "hipify/intrinsics.hpp"\n'
            '#include "hipify/rounding.hpp"\n'
            "#define ADD(p, v) hipify::atomicAdd_block(p, v)\n"
            "__global__ void k(float* p) { ADD(p, hipify::fadd_rz(hipify::ldcs(p + 1), 1.0f)); }\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n"
            "__global__ void k(__half2* p, int* n) { atomicAdd(p, __hmax2(p[1], p[2])); atomicAdd(n, 1); }\n",
            '#include <hip/hip_runtime.h>\n#include "hipify/half.hpp"\n#include <hip/hip_fp16.h>\n'
            "__global__ void k(__half2* p, int* n) { atomicAdd(p, __hmax2(p[1], p[2])); atomicAdd(n, 1); }\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n"
        "__device__ int __dp4a(int a, int b, int c) { return c; }\n"
        "__device__ int f(int a) { return __dp4a(a, a, a); }\n",
        "#include <hip/hip_runtime.h>\n#ifndef __ldcs\n#define __ldcs(p) (*(p))\n#endif\n"
        "__device__ int f(int* p) { return __ldcs(p); }\n",
        "#include <hip/hip_runtime.h>\nint f(S s) { return s.fdivide(1, 2) + q::htanh(2); }\n",
    ),
)
