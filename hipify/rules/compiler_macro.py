"""Macros that nvcc defines: those that HIP has under another name, and those that mean nothing on AMD."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.conditions import on_amd
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.lexer import Directive
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
_GUARDED_COMPARISON = re.compile(rb"(?:defined\s*\(\s*__CUDA_ARCH__\s*\)|defined\s+__CUDA_ARCH__)")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Renames what has a twin; where a number is compared, says which branch AMD takes."""
    if site.name in _RENAMED:
        edit = Edit(site.span.start, site.span.end, _RENAMED[site.name])
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))
    elif site.name == "__CUDA_ARCH__" and _only_asks_for_device(site, context):
        edit = Edit(site.span.start, site.span.end, b"__HIP_DEVICE_COMPILE__")
        yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (edit,))
    else:
        yield from _reported(site, context)


def _reported(site: Site, context: Context) -> Iterator[Finding]:
    """A number of NVIDIA's: an error in plain code, else what AMD makes of the condition, once each."""
    directive = context.lexed.directive_at(site.span.start)
    arch = site.name == "__CUDA_ARCH__"
    if directive is None:
        yield Finding(
            RULE.id,
            Severity.ERROR,
            site.span,
            f"{site.name} is not defined in HIP, and this is no place where that counts as 0",
            "decide which value HIP needs; HIP_VERSION is HIP's own number",
        )
        return
    told: set[int] = context.state.setdefault(RULE.id, set())
    if directive.start in told:
        return
    told.add(directive.start)
    outcome = _outcome(directive, context)
    if arch:
        message = "__CUDA_ARCH__ is a number of NVIDIA's; AMD leaves it undefined and takes the branch for 0"
        remedy = "use __HIP_DEVICE_COMPILE__ to ask for device code, or a feature test for what the branch needs"
    else:
        message = (
            f"{site.name} is {_VERSIONS[site.name]}; HIP does not define it, so a test of it sees 0"
        )
        remedy = "decide which branch HIP needs; HIP_VERSION is HIP's own number"
    yield Finding(RULE.id, Severity.WARNING, site.span, message + outcome, remedy)


def _outcome(directive: Directive, context: Context) -> str:
    """What the whole condition comes to, if that is known."""
    if directive.name not in (b"if", b"elif"):
        return ""
    text = context.lexed.macro_code[directive.start : directive.end]
    holds = on_amd(text[text.index(directive.name) + len(directive.name) :])
    if holds is None:
        return ""
    return ": the condition holds" if holds else ": the condition does not hold"


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
        Diagnosis("#if CUDART_VERSION >= 11000\n#endif\n", "sees 0: the condition does not hold"),
        Diagnosis(
            "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#endif\n",
            "for 0: the condition holds",
        ),
        Diagnosis("int version = CUDART_VERSION / 1000;\n", "no place where that counts as 0"),
    ),
    keeps=("// __CUDA_ARCH__\n",),
)
