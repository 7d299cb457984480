"""Launches of which a macro holds a part: `#define K k<<<1, 2>>>` and then `K(x)`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from hipify.arguments import Call, Launch, call_at, launch_at
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Directive
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.rules.kernel_launch import launch_head
from hipify.sites import Site, SiteKind
from hipify.source import Span

_HEAD = re.compile(rb"#[ \t]*define[ \t]+(\w+)(\([\w \t,.]*\))?[ \t\r\n]*")
_REST = re.compile(rb"[\s;]*\Z")


class _Macro(NamedTuple):
    """A macro whose text is a launch and nothing else; `parameters` None where it takes none."""

    name: bytes
    parameters: tuple[bytes, ...] | None
    launch: Launch


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Writes each use of such a macro as a launch of its own."""
    if context.options.launch_syntax != "hip" or not context.lexed.launches:
        return
    for directive in context.lexed.directives:
        macro = _macro(directive, context) if directive.name == b"define" else None
        if macro is None:
            continue
        if macro.launch.call is None:
            yield from _completed(macro, context)
        elif macro.parameters is not None and context.options.unfold_launches:
            yield from _unfolded(macro, context)


def _macro(directive: Directive, context: Context) -> _Macro | None:
    """The macro that `directive` defines, if it is a launch."""
    code, end = context.lexed.macro_code, directive.end
    head = _HEAD.match(code, directive.start, end)
    at = code.find(b"<<<", head.end(), end) if head is not None else -1
    if head is None or at < 0:
        return None
    launch = launch_at(code, at, head.end(), end)
    if launch is None or launch.kernel.start != head.end() or len(launch.config) < 2:
        return None
    close = launch.call.close if launch.call is not None else launch.close
    if not _REST.match(code[close:end]):
        return None
    names = None
    if head[2] is not None:
        names = tuple(name.strip() for name in head[2][1:-1].split(b","))
    return _Macro(head[1], names, launch)


def _uses(macro: _Macro, context: Context) -> Iterator[tuple[Span, Call | None]]:
    code = context.lexed.code
    for match in re.finditer(rb"\b%s\b" % re.escape(macro.name), code):
        yield Span(*match.span()), call_at(code, match.end(), len(code))


def _completed(macro: _Macro, context: Context) -> Iterator[Finding]:
    """A macro without the arguments: what it stands for goes where it is called."""
    parts = (macro.launch.kernel, *macro.launch.config)
    uses = list(_uses(macro, context))
    whole = macro.parameters is None and not any(_names_cuda(part, context) for part in parts)
    for span, call in uses if whole else ():
        if call is None:
            whole = False
            continue
        kernel, *config = (context.text(part) for part in parts)
        end, separator = (call.args[0].start, b", ") if call.args else (call.close - 1, b"")
        head = launch_head(context, kernel, config) + separator
        yield Finding(RULE.id, Severity.NOTE, span, "", "", (Edit(span.start, end, head),))
    if not whole or not uses:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            Span(macro.launch.open, macro.launch.close),
            f"the macro {macro.name.decode('utf-8', 'replace')} holds a launch without arguments "
            "and stays as it is",
            "write the launch in one place as hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)",
        )


def _unfolded(macro: _Macro, context: Context) -> Iterator[Finding]:
    """A macro for any launch: each use is written out, as AMD's translator does."""
    assert macro.parameters is not None and macro.launch.call is not None
    for span, call in _uses(macro, context):
        if call is None or any(_names_cuda(arg, context) for arg in call.args):
            continue
        values = [context.text(arg) for arg in call.args]
        count = len(macro.parameters) - (macro.parameters[-1] == b"...")
        known = dict(zip(macro.parameters[:count], values, strict=False))
        known[b"__VA_ARGS__"] = b", ".join(values[count:])
        kernel, *config = (
            _filled(context.text(part), known)
            for part in (macro.launch.kernel, *macro.launch.config)
        )
        args = [_filled(context.text(arg), known) for arg in macro.launch.call.args]
        text = b", ".join([launch_head(context, kernel, config), *filter(None, args)]) + b")"
        edit = Edit(span.start, call.close, text)
        yield Finding(RULE.id, Severity.NOTE, span, "", "", (edit,))


def _filled(text: bytes, values: dict[bytes, bytes]) -> bytes:
    """The text with parameters replaced by what was given for them."""
    return re.sub(rb"\b[A-Za-z_]\w*", lambda match: values.get(match[0], match[0]), text)


def _names_cuda(span: Span, context: Context) -> bool:
    """Whether an identifier of CUDA's is in the span, which would have to be renamed there."""
    at = bisect_left(context.lexed.identifiers, span)
    found = context.lexed.identifiers[at : at + 1]
    return bool(found) and found[0].start < span.end


RULE = Rule(
    id="macro-launch",
    summary="A macro that holds a launch without its arguments is written out where it is called.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <hip/hip_runtime.h>\n#define K k<float><<<1, n>>>\nvoid f() { K(a, b); K (); }\n",
            "#include <hip/hip_runtime.h>\n#define K k<float><<<1, n>>>\nvoid f() { "
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float>), dim3(1), dim3(n), 0, 0, a, b); "
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float>), dim3(1), dim3(n), 0, 0); }\n",
            {"launch_syntax": "hip"},
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\n#define L(k, g, ...) k<<<g, 2>>>(__VA_ARGS__);\nvoid f() { L(k, 1, x, 3); }\n",
            "#include <hip/hip_runtime.h>\n#define L(k, g, ...) hipLaunchKernelGGL(k, dim3(g), dim3(2), 0, 0, ##__VA_ARGS__);\n"
            "void f() { hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x, 3); }\n",
            {"launch_syntax": "hip", "unfold_launches": True},
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#define K k<<<1, 2>>>\nvoid f() { g(K); }\n",
            "without arguments",
            {"launch_syntax": "hip"},
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n#define K k<<<1, 2>>>\nvoid f() { K(3); }\n",),
)
