"""The keyword `register`, which C++17 lacks: nvcc warns of it, clang refuses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_DECLARES = re.compile(rb"[ \t]+(?=[A-Za-z_:])")
_IN_ASSEMBLY = re.compile(rb"[^;{}()]*\b(?:asm|__asm__|__asm)\b")
_CUDA_FILES = frozenset((".cu", ".cuh", ""))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Removes it in CUDA files and device functions; a variable bound to a register keeps it."""
    suffix = PurePath(context.source.path).suffix.lower()
    if suffix not in _CUDA_FILES and context.device_function_at(site.span.start) is None:
        return
    code = context.lexed.macro_code
    gap = _DECLARES.match(code, site.span.end)
    if gap is None or _IN_ASSEMBLY.match(code, site.span.end):
        return
    edit = Edit(site.span.start, gap.end(), b"")
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


RULE = Rule(
    id="register-variable",
    summary="`register` before a variable goes: C++17 has no such keyword, and it means nothing to either compiler.",
    visit=visit,
    names=frozenset(("register",)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n__device__ int f(const register float a) { register int i = 3, register_count; return i; }\n",
            "#include <hip/hip_runtime.h>\n__device__ int f(const float a) { int i = 3, register_count; return i; }\n",
        ),
    ),
    keeps=(
        '#include <hip/hip_runtime.h>\nvoid f() { register long a asm("rax"); cudaq::register(3); }\n',
        "#include <hip/hip_runtime.h>\n// register int\nint register_(int);\n",
    ),
)
