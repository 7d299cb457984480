"""`lop3` lookup tables as the shortest boolean expressions of three operands."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

_ALL = 0xFF
_NAMES = {0xF0: "$a", 0xCC: "$b", 0xAA: "$c"}


class _Expression(NamedTuple):
    cost: int
    text: str
    level: int
    """How tightly it binds: 3 for a name or a complement, 2 for `&`, 1 for `^`, 0 for `|`."""


@cache
def expressions() -> dict[int, str]:
    """For each of the 256 tables a template with `$a`, `$b` and `$c`, found by cost."""
    best: dict[int, _Expression] = {
        table: _Expression(0, name, 3) for table, name in _NAMES.items()
    }
    best[0x00] = _Expression(0, "0", 3)
    best[0xFF] = _Expression(0, "~0u", 3)
    cost = 1
    while len(best) < 256:
        for table, found in list(best.items()):
            if found.cost == cost - 1:
                text = found.text if found.level == 3 else f"({found.text})"
                if not text.startswith("~"):
                    _offer(best, ~table & _ALL, _Expression(cost, f"~{text}", 3))
        _combine(best, cost)
        cost += 1
    return {table: found.text for table, found in best.items()}


def _combine(best: dict[int, _Expression], cost: int) -> None:
    known = sorted(best.items(), key=lambda item: (item[1].cost, -item[0]))
    for first, left in known:
        for second, right in known:
            if left.cost + right.cost == cost - 1 and first != second:
                for sign, level, table in (
                    ("&", 2, first & second),
                    ("^", 1, first ^ second),
                    ("|", 0, first | second),
                ):
                    _offer(best, table, _joined(left, sign, right, cost, level))


def _joined(left: _Expression, sign: str, right: _Expression, cost: int, level: int) -> _Expression:
    sides = (side.text if side.level in (3, level) else f"({side.text})" for side in (left, right))
    return _Expression(cost, f" {sign} ".join(sides), level)


def _offer(best: dict[int, _Expression], table: int, found: _Expression) -> None:
    known = best.get(table)
    if known is None or known.cost > found.cost:
        best[table] = found
