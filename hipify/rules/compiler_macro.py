"""Macros that nvcc defines: those that HIP has under another name, and those that mean nothing on AMD."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site

_RENAMED = {"__CUDACC__": b"__HIPCC__", "__NVCC__": b"__HIPCC__"}
_VERSIONS = {
    "CUDA_VERSION": "the CUDA toolkit's version",
    "CUDART_VERSION": "the CUDA runtime's version",
    "__CUDACC_VER_MAJOR__": "nvcc's version",
    "__CUDACC_VER_MINOR__": "nvcc's version",
    "__CUDA_API_VERSION": "the CUDA toolkit's version",
}
_TESTS = frozenset((b"if", b"ifdef", b"ifndef", b"elif"))
_DEFINED = re.compile(rb"defined\s*\(?\s*\Z")
_GUARDED_COMPARISON = re.compile(rb"(?:defined\s*\(\s*__CUDA_ARCH__\s*\)|defined\s+__CUDA_ARCH__)")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Renames what has a twin; where a number is compared, says which branch AMD takes."""
    if site.name in _RENAMED:
        edit = Edit(site.span.start, site.span.end, _RENAMED[site.name])
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))
    elif site.name in _VERSIONS:
        yield Finding(
            RULE.id,
            Severity.WARNING,
            site.span,
            f"{site.name} is {_VERSIONS[site.name]}; HIP does not define it, so a test of it sees 0",
            "decide which branch HIP needs; HIP_VERSION is HIP's own number",
        )
    else:
        yield from _arch(site, context)


def _arch(site: Site, context: Context) -> Iterator[Finding]:
    if _only_asks_for_device(site, context):
        edit = Edit(site.span.start, site.span.end, b"__HIP_DEVICE_COMPILE__")
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))
        return
    yield Finding(
        RULE.id,
        Severity.WARNING,
        site.span,
        "__CUDA_ARCH__ is a number of NVIDIA's; AMD leaves it undefined and takes the branch for 0",
        "use __HIP_DEVICE_COMPILE__ to ask for device code, or a feature test for what the branch needs",
    )


def _only_asks_for_device(site: Site, context: Context) -> bool:
    """Whether the whole condition merely tests that the macro is defined."""
    directive = context.lexed.directive_at(site.span.start)
    if directive is None or directive.name not in _TESTS:
        return False
    if directive.name in (b"ifdef", b"ifndef"):
        return True
    condition = context.data[directive.start : directive.end]
    return condition.count(b"__CUDA_ARCH__") == len(_GUARDED_COMPARISON.findall(condition))


RULE = Rule(
    id="compiler-macro",
    summary="Tests of nvcc's macros become HIP's, or are reported where AMD would silently take the other branch.",
    visit=visit,
    names=frozenset((*_RENAMED, *_VERSIONS, "__CUDA_ARCH__")),
    rewrites=(
        Rewrite(
            "#include <hip/hip_runtime.h>\n#ifdef __CUDACC__\n#endif\n#if defined(__CUDA_ARCH__) && !defined(__NVCC__)\n#endif\n",
            "#include <hip/hip_runtime.h>\n#ifdef __HIPCC__\n#endif\n#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIPCC__)\n#endif\n",
        ),
    ),
    diagnoses=(
        Diagnosis("#if __CUDA_ARCH__ >= 700\n#endif\n", "takes the branch for 0"),
        Diagnosis("#if CUDART_VERSION >= 11000\n#endif\n", "sees 0"),
    ),
    keeps=("// __CUDA_ARCH__\n",),
)
