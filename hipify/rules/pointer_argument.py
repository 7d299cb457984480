"""Addresses of typed pointers, for which CUDA has templates and HIP takes a void** alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_NAMES = frozenset(("cudaHostGetDevicePointer", "cudaGetSymbolAddress"))
_ADDRESS = re.compile(rb"&\s*(\w+)")
# A declaration: the type's last word, a star, perhaps other declarators, and the name.
_DECLARED = rb"\b(\w+)\s*>?\s*(?:const\s*)?\*\s*(?:(?:__restrict__\s*)?\w+\s*(?:=[^,;()]*)?,\s*\*\s*)*%s\b\s*[;,=)]"
_NO_TYPES = frozenset((b"return", b"void", b"sizeof", b"case"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Casts the first argument where the file declares the variable as a pointer to something."""
    call = context.call_after(site.span)
    if call is None or len(call.args) < 2 or context.options.as_amd:
        return
    address = _ADDRESS.fullmatch(context.text(call.args[0]))
    if address is None:
        return
    declared = re.compile(_DECLARED % re.escape(address[1]))
    types = {match[1] for match in declared.finditer(context.lexed.code)}
    if types - _NO_TYPES and b"void" not in types:
        at = call.args[0].start
        edit = Edit(at, at, b"(void**)")
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


RULE = Rule(
    id="pointer-argument",
    summary="The address of a typed pointer is cast for hipHostGetDevicePointer and hipGetSymbolAddress, which take a void**.",
    visit=visit,
    names=_NAMES,
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\nvoid f(void* h) {\n  float *a, *b = 0;\n  void* v;\n"
            "  cudaHostGetDevicePointer(&b, h, 0);\n  cudaHostGetDevicePointer(&v, h, 0);\n"
            "  cudaHostGetDevicePointer((void**)&a, h, 0);\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f(void* h) {\n  float *a, *b = 0;\n  void* v;\n"
            "  hipHostGetDevicePointer((void**)&b, h, 0);\n  hipHostGetDevicePointer(&v, h, 0);\n"
            "  hipHostGetDevicePointer((void**)&a, h, 0);\n}\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nvoid f(int* p) { hipHostGetDevicePointer(&p, p, 0); }\n",
    ),
)
