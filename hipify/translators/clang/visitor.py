"""One walk over a translation unit: what the names of one file refer to, its calls and launches."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hipify.source import Span
from hipify.translators.clang.library import CONTINUE, RECURSE, Library

TYPE_REF, TEMPLATE_REF, NAMESPACE_REF, MEMBER_REF = 43, 45, 46, 47
OVERLOADED_REF, VARIABLE_REF = 49, 50
UNEXPOSED, DECL_REF, MEMBER_EXPR, CALL, PAREN = 100, 101, 102, 103, 111
COMPOUND = 202
GLOBAL_ATTRIBUTE, DEVICE_ATTRIBUTE = 414, 413
MACRO_DEFINITION, MACRO_USE = 501, 502
FUNCTION = 8
_LAST_DECLARATION = 39
_LATE_DECLARATIONS = frozenset((600, 601, 602, 603))
_REFERENCES = frozenset(
    (
        *(TYPE_REF, TEMPLATE_REF, NAMESPACE_REF, MEMBER_REF, OVERLOADED_REF, VARIABLE_REF),
        *(DECL_REF, MACRO_USE),
    )
)
_TRANSPARENT = frozenset((UNEXPOSED, PAREN))
# Literals, operators, casts, statements other than compound ones.
_PASSED_OVER = frozenset((*range(104, 144), *range(203, 300))) - {PAREN}
_ATTRIBUTES = frozenset((GLOBAL_ATTRIBUTE, DEVICE_ATTRIBUTE))
_FUNCTIONS = frozenset((FUNCTION, 21, 24, 25, 26, 30, 144))
_CONFIGURATION = frozenset((b"__cudaPushCallConfiguration", b"cudaConfigureCall"))


class Verdict(Enum):
    """Whose a name is."""

    CUDA = "cuda"
    OWN = "own"
    MACRO = "macro"
    """A macro of the user's own, which may stand for one of CUDA's."""
    MEMBER = "member"
    BOTH = "both"
    """It differs from use to use, as in a macro's body."""


@dataclass
class CallParts:
    """Where the arguments of a call are; those that the source does not spell out are left out."""

    arguments: list[Span]


@dataclass
class LaunchParts:
    """Where the parts of a launch are, as far as the source spells them out."""

    kernel: Span
    configuration: list[Span]
    arguments: list[Span]


@dataclass
class DevicePart:
    """A device function with a body, by offsets."""

    kernel: bool
    name: bytes
    head: Span
    body: Span


@dataclass
class Facts:
    """What clang knows about one file; keys are byte offsets of tokens."""

    verdicts: dict[int, Verdict] = field(default_factory=dict)
    calls: dict[int, CallParts] = field(default_factory=dict)
    launches: list[LaunchParts] = field(default_factory=list)
    devices: list[DevicePart] = field(default_factory=list)
    half2_members: list[Span] = field(default_factory=list)
    kernel_templates: set[bytes] = field(default_factory=set)


class Visitor:
    """Collects Facts about the file at `path`.

    `wanted` are the offsets of the identifiers that matter, `is_cuda` tells of a header whether
    NVIDIA wrote it.
    """

    def __init__(
        self,
        library: Library,
        path: str,
        data: bytes,
        wanted: Container[int],
        is_cuda: Callable[[str], bool],
    ) -> None:
        self.facts = Facts()
        self._library, self._data, self._wanted, self._is_cuda = library, data, wanted, is_cuda
        self._path = path
        self._file, self._offset = ctypes.c_void_p(), ctypes.c_uint()
        self._file_at, self._offset_at = ctypes.byref(self._file), ctypes.byref(self._offset)
        self._whose: dict[int | None, Verdict | None] = {None: None}
        self._is_target: dict[int | None, bool] = {None: False}
        self._call: Any = None
        self._bodies: dict[int, tuple[bool, Any]] = {}
        self.in_main = True

    def run(self, unit: Any) -> Facts:
        """Walks over the whole unit."""
        callback = self._library.callback(self._each)
        self._library.visit(unit.cursor, callback, None)
        return self.facts

    def _each(self, cursor: Any, parent: Any, _: Any) -> int:
        kind = cursor._kind_id
        if parent._kind_id >= 300 and not self._is_here(self._library.location(cursor)):
            return CONTINUE  # a declaration at the top of another file
        if kind in _TRANSPARENT:
            return RECURSE
        if kind in _PASSED_OVER:  # most cursors, so this comes early
            self._call = None
        elif kind in _REFERENCES:
            self._reference(cursor, kind)
            if kind == NAMESPACE_REF:
                return RECURSE
        elif kind == CALL:
            self._call = cursor
            if parent._kind_id == CALL:
                self._maybe_launch(cursor, parent)
            return RECURSE
        elif kind == MEMBER_EXPR:
            self._member(cursor)
        elif kind <= _LAST_DECLARATION or kind in _LATE_DECLARATIONS or kind == MACRO_DEFINITION:
            self._declaration(cursor, kind)
        elif kind in _ATTRIBUTES:
            self._attribute(kind == GLOBAL_ATTRIBUTE, parent)
        elif kind == COMPOUND and parent.data[0] in self._bodies:
            self._body(cursor, *self._bodies.pop(parent.data[0]))
        self._call = None
        return RECURSE

    def _is_here(self, location: Any) -> bool:
        """Whether a location, macros expanded, lies in the file that is looked at."""
        if self.in_main:
            return bool(self._library.is_main(location))
        self._library.placed(location, self._file_at, None, None, self._offset_at)
        return self._target()

    def _target(self) -> bool:
        """Whether the file handle that was just filled in is the file that is looked at."""
        handle = self._file.value
        known = self._is_target.get(handle)
        if known is None:
            assert handle is not None
            known = self._is_target[handle] = self._library.file_name(handle) == self._path
        return known

    def _spelled(self, location: Any) -> int:
        """The offset at which a token is written, if that is in the file; else -1."""
        self._library.spelled(location, self._file_at, None, None, self._offset_at)
        return self._offset.value if self._target() else -1

    def _reference(self, cursor: Any, kind: int) -> None:
        at = self._spelled(self._library.location(cursor))
        if at not in self._wanted:
            return
        library = self._library
        target = library.referenced(cursor)
        if target._kind_id == OVERLOADED_REF:
            if not library.overloads(target):
                return  # nobody has declared this name
            target = library.overload(target, 0)
        verdict = self._owner(target)
        if verdict is None or not self._is_named(at, target, kind):
            return
        if kind == MACRO_USE and verdict is Verdict.OWN:
            verdict = Verdict.MACRO
        self._put(at, verdict)
        if self._call is not None and kind in (DECL_REF, OVERLOADED_REF, TEMPLATE_REF):
            arguments = self._arguments(self._call)
            self.facts.calls.setdefault(at, CallParts(arguments))

    def _is_named(self, at: int, target: Any, kind: int) -> bool:
        """Whether the token at `at` is the name of `target`, not a place that stands in for it."""
        if kind in (MACRO_USE, OVERLOADED_REF):
            return True
        name = self._library.spelling(target)
        return self._data.startswith(name.partition(b"<")[0], at) and bool(name)

    def _member(self, cursor: Any) -> None:
        at = self._spelled(self._library.location(cursor))
        if at < 0:
            return
        if at in self._wanted:
            self._put(at, Verdict.MEMBER)
        elif self._data[at : at + 1] in (b"x", b"y") and self._data[at - 1 : at] in (b".", b">"):
            field = self._library.referenced(cursor)
            if self._library.spelling(self._library.parent_of(field)) in (b"__half2", b"half2"):
                span = self._span(cursor)
                if span is not None:
                    self.facts.half2_members.append(span)

    def _declaration(self, cursor: Any, kind: int) -> None:
        at = self._spelled(self._library.location(cursor))
        if at not in self._wanted:
            return
        name = self._library.spelling(cursor)
        if not name or not self._data.startswith(name.partition(b"<")[0], at):
            return
        target = cursor if kind == MACRO_DEFINITION else self._library.canonical(cursor)
        verdict = self._owner(target)
        if verdict is not None:
            self._put(at, Verdict.MACRO if kind == MACRO_DEFINITION else verdict)

    def _put(self, at: int, verdict: Verdict) -> None:
        known = self.facts.verdicts.setdefault(at, verdict)
        if known is not verdict:
            self.facts.verdicts[at] = Verdict.BOTH

    def _owner(self, target: Any) -> Verdict | None:
        """Whose a declaration is, by the file that it stands in; None for clang's own."""
        library = self._library
        location = library.location(target)
        library.spelled(location, self._file_at, None, None, self._offset_at)
        handle = self._file.value
        if handle not in self._whose:
            assert handle is not None
            theirs = self._is_cuda(library.file_name(handle)) or library.is_system(location)
            self._whose[handle] = Verdict.CUDA if theirs else Verdict.OWN
        verdict = self._whose[handle]
        if verdict is Verdict.OWN and target._kind_id == FUNCTION and self._target():
            before = self._data[: self._offset.value].rstrip()[-1:]
            if before in b";{}":
                return None  # a call that clang took for a declaration, since it has no type
        return verdict

    def _span(self, cursor: Any) -> Span | None:
        """The bytes that a cursor covers, if they are written in the file in one piece."""
        library, extent = self._library, self._library.extent(cursor)
        library.placed(library.range_start(extent), self._file_at, None, None, self._offset_at)
        if not self._target():
            return None
        start = self._offset.value
        library.placed(library.range_end(extent), self._file_at, None, None, self._offset_at)
        end = self._offset.value
        return Span(start, end) if self._target() and start < end else None

    def _arguments(self, call: Any) -> list[Span]:
        library = self._library
        found = []
        for number in range(library.argument_count(call)):
            span = self._span(library.argument(call, number))
            if span is not None:
                found.append(span)
        return found

    def _maybe_launch(self, cursor: Any, parent: Any) -> None:
        if self._library.spelling(cursor) not in _CONFIGURATION:
            return
        children: list[Any] = []

        def first(child: Any, _: Any, __: Any) -> int:
            children.append(child)
            return 0

        self._library.visit(parent, self._library.callback(first), None)
        kernel = self._span(children[0]) if children else None
        if kernel is not None:
            self.facts.launches.append(
                LaunchParts(kernel, self._arguments(cursor), self._arguments(parent))
            )

    def _attribute(self, kernel: bool, function: Any) -> None:
        if function._kind_id not in _FUNCTIONS:
            return
        before = self._bodies.get(function.data[0], (False, None))[0]
        self._bodies[function.data[0]] = (kernel or before, function)
        if kernel and function._kind_id == 30:
            self.facts.kernel_templates.add(self._library.spelling(function))

    def _body(self, compound: Any, kernel: bool, function: Any) -> None:
        body, whole = self._span(compound), self._span(function)
        if body is not None and whole is not None and whole.start < body.start:
            name = self._library.spelling(function).partition(b"<")[0]
            self.facts.devices.append(DevicePart(kernel, name, Span(whole.start, body.start), body))
