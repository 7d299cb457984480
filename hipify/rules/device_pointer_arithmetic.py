"""Sums with a CUdeviceptr, an integer in CUDA: HIP's hipDeviceptr_t is a void*, which has none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import skip_space_back
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_DECLARATION = re.compile(
    rb"\bCUdeviceptr\b\s*((?:[*&\s]*\w+(?:\[[^\]]*\])?\s*(?:=[^,;(){}]*)?,\s*)*[*&\s]*\w+)"
)
_DECLARATOR = re.compile(rb"(?:\A|,)\s*([*&\s]*)(\w+)(\s*\[)?")
_PLAIN_SUM = re.compile(rb"[\w\s.*+()\[\]-]*;")
# What a pointer cannot do even as a char*, and an integer can.
_BITWISE = re.compile(rb"\s*(?:[%^]|&(?!&)|\|(?!\|)|<<|>>|/(?![/*]))=?")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Makes a char* of each such variable in a sum or difference; other arithmetic is reported."""
    code = context.lexed.code
    if b"CUdeviceptr" not in code:
        return
    names = _scalars(code)
    if not names:
        return
    use = re.compile(
        rb"(?<![\w.>:])(?:\w+(?:\.|->))*(?:%s)\b(?!\s*[\[(])" % b"|".join(map(re.escape, names))
    )
    for match in use.finditer(code):
        if not _is_declarator(code, match):
            yield from _used(context, Span(*match.span()))


def _scalars(code: bytes) -> list[bytes]:
    """Variables, members and parameters that are device pointers, not pointers to them or arrays."""
    names = set()
    for declaration in _DECLARATION.finditer(code):
        for stars, name, array in _DECLARATOR.findall(declaration[1]):
            if b"*" not in stars and not array:
                names.add(name)
    return sorted(names)


def _is_declarator(code: bytes, use: re.Match[bytes]) -> bool:
    before = skip_space_back(code, use.start(), 0)
    return code[before - 1 : before].isalnum() and not code[:before].endswith((b"return", b"case"))


def _used(context: Context, use: Span) -> Iterator[Finding]:
    code = context.lexed.code
    text = code[use.start : use.end]
    behind = code[use.end : use.end + 8].lstrip()
    if behind.startswith((b"+=", b"-=")):
        yield _compound(context, use, text, behind[:1])
    elif _is_plus_or_minus(behind) or _follows_plus_or_minus(code, use.start):
        cast = Edit(use.start, use.start, b"(char*)")
        yield Finding(RULE.id, Severity.NOTE, use, "", "", (cast,))
    elif _BITWISE.match(code, use.end):
        yield _reported(use, text)


def _is_plus_or_minus(behind: bytes) -> bool:
    return behind[:1] in (b"+", b"-") and behind[1:2] not in (b"+", b"-", b"=", b">")


def _follows_plus_or_minus(code: bytes, at: int) -> bool:
    """Whether a binary + or - stands before, whose left side is some value."""
    before = skip_space_back(code, at, 0)
    if code[before - 1 : before] not in (b"+", b"-") or code[before - 2 : before - 1] in (
        b"+",
        b"-",
    ):
        return False
    left = code[skip_space_back(code, before - 1, 0) - 1 :][:1]
    return left.isalnum() or left in (b"_", b")", b"]")


def _compound(context: Context, use: Span, text: bytes, sign: bytes) -> Finding:
    """d += n becomes d = (char*)d + n, where the right side is a plain sum."""
    code = context.lexed.code
    at = code.index(sign + b"=", use.end)
    if sign == b"+" and _PLAIN_SUM.match(code, at + 2):
        edit = Edit(at, at + 2, b"= (char*)" + text + b" +")
        return Finding(RULE.id, Severity.NOTE, use, "", "", (edit,))
    return _reported(use, text)


def _reported(use: Span, text: bytes) -> Finding:
    return Finding(
        RULE.id,
        Severity.ERROR,
        use,
        f"{text.decode()} is a void* in HIP, and this arithmetic needs an integer",
        "reckon with reinterpret_cast<uintptr_t>(...), and cast the result back to hipDeviceptr_t",
    )


RULE = Rule(
    id="device-pointer-arithmetic",
    summary="A CUdeviceptr in a sum is made a char*, since HIP's is a void* and not an integer.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cuda.h>\nvoid f(CUdeviceptr d, size_t n) {\n  CUdeviceptr e = d + n, g = 0;\n"
            "  cuMemcpyDtoD(e, n + d, n - 2);\n  e += n;\n  size_t size = e - d;\n}\n",
            "#include <hip/hip_runtime.h>\nvoid f(hipDeviceptr_t d, size_t n) {\n  hipDeviceptr_t e = (char*)d + n, g = 0;\n"
            "  hipMemcpyDtoD(e, n + (char*)d, n - 2);\n  e = (char*)e + n;\n  size_t size = (char*)e - (char*)d;\n}\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <cuda.h>\nbool f(CUdeviceptr d) { return d % 256 == 0; }\n",
            "needs an integer",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\nvoid f(hipDeviceptr_t d) { (char*)d + 3; }\n",),
)
