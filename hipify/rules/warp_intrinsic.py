"""Warp shuffles, votes, matches and reductions: 32 lanes and 32-bit masks on every GPU."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Directive
from hipify.mapping import is_reached
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site
from hipify.source import Span
from hipify.waves.masks import is_wide
from hipify.waves.native import Native, native
from hipify.waves.origin import Origin, origin

HEADER = "hipify/warp32.hpp"
MASKED = frozenset(
    (
        *("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"),
        *("__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync", "__match_all_sync"),
        *(f"__reduce_{what}_sync" for what in ("add", "min", "max", "and", "or", "xor")),
        "__syncwarp",
    )
)
# Functions without a mask mean the same as HIP's, but for the width of the warp.
PLAIN = frozenset(
    (
        *("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"),
        *("__ballot", "__any", "__all", "__activemask"),
    )
)
_TOLD = "warp-intrinsic-native-told"
_NAMING = frozenset((b"define", b"undef", b"ifdef", b"ifndef"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Leads a call to the function of warp32.hpp that has CUDA's meaning."""
    if _names_a_macro(site, context):
        return
    if not _is_cuda(site, context):
        yield from _doubt(site, context)
        return
    if _is_defined_here(site, context):
        yield from _own_function(site, context)
        return
    if context.options.wave_policy == "report":
        yield _report(site)
        return
    if context.options.wave_policy == "native":
        plan = native(context, MASKED | PLAIN, MASKED)
        yield from _native(site, context, plan)
        if not plan.reason:
            return
    context.support_headers.add(HEADER)
    edit = Edit(site.span.start, site.span.end, b"hipify::" + site.name[2:].encode())
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


def _native(site: Site, context: Context, plan: Native) -> Iterator[Finding]:
    """The whole-wave form of the call; where the file cannot have it, why, once a file."""
    if not plan.reason:
        edits = plan.edits[site.span.start]
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", edits)
        if site.name not in MASKED or is_reached(context.options.rocm, "7.0.0"):
            return
        message = f"HIP declares {site.name} before ROCm 7.0 only where it is asked to"
        remedy = "compile with -DHIP_ENABLE_WARP_SYNC_BUILTINS"
    else:
        message = f"the file keeps warps of 32 lanes: {plan.reason}"
        remedy = "rewrite that for any width of warp, or leave the file as it is: it is right"
    if not context.state.get(_TOLD):
        context.state[_TOLD] = True
        yield Finding(RULE.id, Severity.NOTE, site.span, message, remedy)


def _doubt(site: Site, context: Context) -> Iterator[Finding]:
    """A mask whose width the file does not tell, in code for CUDA and HIP."""
    if site.name not in MASKED or origin(context) is not Origin.BOTH:
        return
    call = context.call_after(site.span)
    if call is not None and call.args and is_wide(context.text(call.args[0]), context) is None:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"{site.name} may be CUDA's, whose masks have 32 bits, or HIP's with 64: "
            "this file has code for both",
            f"see which; if it is CUDA's, call hipify::{site.name[2:]} of {HEADER}",
        )


def _is_cuda(site: Site, context: Context) -> bool:
    """Whether the call means CUDA's function, not HIP's of the same name."""
    if site.name not in MASKED:
        return origin(context) is Origin.CUDA
    call = context.call_after(site.span)
    mask = context.text(call.args[0]) if call is not None and call.args else b""
    wide = is_wide(mask, context)
    if wide is None:
        return origin(context) is Origin.CUDA
    return not wide


def _report(site: Site) -> Finding:
    if site.name in MASKED and site.name != "__syncwarp":
        what = "takes a 64-bit mask in HIP, whose warps have 64 lanes on CDNA GPUs"
        severity = Severity.ERROR
    else:
        what = "speaks of all 64 lanes of a wave on CDNA GPUs, where CUDA means 32"
        severity = Severity.WARNING
    return Finding(
        RULE.id,
        severity,
        site.span,
        f"{site.name} {what}",
        f"call hipify::{site.name[2:]} of {HEADER}, which --wave-policy logical32 does for you",
    )


def _names_a_macro(site: Site, context: Context) -> bool:
    """Whether the name is that of a macro being defined or tested, not a call."""
    directive = context.lexed.directive_at(site.span.start)
    if directive is None:
        return False
    if directive.name in (b"if", b"elif"):
        return True
    return directive.name in _NAMING and _macro_name(directive, context) == site.span


def _macro_name(directive: Directive, context: Context) -> Span:
    """The first word after the directive's own name."""
    at = context.data.index(directive.name, directive.start) + len(directive.name)
    while context.data[at : at + 1] in (b" ", b"\t"):
        at += 1
    end = at
    while end < directive.end and (
        context.data[end : end + 1].isalnum() or context.data[end] == 0x5F
    ):
        end += 1
    return Span(at, end)


def _is_defined_here(site: Site, context: Context) -> bool:
    """Whether the file always has a function or macro of its own by this name at the site."""
    own: dict[str, bool] = context.state.setdefault(RULE.id, {})
    if site.name not in own:
        own[site.name] = any(
            context.text(span) == site.name.encode() and _is_definition(span, context)
            for span in context.lexed.identifiers
        )
    return own[site.name]


def _is_definition(span: Span, context: Context) -> bool:
    directive = context.lexed.directive_at(span.start)
    if directive is not None:
        # A macro in a branch is a stand-in for old toolkits; calls need not go through it.
        unconditional = len(directive.around) == 0
        return (
            unconditional
            and directive.name == b"define"
            and _macro_name(directive, context) == span
        )
    call = context.call_after(span)
    return call is not None and context.lexed.code[call.close :].lstrip()[:1] == b"{"


def _own_function(site: Site, context: Context) -> Iterator[Finding]:
    if not _is_definition(site.span, context):
        return
    yield Finding(
        RULE.id,
        Severity.WARNING,
        site.span,
        f"the file has a {site.name} of its own, so its calls stay as they are",
        "see that it means 32 lanes and that its name does not clash with HIP's function",
    )


RULE = Rule(
    id="warp-intrinsic",
    summary="Warp shuffles, votes, matches and reductions keep CUDA's 32 lanes and 32-bit masks, by a small header.",
    visit=visit,
    names=MASKED | PLAIN,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ float sum(float v) {\n"
            "  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);\n"
            "  return v;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "__device__ float sum(float v) {\n"
            "  for (int d = 16; d > 0; d /= 2) v += hipify::shfl_xor_sync(0xffffffff, v, d);\n"
            "  return v;\n"
            "}\n",
        ),
        Rewrite(
            "__device__ int place(bool p, unsigned lane) {\n"
            "  unsigned m = __ballot_sync(~0u, p);\n"
            "  return __popc(m & ((1u << lane) - 1)) + __ffs(m) - 1;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "__device__ int place(bool p, unsigned lane) {\n"
            "  unsigned m = hipify::ballot_sync(~0u, p);\n"
            "  return __popc(m & ((1u << lane) - 1)) + __ffs(m) - 1;\n"
            "}\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "#define ANY(p) __any_sync(__activemask(), p)\n"
            "__device__ void f() { __syncwarp(); }\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "#define ANY(p) hipify::any_sync(hipify::activemask(), p)\n"
            "__device__ void f() { hipify::syncwarp(); }\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "#if CUDART_VERSION < 9000\n"
            "#define __shfl_down_sync(mask, v, d) __shfl_down(v, d)\n"
            "#endif\n"
            "__device__ int f(int v) { return __shfl_down_sync(~0u, v, 1); }\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "#if CUDART_VERSION < 9000\n"
            "#define __shfl_down_sync(mask, v, d) hipify::shfl_down(v, d)\n"
            "#endif\n"
            "__device__ int f(int v) { return hipify::shfl_down_sync(~0u, v, 1); }\n",
        ),
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__global__ void k(float* v, int* places, int lane) {\n"
            "  float s = v[lane];\n"
            "  for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);\n"
            "  unsigned m = __ballot_sync(~0u, s > 0);\n"
            "  places[lane] = __popc(m & ((1u << lane) - 1)) + __ffs(m) - 1;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            "__global__ void k(float* v, int* places, int lane) {\n"
            "  float s = v[lane];\n"
            "  for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffffffffffULL, s, d);\n"
            "  unsigned long long m = __ballot_sync(0xffffffffffffffffULL, s > 0);\n"
            "  places[lane] = __popcll(m & ((1ull << lane) - 1)) + __ffsll(m) - 1;\n"
            "}\n",
            {"wave_policy": "native"},
        ),
    ),
    diagnoses=(
        Diagnosis(
            "__device__ double __shfl_sync(unsigned m, double v, int l) { return v; }\n",
            "of its own",
        ),
        Diagnosis(
            "#include <cuda_runtime.h>\n#include <hip/hip_runtime.h>\n"
            "__device__ int f(int v) { return __shfl_sync(FULL_MASK, v, 0); }\n",
            "code for both",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n"
        "__device__ int f(int v) { return __shfl_xor(v, 1) + __popcll(__ballot(v)); }\n",
        "#include <hip/hip_runtime.h>\n"
        "__device__ int f(int v) { return __shfl_xor_sync(0xffffffffffffffffULL, v, 1); }\n",
        "#include <hip/hip_runtime.h>\n"
        '#include "hipify/warp32.hpp"\n'
        "__device__ int f(unsigned m, int v) { return hipify::shfl_xor_sync(m, v, 1); }\n",
    ),
)
