"""`warpSize` is 64 on CDNA GPUs, and no constant from ROCm 7 on."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import skip_space_back
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.rules.warp_intrinsic import HEADER, MASKED, PLAIN
from hipify.sites import Site
from hipify.source import Span
from hipify.waves.native import native
from hipify.waves.origin import Origin, origin

_DIRECTIVES = frozenset((b"if", b"elif", b"ifdef", b"ifndef", b"undef"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Makes CUDA's `warpSize` the constant 32 that goes with 32-lane warps."""
    if origin(context) is not Origin.CUDA or _is_own(site, context):
        return
    if context.options.wave_policy == "report":
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            "warpSize is 64 on CDNA GPUs, and no constant expression from ROCm 7 on",
            f"use hipify::warp_size of {HEADER}, which --wave-policy logical32 does for you",
        )
        return
    if (
        context.options.wave_policy == "native"
        and not native(context, MASKED | PLAIN, MASKED).reason
    ):
        return
    context.support_headers.add(HEADER)
    edit = Edit(site.span.start, site.span.end, b"hipify::warp_size")
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


def _is_own(site: Site, context: Context) -> bool:
    """Whether the file has a variable, parameter or macro of its own by this name."""
    own: bool | None = context.state.get(RULE.id)
    if own is None:
        spans = [s for s in context.lexed.identifiers if context.text(s) == b"warpSize"]
        own = context.state[RULE.id] = any(
            _is_macro_name(context, span.start) or _is_declared(context, span) for span in spans
        )
    directive = context.lexed.directive_at(site.span.start)
    return own or (directive is not None and directive.name in _DIRECTIVES)


def _is_declared(context: Context, span: Span) -> bool:
    """Whether a declaration gives the name; only a word or `*&>` before it can make it one."""
    at = skip_space_back(context.lexed.code, span.start, 0)
    before = context.lexed.code[at - 1 : at]
    return (before.isalnum() or before in (b"_", b"*", b"&", b">")) and context.is_declared_here(
        span
    )


def _is_macro_name(context: Context, at: int) -> bool:
    directive = context.lexed.directive_at(at)
    if directive is None or directive.name != b"define":
        return False
    return context.data[directive.start : at].split() in ([b"#define"], [b"#", b"define"])


RULE = Rule(
    id="warp-size",
    summary="`warpSize` becomes the constant 32, since CUDA's warps stay 32 lanes wide.",
    visit=visit,
    names=frozenset(("warpSize",)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "template <int W = warpSize> __global__ void k(int* out) {\n"
            "  __shared__ int s[1024 / warpSize];\n"
            "  if (threadIdx.x % warpSize == 0) s[threadIdx.x / warpSize] = W;\n"
            "}\n",
            "#include <hip/hip_runtime.h>\n"
            '#include "hipify/warp32.hpp"\n'
            "template <int W = hipify::warp_size> __global__ void k(int* out) {\n"
            "  __shared__ int s[1024 / hipify::warp_size];\n"
            "  if (threadIdx.x % hipify::warp_size == 0) s[threadIdx.x / hipify::warp_size] = W;\n"
            "}\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n__device__ int f() { return threadIdx.x / warpSize; }\n",
        "#define warpSize 32\nint f(int n) { return n / warpSize; }\n",
        "int f(int n) { const int warpSize = 32; return n / warpSize; }\n",
    ),
)
