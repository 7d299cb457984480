"""Every rule's own examples run: rewrites rewrite, diagnoses speak, keeps keep."""

from __future__ import annotations

from typing import Any

import pytest

from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes
from hipify.rules import Diagnosis, Rewrite, Rule, all_rules


def _translate(text: str, options: Any = None) -> Translation:
    return translate_bytes(text.encode(), Options(**(options or {})), "example.cu")


def _each(kind: str) -> list[Any]:
    return [
        pytest.param(rule, example, id=f"{rule.id}-{number}")
        for rule in all_rules()
        for number, example in enumerate(getattr(rule, kind))
    ]


@pytest.mark.parametrize(("rule", "example"), _each("rewrites"))
def test_rewrite_gives_what_it_promises_and_is_stable(rule: Rule, example: Rewrite) -> None:
    result = _translate(example.before, example.options)
    assert result.data.decode() == example.after
    again = _translate(example.after, example.options)
    assert again.data.decode() == example.after


@pytest.mark.parametrize(("rule", "example"), _each("diagnoses"))
def test_diagnosis_names_the_rule_and_says_what_is_wrong(rule: Rule, example: Diagnosis) -> None:
    findings = [f for f in _translate(example.code, example.options).findings if f.rule == rule.id]
    assert findings, f"no finding of {rule.id}"
    assert any(example.says in finding.message for finding in findings), findings


@pytest.mark.parametrize(("rule", "code"), _each("keeps"))
def test_kept_code_is_untouched(rule: Rule, code: str) -> None:
    result = _translate(code)
    assert result.data.decode() == code
    assert not [finding for finding in result.findings if finding.rule == rule.id]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_every_rule_has_examples(rule: Rule) -> None:
    assert rule.rewrites or rule.diagnoses
    assert rule.summary.endswith(".")
