"""Kernel launches: kept as `<<<>>>`, or written as hipLaunchKernelGGL on request."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.arguments import Launch
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """With the HIP launch syntax, turns `k<<<g, b>>>(x)` into a hipLaunchKernelGGL call."""
    if context.options.launch_syntax != "hip":
        return
    launch = context.launch_at(site.span.start)
    if launch is None:
        return
    if launch.call is None and _ends_macro(launch, context):
        return  # the rule macro-launch completes it where the macro is used
    if launch.call is None or len(launch.config) < 2:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            "this launch is not complete here and stays as it is",
            "write the launch in one place as hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)",
        )
        return
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", tuple(_edits(launch, context)))


def _ends_macro(launch: Launch, context: Context) -> bool:
    """Whether the launch's `>>>` is the end of a macro's text, so that its arguments are elsewhere."""
    macro = context.lexed.directive_at(launch.open)
    if macro is None or macro.name != b"define" or len(launch.config) < 2:
        return False
    return not context.lexed.macro_code[launch.close : macro.end].strip(b"; \t\r\n")


def launch_head(context: Context, kernel: bytes, config: list[bytes]) -> bytes:
    """A hipLaunchKernelGGL call up to the kernel's arguments, without a comma before them."""
    templated = _is_templated(context, kernel)
    parts = [b"HIP_KERNEL_NAME(" + kernel + b")" if templated else kernel]
    for number, part in enumerate(config):
        before, after = _dressing(number, part)
        parts.append(before + part + after)
    parts += [b"0"] * (4 - len(config))
    return b"hipLaunchKernelGGL(" + b", ".join(parts)


def _is_templated(context: Context, kernel: bytes) -> bool:
    if kernel.startswith(b"("):
        return False
    return b"<" in kernel or context.is_kernel_template(kernel)


def _edits(launch: Launch, context: Context) -> Iterator[Edit]:
    kernel, config, call = launch.kernel, launch.config, launch.call
    assert call is not None
    templated = _is_templated(context, context.text(kernel))
    opening = b"hipLaunchKernelGGL(HIP_KERNEL_NAME(" if templated else b"hipLaunchKernelGGL("
    yield Edit(kernel.start, kernel.start, opening, call.close)
    at, pending = kernel.end, b")" if templated else b""
    for number, part in enumerate(config):
        before, after = _dressing(number, context.text(part))
        yield _gap(context, at, part.start, pending + b", ", before)
        at, pending = part.end, after
    pending += b", 0" * (4 - len(config))
    if call.args:
        # An empty __VA_ARGS__ must take the comma before it away.
        paste = b"##" if context.text(call.args[0]) == b"__VA_ARGS__" else b""
        yield _gap(context, at, call.args[0].start, pending + b", ", paste)
    else:
        yield _gap(context, at, call.close, pending, b")")


def _dressing(number: int, text: bytes) -> tuple[bytes, bytes]:
    """What goes around a launch parameter: `dim3(...)` around grid and block, `()` to hide commas."""
    if number < 2:
        return (b"", b"") if text.startswith(b"dim3") else (b"dim3(", b")")
    if b"<" in text and b"," in text:
        return b"(", b")"
    return b"", b""


def _gap(context: Context, start: int, end: int, before: bytes, after: bytes) -> Edit:
    """Replaces the punctuation between two parts; comments in between stay there."""
    comments = [
        context.text(span)
        for span in context.lexed.comments
        if start <= span.start and span.end <= end
    ]
    for comment in comments:
        before += comment + (context.source.newline if comment.startswith(b"//") else b" ")
    return Edit(start, end, before + after)


RULE = Rule(
    id="kernel-launch",
    summary="`k<<<grid, block>>>(args)` stays, or becomes hipLaunchKernelGGL on request.",
    visit=visit,
    kinds=frozenset((SiteKind.LAUNCH,)),
    rewrites=(
        Rewrite(
            "#include <hip/hip_runtime.h>\nvoid f() { k<<<1, 1>>>(); s<8, 2><<<g(a, b), dim3(4), 0>>>(x, y); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0); "
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(s<8, 2>), dim3(g(a, b)), dim3(4), 0, 0, x, y); }\n",
            {"launch_syntax": "hip"},
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\n#define L(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\nvoid f() { L(k, 1, 2, 3); }\n",
            "#include <hip/hip_runtime.h>\n#define L(k, g, b, ...) hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, ##__VA_ARGS__)\n"
            "void f() { L(k, 1, 2, 3); }\n",
            {"launch_syntax": "hip"},
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\ntemplate <class T> __global__ void k(T x) {}\n"
            "void f() { k<<<1, 2>>>(3); ::g<<<1, 2>>>(); }\n",
            "#include <hip/hip_runtime.h>\ntemplate <class T> __global__ void k(T x) {}\n"
            "void f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(1), dim3(2), 0, 0, 3); "
            "hipLaunchKernelGGL(::g, dim3(1), dim3(2), 0, 0); }\n",
            {"launch_syntax": "hip"},
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\nvoid f() { (n > 3 ? k<1, 2> : k<3, 4>)<<<1, n>>>(p); }\n",
            "#include <hip/hip_runtime.h>\nvoid f() { hipLaunchKernelGGL((n > 3 ? k<1, 2> : k<3, 4>), dim3(1), dim3(n), 0, 0, p); }\n",
            {"launch_syntax": "hip"},
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nvoid f() { k<<<1, 2>>>(3); }\n",
        "<<<<<<< HEAD\n>>>>>>> x\n",
    ),
)
