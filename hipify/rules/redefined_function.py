"""Functions that CUDA lacks and users define, and that HIP has: vector operators, atomics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.definitions import Definition, definition_at, guarded, is_in_class
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rewrite, Rule
from hipify.sites import Site, SiteKind
from hipify.source import Span

_GUARD = b"#if !defined(__HIP_PLATFORM_AMD__)  // HIP has these itself"
_VECTOR = rb"(?:u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4]"
_OPERATOR = re.compile(rb"operator(?<!\woperator)\s*([-+*/%&|^~!=<>]+)\s*(?=\()")
_VECTOR_TYPE = re.compile(_VECTOR + rb"&?\Z")
# What HIP gives as members or friends of its vectors, so that a user's own is ambiguous. Its other
# operators are templates, over which a user's own wins.
_BINARY = frozenset((b"*", b"/"))
_COMPOUND = frozenset((b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>="))
_UNARY = frozenset((b"-", b"~"))
_ATOMICS = {
    b"atomicAdd": (b"float", b"double"),
    b"atomicSub": (b"float", b"double"),
    b"atomicMin": (
        b"float",
        b"double",
        b"long long",
        b"unsigned long long",
        b"unsigned long long int",
    ),
    b"atomicMax": (
        b"float",
        b"double",
        b"long long",
        b"unsigned long long",
        b"unsigned long long int",
    ),
}
_ATOMIC = re.compile(rb"(atomic(?:Add|Sub|Min|Max))(?<!\watomic(?:Add|Sub|Min|Max))\s*(?=\()")


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Keeps such definitions from AMD's compiler where HIP's do the same, else reports them."""
    same: list[Span] = []
    for name, definition, equal in _redefinitions(context):
        if equal:
            same.append(definition.span)
            continue
        yield Finding(
            RULE.id,
            Severity.ERROR,
            definition.span,
            f"{name} on these types is HIP's own already, and this one does something else",
            "give the function a name of its own, and call it by that",
        )
    if same:
        edits = tuple(guarded(context.source, context.lexed.code, same, _GUARD))
        yield Finding(RULE.id, Severity.NOTE, same[0], "", "", edits)


def _redefinitions(context: Context) -> Iterator[tuple[str, Definition, bool]]:
    """Each definition that clashes with HIP's: its name, itself, and whether HIP's does the same."""
    code = context.lexed.code
    if b"operator" in code:
        for match in _OPERATOR.finditer(code):
            definition = _at(context, Span(match.start(), match.end(1)))
            if definition is not None and _clashes(match[1], definition):
                equal = _is_componentwise(match[1], definition, code)
                yield f"operator{match[1].decode()}", definition, equal
    if b"atomic" in code:
        for match in _ATOMIC.finditer(code):
            definition = _at(context, Span(*match.span(1)))
            if definition is not None and _is_atomic(match[1], definition):
                yield match[1].decode(), definition, True


def _at(context: Context, name: Span) -> Definition | None:
    """The definition of a free function at file or namespace scope that is not guarded already."""
    definition = definition_at(context.lexed.code, name)
    if definition is None or is_in_class(context.lexed.code, name.start):
        return None
    if _is_guarded(context, definition.span.start):
        return None
    return definition


def _is_guarded(context: Context, at: int) -> bool:
    return any(
        b"__HIP_PLATFORM_AMD__" in context.data[directive.start : directive.end]
        for directive in context.lexed.conditionals_around(at)
    )


def _clashes(symbol: bytes, definition: Definition) -> bool:
    types = [parameter.type for parameter in definition.parameters]
    if not types or not all(map(_VECTOR_TYPE.match, types)):
        return False
    bare = [each.rstrip(b"&") for each in types]
    if len(types) == 1:
        return symbol in _UNARY
    return bare[0] == bare[1] and symbol in (_BINARY | _COMPOUND)


def _is_componentwise(symbol: bytes, definition: Definition, code: bytes) -> bool:
    """Whether the body does to each component what the operator says, and nothing else."""
    body = re.sub(rb"\s+", b"", code[definition.body.start + 1 : definition.body.end - 1])
    size = int(definition.parameters[0].type.rstrip(b"&")[-1:])
    names = [parameter.name for parameter in definition.parameters]
    fields = [b"x", b"y", b"z", b"w"][:size]
    if len(names) == 1:
        parts = [symbol + names[0] + b"." + field for field in fields]
    elif symbol in _COMPOUND:
        statements = [b"%s.%s%s%s.%s;" % (names[0], f, symbol, names[1], f) for f in fields]
        return body.removesuffix(b"return" + names[0] + b";") == b"".join(statements)
    else:
        parts = [b"%s.%s%s%s.%s" % (names[0], f, symbol, names[1], f) for f in fields]
    value = rb"return(?:make_)?%s[({]+%s[)}]+;" % (_VECTOR, re.escape(b",".join(parts)))
    return re.fullmatch(value, body) is not None


def _is_atomic(name: bytes, definition: Definition) -> bool:
    types = [parameter.type for parameter in definition.parameters]
    return len(types) == 2 and types[1] in _ATOMICS[name] and types[0] == types[1] + b"*"


RULE = Rule(
    id="redefined-function",
    summary="Vector operators and atomics of the user's own that HIP has are left to NVIDIA.",
    visit=visit,
    kinds=frozenset((SiteKind.FILE,)),
    rewrites=(
        Rewrite(
            "#include <cuda_runtime.h>\n"
            "__device__ float2 operator*(float2 a, const float2 &b)\n{\n  return make_float2(a.x * b.x, a.y * b.y);\n}\n"
            "inline __host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }\n"
            "__device__ float2 operator+(float2 a, float b) { return make_float2(a.x + b, a.y + b); }\n",
            "#include <hip/hip_runtime.h>\n"
            "#if !defined(__HIP_PLATFORM_AMD__)  // HIP has these itself\n"
            "__device__ float2 operator*(float2 a, const float2 &b)\n{\n  return make_float2(a.x * b.x, a.y * b.y);\n}\n"
            "inline __host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }\n"
            "#endif\n"
            "__device__ float2 operator+(float2 a, float b) { return make_float2(a.x + b, a.y + b); }\n",
        ),
        Rewrite(
            "#include <hip/hip_runtime.h>\n__device__ float atomicMin(float* p, float v) {\n  return v;\n}\n",
            "#include <hip/hip_runtime.h>\n#if !defined(__HIP_PLATFORM_AMD__)  // HIP has these itself\n"
            "__device__ float atomicMin(float* p, float v) {\n  return v;\n}\n#endif\n",
        ),
    ),
    diagnoses=(
        Diagnosis(
            "#include <hip/hip_runtime.h>\n__device__ float2 operator*(float2 a, float2 b) "
            "{ return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n",
            "does something else",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\nstruct V { V operator*(V a) { return a; } };\n"
        "__device__ int atomicAdd(V* p, int v) { return v; }\n",
    ),
)
