"""Rules: each module here holds one, exported as `RULE`, found by walking the package."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hipify.finding import Finding
from hipify.sites import Site, SiteKind

if TYPE_CHECKING:
    from hipify.context import Context
    from hipify.mapping import MappingEntry

Visit = Callable[[Site, "Context"], Iterable[Finding]]


@dataclass(frozen=True)
class Rewrite:
    """An example for documentation and tests: `before` becomes `after`.

    Both are whole files; where a rule adds the main header, the examples show it.
    """

    before: str
    after: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options that differ from the defaults."""


@dataclass(frozen=True)
class Diagnosis:
    """An example whose code stays (apart from other rules' work) and gets a finding of the rule."""

    code: str
    says: str
    """Words that the finding's message must hold."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options that differ from the defaults."""


@dataclass(frozen=True)
class Rule:
    """A rewrite or a diagnostic, named by the CUDA pattern that it finds.

    It is visited for sites of `kinds` other than names, for the identifiers in `names`, and for
    database entries that satisfy `entry`.
    """

    id: str
    summary: str
    visit: Visit
    kinds: frozenset[SiteKind] = frozenset()
    names: frozenset[str] = frozenset()
    entry: Callable[[MappingEntry], bool] | None = None
    by_name: bool = False
    """Whether what it finds depends on the name alone, so that one visit a name is enough."""
    rewrites: tuple[Rewrite, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    keeps: tuple[str, ...] = ()
    """Whole files that neither change nor get a finding of this rule."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package, sorted by id.

    A module without a RULE or with an id that is not its own name is a programming error and
    raises at once.
    """
    rules = []
    for module in pkgutil.iter_modules(__path__):
        if module.name.startswith("_"):
            continue
        rule: Rule = import_module(f"{__name__}.{module.name}").RULE
        if rule.id.replace("-", "_") != module.name:
            raise ValueError(f"rules/{module.name}.py exports a rule named {rule.id!r}")
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.id))


class Dispatch:
    """Which rules visit which site, worked out once a name."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self.names = frozenset(name for rule in self.rules for name in rule.names)
        self._by_kind = {
            kind: tuple(rule for rule in self.rules if kind in rule.kinds) for kind in SiteKind
        }
        self._by_name: dict[str, tuple[Rule, ...]] = {}

    def watches(self, name: str) -> bool:
        """Whether a rule asks for this identifier by name."""
        return name in self.names

    def for_name(self, name: str, entry: MappingEntry | None) -> tuple[Rule, ...]:
        """The rules for an identifier; `entry` is the database's word on it, if any."""
        rules = self._by_name.get(name)
        if rules is None:
            rules = tuple(
                rule
                for rule in self.rules
                if name in rule.names
                or (entry is not None and rule.entry is not None and rule.entry(entry))
            )
            self._by_name[name] = rules
        return rules

    def for_kind(self, kind: SiteKind) -> tuple[Rule, ...]:
        """The rules for a site that is no name."""
        return self._by_kind[kind]
