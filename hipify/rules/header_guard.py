"""Tests whether a header of CUDA's was included, by the macro that guards it: HIP's headers have their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site

_GUARDS = {
    "__DRIVER_TYPES_H__": "HIP_INCLUDE_HIP_DRIVER_TYPES_H",
    "__CUDA_RUNTIME_H__": "HIP_INCLUDE_HIP_HIP_RUNTIME_H",
    "__CUDA_RUNTIME_API_H__": "HIP_INCLUDE_HIP_HIP_RUNTIME_API_H",
    "__cuda_cuda_h__": "HIP_INCLUDE_HIP_HIP_RUNTIME_API_H",
    "__CUDA_FP16_H__": "HIP_INCLUDE_HIP_HIP_FP16_H",
    "__CUDA_BF16_H__": "HIP_INCLUDE_HIP_HIP_BF16_H",
    "__VECTOR_TYPES_H__": "HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H",
    "__TEXTURE_TYPES_H__": "HIP_INCLUDE_HIP_TEXTURE_TYPES_H",
    "CU_COMPLEX_H_": "HIP_INCLUDE_HIP_HIP_COMPLEX_H",
    "_COOPERATIVE_GROUPS_H_": "HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUP_H",
    "CUBLAS_API_H_": "HIPBLAS_H",
    "CUBLAS_V2_H_": "HIPBLAS_H",
    "CUBLAS_H_": "HIPBLAS_H",
    "_CUFFT_H_": "HIPFFT_H_",
    "CURAND_H_": "HIPRAND_H_",
    "CUSPARSEAPI": "HIPSPARSE_H",
    "CUSPARSE_H_": "HIPSPARSE_H",
    "CUSOLVER_COMMON_H_": "HIPSOLVER_H",
    "CUSOLVERDN_H_": "HIPSOLVER_H",
}
_TESTS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef"))


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Gives the test HIP's macro, unless the file defines CUDA's itself."""
    directive = context.lexed.directive_at(site.span.start)
    if directive is None or directive.name not in _TESTS:
        return
    own = re.compile(rb"#[ \t]*define[ \t]+%s\b" % site.name.encode())
    if own.search(context.lexed.macro_code):
        return
    edit = Edit(site.span.start, site.span.end, _GUARDS[site.name].encode())
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))


RULE = Rule(
    id="header-guard",
    summary="A test of a CUDA header's include guard asks for the guard of HIP's header instead.",
    visit=visit,
    names=frozenset(_GUARDS),
    rewrites=(
        Rewrite(
            "#include <hip/hip_runtime.h>\n#ifdef __DRIVER_TYPES_H__\nint f();\n#endif\n#if !defined(CUBLAS_API_H_)\n#endif\n",
            "#include <hip/hip_runtime.h>\n#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H\nint f();\n#endif\n#if !defined(HIPBLAS_H)\n#endif\n",
        ),
    ),
    keeps=("#ifndef __CUDA_RUNTIME_H__\n#define __CUDA_RUNTIME_H__\nint x;\n#endif\n",),
)
