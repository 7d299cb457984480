"""Nothing of the API facts that the mappings were first made from gets lost."""

from __future__ import annotations

import yaml

from hipify.mapping import Database
from tests.unit.facts_digest import COUNTS, digest, fact_entries, tokens


def test_every_name_of_the_facts_is_there() -> None:
    assert len(fact_entries(Database.load())) == len(tokens()) == 10342


def test_what_is_said_of_them_changed_only_on_purpose() -> None:
    """After a change that is meant: `python -m tests.unit.facts_digest`, and read the diff."""
    expected = yaml.safe_load(COUNTS.read_text(encoding="utf-8"))
    assert digest(fact_entries(Database.load())) == expected


def test_every_unsupported_name_has_a_reason() -> None:
    database = Database.load()
    silent = [
        entry.cuda
        for name in database.names()
        for entry in database.get_all(name)
        if entry.hip is None and len(entry.caveat) < 20
    ]
    assert silent == []
