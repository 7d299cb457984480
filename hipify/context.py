"""What a rule may ask about the file that it visits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hipify.arguments import Call, Launch, call_at, launch_at
from hipify.conditions import dead_branches
from hipify.edits import Edit
from hipify.finding import Finding
from hipify.lexer import INCLUDE, Branches, Lexed
from hipify.mapping import (
    ArgumentRule,
    HeaderEntry,
    MappingEntry,
    Resolution,
    flattened,
    is_reached,
    resolve,
)
from hipify.options import Options
from hipify.source import SourceFile, Span
from hipify.syntax import (
    DeviceFunction,
    device_functions,
    is_declared_here,
    is_function_declarator,
    is_template,
    parse,
    scoped_enumerations,
)

if TYPE_CHECKING:
    from tree_sitter import Tree

    from hipify.pipeline import Engine
    from hipify.translators.clang.oracle import Oracle

_HIP_NAME = re.compile(rb"\b(?:hip[A-Z]|HIP_|hip(?:blas|fft|rand|sparse|solver)[A-Z])\w*")


_BLAS_HEADERS = frozenset((b"cublas.h", b"cublas_v2.h", b"cublasLt.h", b"cublasXt.h"))
_TEMPLATE_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)[ \t]+[\w:]+<[^<>]*>\s*\Z")
_ONLY_V2 = (
    "this file includes cublas.h, where {0} is the function without a handle; "
    "include cublas_v2.h and pass a handle"
)


class Context:
    """One file on its way through the rules: its tokens, the database and the options.

    `state` is for rules that need to remember something from one site of the file to the next;
    each rule keeps to the key that is its id. `nested` is true for code inside a string literal.
    `exists` tells of an include whether it names a file of the user's own (with `**/` before the
    path, one anywhere in the tree); `way_up` leads from the file's folder to the one that holds our
    support headers.
    """

    def __init__(
        self,
        source: SourceFile,
        lexed: Lexed,
        engine: Engine,
        options: Options,
        nested: bool = False,
        exists: Callable[[str], bool] = lambda name: False,
        way_up: str = "",
        oracle: Oracle | None = None,
    ) -> None:
        self.source = source
        self.data = source.data
        self.lexed = lexed
        self.engine = engine
        self.database = engine.database
        self.options = options
        self.nested = nested
        self.exists = exists
        self.oracle = oracle
        """What clang knows about the file; None on the fast path."""
        self.doubtful = 0
        """How many uses of CUDA names are uncertain."""
        self.way_up = way_up
        self._resolved: dict[str, Resolution] = {}
        self._declared: dict[bytes, bool] = {}
        self.state: dict[str, Any] = {}
        self.support_headers: set[str] = set()
        """Names of headers of ours that the output needs beside it, `hipify/warp32.hpp` say."""
        self.placed_headers: set[str] = set()
        """Those that a rule included already: in a string literal, or in place of CUDA's own."""
        self.used: list[tuple[str, Span]] = []
        """Each use of a CUDA name, in order, filled by the pipeline."""
        self.renames: list[Edit] = []
        """Further places of names that are renamed and of which a first finding has told all."""
        self.findings: list[Finding] = []
        """What the rules found so far; file rules see all of it."""

    def text(self, span: Span) -> bytes:
        """The bytes of a span."""
        return self.data[span.start : span.end]

    def resolve(self, entry: MappingEntry | HeaderEntry) -> Resolution:
        """What the entry's name becomes under this translation's options."""
        result = self._resolved.get(entry.cuda)
        if result is None:
            options = self.options
            if isinstance(entry, MappingEntry):
                entry = self._as_library_type(entry)
            result = resolve(entry, options.target, options.rocm, options.experimental)
            if isinstance(entry, MappingEntry) and entry.v2_only and self.speaks_cublas_v1:
                result = Resolution(None, "unsupported", _ONLY_V2.format(entry.cuda))
            if options.as_amd and isinstance(entry, HeaderEntry):
                result = flattened(entry, result)
            self._resolved[entry.cuda] = result
        return result

    def _as_library_type(self, entry: MappingEntry) -> MappingEntry:
        """A half type's entry as one of the BLAS library's own types, in files that use that.

        Before ROCm 7, hipBLAS brings another bfloat16 than hip_bf16.h does.
        """
        if entry.library != "device" or not entry.roc or _BLAS_HEADERS.isdisjoint(self.headers):
            return entry
        entry = entry._replace(library="blas")
        if (
            entry.hip_before
            and not is_reached(self.options.rocm, "7.0")
            and not any(b"bf16" in header for header in self.headers)
        ):
            entry = entry._replace(hip=entry.hip_before[0][1], hip_before=(), rocm_versions={})
        return entry

    def argument_rules(self, entry: MappingEntry) -> list[ArgumentRule]:
        """The entry's argument rules that hold under this translation's options.

        Rules for the ROC libraries hold where the ROC name is used, those for HIP elsewhere.
        """
        if not entry.args:
            return []
        roc = self.options.target != "hip" and self.resolve(entry).name == entry.roc
        return [
            rule
            for rule in entry.args
            if (rule.target != "hip") == roc
            and not (rule.before and is_reached(self.options.rocm, rule.before))
        ]

    def call_after(self, span: Span) -> Call | None:
        """The call whose callee ends with `span`, template arguments in between allowed."""
        if self.oracle is not None:
            known = self.oracle.call(span)
            if known is not None:
                return known
        code, _, end = self.lexed.code_around(span.start)
        call = call_at(code, span.end, end)
        if call is None and code[span.end : span.end + 1] == b"<":
            from hipify.arguments import closing_angle

            close = closing_angle(code, span.end, end)
            if close >= 0:
                call = call_at(code, close + 1, end)
        return call

    def launch_at(self, offset: int) -> Launch | None:
        """The kernel launch whose `<<<` is at `offset`."""
        if self.oracle is not None:
            known = self.oracle.launch(offset)
            if known is not None:
                return known
        code, begin, end = self.lexed.code_around(offset)
        return launch_at(code, offset, begin, end)

    @cached_property
    def device_functions(self) -> list[DeviceFunction]:
        """All functions of the file that run on the device and have a body."""
        functions = device_functions(self.lexed.code)
        if self.oracle is None:
            return functions
        starts = {function.body.start for function in functions}
        more = [f for f in self.oracle.device_functions() if f.body.start not in starts]
        return sorted([*functions, *more], key=lambda function: function.body.start)

    @cached_property
    def _device_starts(self) -> list[int]:
        return [function.body.start for function in self.device_functions]

    def device_function_at(self, offset: int) -> DeviceFunction | None:
        """The device function whose body holds `offset`; None on the host and at file scope."""
        at = bisect_right(self._device_starts, offset) - 1
        while at >= 0:
            function = self.device_functions[at]
            if offset < function.body.end:
                return function
            at -= 1
            if at < 0 or self.device_functions[at].body.end <= offset:
                return None
        return None

    def is_kernel_template(self, name: bytes) -> bool:
        """Whether `name` is a kernel template of the file, or a macro for an instance of one."""
        plain = name.rpartition(b"::")[2]
        known = self.oracle.kernel_templates if self.oracle is not None else frozenset()
        return plain in known or plain in self._kernel_templates

    @cached_property
    def _kernel_templates(self) -> frozenset[bytes]:
        code = self.lexed.code
        names = {
            function.name
            for function in self.device_functions
            if function.kernel and is_template(code, function.head.start)
        }
        if self.lexed.launches:
            names.update(
                match[1]
                for directive in self.lexed.directives
                if (match := _TEMPLATE_MACRO.match(self.data, directive.start, directive.end))
            )
        return frozenset(names)

    @cached_property
    def tree(self) -> Tree:
        """The tree-sitter tree of the file, parsed when first asked for (0.4 s a megabyte)."""
        return parse(self.data)

    def is_own(self, span: Span) -> bool:
        """Whether clang knows that the name at `span` is the user's own or somebody's member."""
        return self.oracle is not None and self.oracle.is_own(span.start)

    def is_declared_here(self, span: Span) -> bool:
        """Whether the user's code declares a variable, member or parameter of its own at `span`."""
        return is_declared_here(self.tree, span)

    def is_own_enumerator(self, offset: int) -> bool:
        """Whether `offset` is inside an `enum class` of the file."""
        return any(span.start <= offset < span.end for span in self._enumerations)

    @cached_property
    def _enumerations(self) -> list[Span]:
        return scoped_enumerations(self.lexed.code) if b"enum" in self.data else []

    def declares_function(self, name: bytes) -> bool:
        """Whether the file declares or defines a function called `name` that AMD gets to see."""
        known = self._declared.get(name)
        if known is None:
            code = self.lexed.code
            calls = re.finditer(rb"(?<![\w.])%s\s*\(" % re.escape(name), code)
            known = any(
                is_function_declarator(code, match.start())
                for match in calls
                if self.dead_branches.isdisjoint(self.branches_at(match.start()))
            )
            self._declared[name] = known
        return known

    @cached_property
    def dead_branches(self) -> frozenset[tuple[int, int]]:
        """The `#if` branches that AMD never compiles, judged by NVIDIA's own macros alone."""
        return dead_branches(self.lexed)

    @cached_property
    def headers(self) -> frozenset[bytes]:
        """The paths of all includes of the file."""
        return frozenset(
            path[1] or path[2]
            for directive in self.lexed.directives
            if (path := INCLUDE.match(self.data, directive.start, directive.end)) is not None
        )

    @property
    def speaks_cublas_v1(self) -> bool:
        """Whether plain cuBLAS names mean the first API, whose functions take no handle."""
        return b"cublas.h" in self.headers and b"cublas_v2.h" not in self.headers

    @cached_property
    def calls_cublas_v1(self) -> bool:
        """Whether the file uses functions of that first API, which HIP does not have."""
        if not self.speaks_cublas_v1:
            return False
        names = {self.text(span).decode() for span in self.lexed.identifiers}
        entries = map(self.database.get, names)
        return any(entry is not None and entry.v2_only for entry in entries)

    @cached_property
    def hip_names(self) -> list[Span]:
        """Where the source names HIP already (identifiers in code, not in comments or strings)."""
        if b"hip" not in self.data and b"HIP" not in self.data:
            return []
        return [Span(*match.span()) for match in _HIP_NAME.finditer(self.lexed.macro_code)]

    def branches_at(self, offset: int) -> Branches:
        """The chain of `#if` branches around `offset`, outermost first."""
        return self.lexed.branches_at(offset)
