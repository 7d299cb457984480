"""The policy `native`: warps as wide as the hardware's waves where a file never counts on 32.

A file is taken as a whole or left to 32-lane warps, since kernels, what they call and how the host
launches them must agree. It is taken only if all of it is in sight and each use of a mask is known.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify.arguments import Call
from hipify.context import Context
from hipify.edits import Edit
from hipify.mapping import is_reached
from hipify.source import Span
from hipify.waves.masks import macro_value, mask_value, without_parentheses

FULL = b"0xffffffffffffffffULL"
_STATE = "waves-native"
_COUNTS_ON_32 = re.compile(
    rb"\b(?:31|32|0[xX]1[fF]|0[xX]20)[uUlL]*\b|(?:<<|>>)=?\s*5\b|=\s*16\s*;"
    rb"|\b(?!warpSize\b)\w*[wW][aA][rR][pP]_?[sS][iI][zZ][eE]\w*"
)
_CONSTANT_SIZE = re.compile(rb"(?:\btemplate\s*<[^;{}()]*|\[[^\]\n]*)\bwarpSize\b")
_LACKING = re.compile(rb"\b(?:__reduce_(?:add|min|max|and|or|xor)_sync|__syncwarp)\b")
_KERNEL = re.compile(rb"\b__global__\b")
_DECLARED = re.compile(
    rb"\b(?P<type>unsigned\s+int|unsigned|(?:std::)?uint32_t|auto)\s+(?:const\s+)?(?P<name>\w+)\s*=\s*\Z"
)
_COUNTED = re.compile(rb"\b(?P<name>__popc|__ffs|__clz)\s*\(\s*\Z")
_LANE_MASK = rb"\(*\s*(?P<one>1[uU]?)\s*<<\s*(?:\w+|\([^()]*\))\s*\)*\s*(?:-\s*1[uU]?\s*)?\)*"
_ARGUMENT = re.compile(rb"(?P<name>\w+)\s*(?:&\s*" + _LANE_MASK + rb")?\s*\Z")
_TESTED_AFTER = re.compile(rb"\s*(?:[!=]=\s*0\b|>>\s*\w+\s*\)\s*&\s*1\b)")
_TESTED_ALONE = re.compile(rb"(?:\b(?:if|while)\s*\(|!)\s*\Z")


class Native(NamedTuple):
    """What becomes of a file: why it stays with 32 lanes, or the edits by offset of their site."""

    reason: str
    edits: dict[int, tuple[Edit, ...]]


class _NotNative(Exception):  # noqa: N818 - never leaves this module
    """Something in the file needs 32-lane warps; the message says what."""


def native(context: Context, names: frozenset[str], masked: frozenset[str]) -> Native:
    """The plan for the file, worked out once; `masked` are those of `names` that take a mask."""
    known: Native | None = context.state.get(_STATE)
    if known is None:
        try:
            known = Native("", _plan(context, names, masked))
        except _NotNative as reason:
            known = Native(str(reason), {})
        context.state[_STATE] = known
    return known


def _plan(
    context: Context, names: frozenset[str], masked: frozenset[str]
) -> dict[int, tuple[Edit, ...]]:
    _check_file(context)
    edits: dict[int, tuple[Edit, ...]] = {}
    for span in context.lexed.identifiers:
        name = context.text(span).decode()
        if name not in names:
            continue
        if context.lexed.directive_at(span.start) is not None:
            raise _NotNative(f"a macro uses {name}")
        call = context.call_after(span)
        if call is None:
            raise _NotNative(f"{name} is not called where it is named")
        edits[span.start] = (
            *(_mask(call, context) if name in masked else ()),
            *(_result(span, call, context) if _gives_mask(name) else ()),
        )
    return edits


def _check_file(context: Context) -> None:
    text = context.lexed.macro_code
    if not _KERNEL.search(context.lexed.code):
        raise _NotNative("the kernels that call its functions are not in sight")
    for directive in context.lexed.directives:
        line = context.data[directive.start : directive.end]
        if directive.name == b"include" and b'"' in line and b'"hipify/' not in line:
            raise _NotNative("it includes headers of its own, which are not in sight")
    match = _COUNTS_ON_32.search(text)
    if match is not None:
        line_number, _ = context.source.position(match.start())
        raise _NotNative(
            f"line {line_number} has `{match[0].decode()}`, which may count on 32 lanes"
        )
    if _CONSTANT_SIZE.search(text):
        raise _NotNative("warpSize is used as a constant, which it is not in HIP")
    if _LACKING.search(text) and not is_reached(context.options.rocm, "7.0.0"):
        raise _NotNative("it uses functions that HIP has from ROCm 7.0 on")


def _gives_mask(name: str) -> bool:
    return name.removesuffix("_sync") in ("__ballot", "__activemask", "__match_any", "__match_all")


def _mask(call: Call, context: Context) -> tuple[Edit, ...]:
    if not call.args:
        return ()
    start, end = call.args[0]
    text = without_parentheses(context.text(call.args[0]))
    value = mask_value(text)
    if value is None:
        value = mask_value(macro_value(text, context) or b"")
    if value is None or value[0] != 0xFFFFFFFF:
        raise _NotNative(f"the mask `{text.decode('utf-8', 'replace')}` may not name all lanes")
    return (Edit(start, end, FULL),)


def _result(span: Span, call: Call, context: Context) -> tuple[Edit, ...]:
    """Edits to what takes a mask that a call gives: a variable, a count or a test."""
    code = context.lexed.code
    before, after = code[max(0, span.start - 200) : span.start], code[call.close : call.close + 80]
    offset = span.start - len(before)
    declared = _DECLARED.search(before)
    if declared is not None and after.lstrip().startswith(b";"):
        kind = declared.span("type")
        edits = _uses(declared["name"], call.close, context)
        if declared["type"] != b"auto":
            edits += (Edit(offset + kind[0], offset + kind[1], b"unsigned long long"),)
        return edits
    counted = _COUNTED.search(before)
    if counted is not None and after.lstrip().startswith(b")"):
        return (_wider(offset + counted.end("name")),)
    if _TESTED_AFTER.match(after) or (
        _TESTED_ALONE.search(before) and after.lstrip()[:1] in (b")", b"&", b"|")
    ):
        return ()
    raise _NotNative("a mask of lanes is used in more ways than counting and testing its bits")


def _wider(at: int) -> Edit:
    """`__popc` to `__popcll`, and its like: `at` is where the name ends."""
    return Edit(at, at, b"ll")


def _uses(name: bytes, start: int, context: Context) -> tuple[Edit, ...]:
    """Edits to all uses of a variable that holds a mask, up to the end of its function."""
    function = context.device_function_at(start)
    code = context.lexed.code
    end = function.body.end if function is not None else len(code)
    edits: list[Edit] = []
    for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", code[start:end]):
        edits += _use(name, Span(start + match.start(), start + match.end()), context)
    return tuple(edits)


def _use(name: bytes, span: Span, context: Context) -> list[Edit]:
    code = context.lexed.code
    before = code[max(0, span.start - 60) : span.start]
    counted = _COUNTED.search(before)
    if counted is not None:
        name_end = span.start - len(before) + counted.end("name")
        call = context.call_after(Span(name_end, name_end))
        argument = call.args[0] if call is not None and len(call.args) == 1 else None
        match = None if argument is None else _ARGUMENT.match(code, argument.start, argument.end)
        if match is not None and match["name"] == name:
            one = [] if match["one"] is None else [Edit(*match.span("one"), b"1ull")]
            return [_wider(name_end), *one]
    elif _TESTED_AFTER.match(code, span.end) or (
        _TESTED_ALONE.search(before) and code[span.end : span.end + 20].lstrip().startswith(b")")
    ):
        return []
    raise _NotNative(f"the mask `{name.decode()}` is used in more ways than counting its bits")
