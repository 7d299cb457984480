"""What surrounds a place in the code: device functions by tokens, declarations by tree-sitter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipify.arguments import closing, skip_space, skip_space_back
from hipify.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_ATTRIBUTE = re.compile(rb"\b__(global|device)__\b")
_HEAD_STOP = re.compile(rb"[(){};=:]")
_WORD_BEFORE = re.compile(rb"([A-Za-z_$][A-Za-z0-9_$]*)\s*\Z")
_AFTER_DECLARATOR = re.compile(rb"\s*(?:const|noexcept)?\s*[{;]")
_TEMPLATE_BEFORE = re.compile(rb"\btemplate\s*<[^;{}]*[^;{}<\s][^;{}]*>[^;{}()<>]*\Z")
_NO_TYPES = frozenset((b"return", b"else", b"do", b"case", b"throw", b"goto", b"new", b"delete"))
_DECLARATOR_NODES = frozenset(
    (
        "declaration",
        "field_declaration",
        "parameter_declaration",
        "optional_parameter_declaration",
        "init_declarator",
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
    )
)


_OWN_SCOPES = frozenset(
    ("class_specifier", "struct_specifier", "union_specifier", "namespace_definition")
)
_SCOPES = _OWN_SCOPES | {"compound_statement", "linkage_specification"}
_SCOPED_ENUM = re.compile(rb"\benum\s+(?:class|struct)\b[^{};()]*\{([^{}]*)\}")


class DeviceFunction(NamedTuple):
    """A function with a body that runs on the device, and perhaps on the host too."""

    kernel: bool
    name: bytes
    head: Span
    body: Span


def device_functions(code: bytes) -> list[DeviceFunction]:
    """All `__global__` and `__device__` functions that have a body, in order, by tokens alone.

    `code` is masked text without directives. Variables and mere declarations are left out.
    """
    found: list[DeviceFunction] = []
    reach = 0
    for match in _ATTRIBUTE.finditer(code):
        if match.start() < reach:
            continue
        head = _function_head(code, match.end())
        if head is None:
            continue
        name, brace = head
        close = closing(code, brace, len(code))
        end = close + 1 if close >= 0 else len(code)
        found.append(
            DeviceFunction(
                match[1] == b"global", name, Span(match.start(), brace), Span(brace, end)
            )
        )
        reach = brace
    return found


def _function_head(code: bytes, at: int) -> tuple[bytes, int] | None:
    """Name and offset of the body's `{` for the declaration that goes on at `at`."""
    name = b""
    seen_parameters = in_initialisers = False
    while (match := _HEAD_STOP.search(code, at)) is not None:
        char, place = match[0], match.start()
        if char == b"(":
            close = closing(code, place, len(code))
            if close < 0:
                return None
            word = _WORD_BEFORE.search(code, max(0, place - 256), place)
            if word is not None and not seen_parameters and not word[1].startswith(b"__launch"):
                name = word[1]
            seen_parameters = seen_parameters or word is None or word[1] == name
            at = close + 1
        elif char == b"{":
            if not seen_parameters:
                return None
            before = skip_space_back(code, place, 0)
            if in_initialisers and _WORD_BEFORE.search(code, max(0, before - 64), before):
                at = closing(code, place, len(code)) + 1
                if at == 0:
                    return None
                continue
            return name, place
        elif char == b":":
            if code[place + 1 : place + 2] == b":":
                at = place + 2
                continue
            in_initialisers = seen_parameters
            at = place + 1
        elif char == b"=" and code[place - 8 : place] == b"operator":
            at = skip_space(code, place + 1, len(code))
        else:
            return None
    return None


def is_function_declarator(code: bytes, at: int) -> bool:
    """Whether the name at `at` is declared here as a function: a type before, `;` or `{` after."""
    before = skip_space_back(code, at, 0)
    while code[before - 1 : before] in (b"*", b"&"):
        before = skip_space_back(code, before - 1, 0)
    word = _WORD_BEFORE.search(code, max(0, before - 64), before)
    if word is None and code[before - 1 : before] != b">":
        return False
    if word is not None and word[1] in _NO_TYPES:
        return False
    close = closing(code, code.index(b"(", at), len(code))
    return close >= 0 and _AFTER_DECLARATOR.match(code, close + 1) is not None


def is_template(code: bytes, at: int) -> bool:
    """Whether `template <...>` stands before the declaration that starts at `at`.

    Words like `static` and attributes may come in between; a full specialisation is no template.
    """
    return _TEMPLATE_BEFORE.search(code, max(0, at - 2048), at) is not None


def is_declared_here(tree: Tree, span: Span) -> bool:
    """Whether the identifier at `span` is the name of something of the user's own that starts here.

    That is a variable, member or parameter, or a function of a class or a namespace: a function of
    no scope may well stand in for CUDA's own.
    """
    node = tree.root_node.descendant_for_byte_range(span.start, span.end)
    while node is not None and node.start_byte == span.start and node.end_byte == span.end:
        parent = node.parent
        if parent is None:
            return False
        if parent.type in _DECLARATOR_NODES:
            declarator = parent.child_by_field_name("declarator")
            return declarator is not None and declarator.start_byte == span.start
        if parent.type == "function_declarator":
            return not parent.has_error and _scope(parent) in _OWN_SCOPES
        node = parent
    return False


def _scope(node: Node) -> str:
    """The type of the node that the innermost scope around a declaration belongs to."""
    above = node.parent
    while above is not None and above.type not in _SCOPES:
        if above.type == "ERROR":
            return ""
        above = above.parent
    return above.type if above is not None else ""


def scoped_enumerations(code: bytes) -> list[Span]:
    """The bodies of all `enum class` definitions, whose enumerators are everybody's own."""
    return [Span(*match.span(1)) for match in _SCOPED_ENUM.finditer(code)]


def parse(data: bytes) -> Tree:
    """The tree-sitter tree of a CUDA source; parse errors are nodes, never exceptions."""
    import tree_sitter_cuda
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_cuda.language())).parse(data)
