"""Calls of member templates of dependent types without `template`: nvcc guesses, clang must be told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.arguments import closing_angle
from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_MEMBER = re.compile(rb">\s*::\s*(?!operator\b)(\w+)\s*(?=<)")
_PARAMETERS = re.compile(rb"\btemplate\s*<")
_PARAMETER = re.compile(rb"(\w+)\s*(?:=[^,]*)?\s*(?:,|\Z)")
_CALL = re.compile(rb"\s*\(")
_STOP = frozenset(b";{}()")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Puts the keyword before the member's name where the scope names a template parameter."""
    code = context.lexed.code
    if b"template" not in code:
        return
    parameters = _parameters(code)
    for match in _MEMBER.finditer(code):
        name = Span(*match.span(1))
        close = closing_angle(code, match.end(), len(code))
        if close < 0 or not _CALL.match(code, close + 1):
            continue
        scope = _scope_arguments(code, match.start())
        if parameters.isdisjoint(re.findall(rb"\w+", scope)):
            continue
        edit = Edit(name.start, name.start, b"template ")
        yield Finding(RULE.id, Severity.NOTE, name, "", "", (edit,))


def _parameters(code: bytes) -> set[bytes]:
    """The names of all template parameters of the file."""
    names: set[bytes] = set()
    for head in _PARAMETERS.finditer(code):
        depth, at = 1, head.end()
        while depth and at < len(code) and code[at] not in _STOP:
            depth += {b"<": 1, b">": -1}.get(code[at : at + 1], 0)
            at += 1
        if not depth:
            names.update(_PARAMETER.findall(code[head.end() : at - 1]))
    return names


def _scope_arguments(code: bytes, close: int) -> bytes:
    """The template arguments that end with the `>` at `close`; empty where no `<` opens them."""
    depth, at = 0, close
    while at >= 0 and code[at] not in _STOP:
        depth += {b">": 1, b"<": -1}.get(code[at : at + 1], 0)
        if not depth:
            return code[at + 1 : close]
        at -= 1
    return b""


RULE = Rule(
    id="dependent-template",
    summary="`A<T>::f<N>(x)` with a template parameter T gets the keyword `template` that clang asks for.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\ntemplate <typename To, typename From, int N>\n"
            "__device__ void cast(To* d, const From* s) { Cast<To, From>::run<N>(d, s); Cast<int, float>::run<2>(d, s); }\n",
            "#include <hip/hip_runtime.h>\ntemplate <typename To, typename From, int N>\n"
            "__device__ void cast(To* d, const From* s) { Cast<To, From>::template run<N>(d, s); Cast<int, float>::run<2>(d, s); }\n",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\ntemplate <typename T> bool f(T a) { return A<T>::template g<3>(a) && B<T>::value < 3; }\n",
        "#include <hip/hip_runtime.h>\ntemplate <typename T> bool A<T>::operator< (const A<T>& a) const { return f<T>(a); }\n",
    ),
)
