"""Answers the questions of a Context from what clang found out about its file."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from hipify.arguments import Call, Launch, call_at, trimmed
from hipify.lexer import Lexed
from hipify.source import Span
from hipify.syntax import DeviceFunction
from hipify.translators.clang.visitor import Facts, Verdict

_GAP = re.compile(rb"[\s,]*")


class ParseError(NamedTuple):
    """What clang could not understand; the place is in `path`, line and column from 1."""

    path: str
    line: int
    column: int
    message: str


class Oracle:
    """What clang knows about one file.

    Each answer is None, or none at all, where clang does not know; the tokens decide then.
    """

    def __init__(
        self,
        lexed: Lexed,
        facts: Facts,
        level: str,
        errors: tuple[ParseError, ...] = (),
        inactive: Iterable[Span] = (),
    ) -> None:
        self._lexed = lexed
        self._facts = facts
        self.level = level
        """Which headers it is built on: `toolkit`, `wheels` or `stubs`."""
        self.errors = errors
        self.inactive = sorted(inactive)
        """What `#if` leaves out."""
        self.half2_members = sorted(set(facts.half2_members))
        """Expressions that name the `x` or `y` of a half2."""
        self.kernel_templates = frozenset(facts.kernel_templates)

    def verdict(self, offset: int) -> Verdict | None:
        """Whose the name at `offset` is."""
        return self._facts.verdicts.get(offset)

    def is_own(self, offset: int) -> bool:
        """Whether the name at `offset` is the user's own or a member."""
        return self.verdict(offset) in (Verdict.OWN, Verdict.MEMBER)

    def is_inactive(self, offset: int) -> bool:
        """Whether `offset` is in a branch that the preprocessor leaves out."""
        at = bisect_left(self.inactive, (offset + 1,)) - 1
        return at >= 0 and offset < self.inactive[at].end

    def device_functions(self) -> list[DeviceFunction]:
        """Functions with a body that run on the device, in order."""
        found = {
            part.body.start: DeviceFunction(part.kernel, part.name, part.head, part.body)
            for part in self._facts.devices
        }
        return [found[start] for start in sorted(found)]

    def call(self, name: Span) -> Call | None:
        """The call whose callee is the name at `name`."""
        parts = self._facts.calls.get(name.start)
        if parts is None:
            return None
        code, _, end = self._lexed.code_around(name.start)
        args = self._exact(code, parts.arguments)
        if not args:
            return None
        opening = code.rfind(b"(", name.end, args[0].start + 1)
        if opening < 0 or not _is_gap(code, opening + 1, args[0].start):
            return None
        return self._closed(code, opening, args, end)

    def launch(self, offset: int) -> Launch | None:
        """The kernel launch whose `<<<` is at `offset`."""
        code, _, end = self._lexed.code_around(offset)
        for parts in self._launches.get(offset, ()):
            config = self._exact(code, parts[1])
            if not config or not _is_gap(code, offset + 3, config[0].start):
                continue
            close = code.find(b">>>", config[-1].end)
            if close < 0 or not _is_gap(code, config[-1].end, close):
                continue
            args = self._exact(code, parts[2])
            opening = code.find(b"(", close + 3)
            if opening < 0 or code[close + 3 : opening].strip():
                continue
            call = self._closed(code, opening, args, end) if args else call_at(code, close + 3, end)
            if call is not None:
                return Launch(parts[0], offset, config, close + 3, call)
        return None

    @cached_property
    def _launches(self) -> dict[int, list[tuple[Span, list[Span], list[Span]]]]:
        known: dict[int, list[tuple[Span, list[Span], list[Span]]]] = {}
        for parts in self._facts.launches:
            at = self._lexed.code.find(b"<<<", parts.kernel.end)
            kernel = trimmed(self._lexed.code, parts.kernel.start, at)
            if at >= 0 and kernel.end == parts.kernel.end:
                known.setdefault(at, []).append((kernel, parts.configuration, parts.arguments))
        return known

    def _exact(self, code: bytes, spans: list[Span]) -> tuple[Span, ...]:
        """The spans if they follow one another with nothing but commas between, else none."""
        result: list[Span] = []
        for given in spans:
            span = trimmed(code, given.start, given.end)
            if result and not (
                span.start > result[-1].end and _is_gap(code, result[-1].end, span.start)
            ):
                return ()
            result.append(span)
        return tuple(result)

    def _closed(self, code: bytes, opening: int, args: tuple[Span, ...], end: int) -> Call | None:
        close = code.find(b")", args[-1].end, end)
        if close < 0 or code[args[-1].end : close].strip():
            return None
        return Call(opening, close + 1, args)


def _is_gap(code: bytes, start: int, end: int) -> bool:
    return start <= end and _GAP.fullmatch(code, start, end) is not None
