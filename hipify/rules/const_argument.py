"""Pointers to what is only read, for which HIP's parameters lacked a const."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import wrap
from hipify.finding import Finding, Severity
from hipify.mapping import is_reached
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_SINCE = "7.0.0"
# Which argument, and what HIP's was before it got its const.
_ARGUMENTS = {
    "cuMemcpyHtoD": (1, b"void*"),
    "cuMemcpyHtoD_v2": (1, b"void*"),
    "cuMemcpyHtoDAsync": (1, b"void*"),
    "cuMemcpyHtoDAsync_v2": (1, b"void*"),
    "nvrtcCompileProgram": (2, b"const char**"),
}
_NAME = re.compile(rb"[A-Za-z_]\w*")
_CONST = rb"\bconst\s+[\w:]+(?:\s+\w+)*\s*\*+\s*(?:const\s+)?%s\b|[\w:]+\s+const\s*\*\s*%s\b"
_PLAIN_STRINGS = (
    rb"\bchar\s*\*\*\s*%s\b|\bchar\s*\*\s*%s\s*\[|\bconst\s+char\s*\*\s*const\s*\*\s*%s\b"
)
_CONST_STRINGS = rb"\bconst\s+char\s*\*\s*%s\s*\[|\bconst\s+char\s*\*\*\s*%s\b"


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Casts a variable that the file declares with another const, for ROCm versions that need it."""
    index, type_ = _ARGUMENTS[site.name]
    call = context.call_after(site.span)
    if is_reached(context.options.rocm, _SINCE) or call is None or index >= len(call.args):
        return
    argument = call.args[index]
    if _differs(context.text(argument), type_, context.lexed.macro_code):
        edits = wrap(argument.start, argument.end, b"(" + type_ + b")", b"")
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", edits)


def _differs(name: bytes, type_: bytes, code: bytes) -> bool:
    """Whether the declaration of a variable tells that it does not convert to the type."""
    if not _NAME.fullmatch(name):
        return False
    if type_ == b"void*":
        return _declared(_CONST, name, code)
    return _declared(_PLAIN_STRINGS, name, code) and not _declared(_CONST_STRINGS, name, code)


def _declared(pattern: bytes, name: bytes, code: bytes) -> bool:
    count = pattern.count(b"%s")
    return re.search(pattern % ((re.escape(name),) * count), code) is not None


RULE = Rule(
    id="const-argument",
    summary="Arguments of hipMemcpyHtoD and hiprtcCompileProgram are cast where HIP before ROCm 7.0 lacks a const.",
    visit=visit,
    names=frozenset(_ARGUMENTS),
    rewrites=(
        Rewrite(
            "#include <cuda.h>\nvoid f(CUdeviceptr d, const float* h, float* g) {\n"
            "  cuMemcpyHtoD(d, h, 4);\n  cuMemcpyHtoD(d, g, 4);\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f(hipDeviceptr_t d, const float* h, float* g) {\n"
            "  hipMemcpyHtoD(d, (void*)h, 4);\n  hipMemcpyHtoD(d, g, 4);\n}\n",
            {"rocm": (6, 4)},
        ),
        Rewrite(
            "#include <nvrtc.h>\nvoid f(nvrtcProgram p, char** o) { nvrtcCompileProgram(p, 1, o); }\n",
            "#include <hip/hip_runtime.h>\n#include <hip/hiprtc.h>\n"
            "void f(hiprtcProgram p, char** o) { hiprtcCompileProgram(p, 1, (const char**)o); }\n",
            {"rocm": (6, 4)},
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nvoid f(hipDeviceptr_t d, const float* h) { g(d, h, 4); }\n",
    ),
)
