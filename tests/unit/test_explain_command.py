"""`hipify explain` shows a rule as its module describes it."""

from __future__ import annotations

import pytest

from hipify.cli import main
from hipify.rules import all_rules


def test_without_a_rule_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [rule.id for rule in all_rules()]
    assert all(line.endswith(rule.summary) for line, rule in zip(lines, all_rules(), strict=True))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_each_rule_is_shown_with_all_its_examples(
    rule: object, capsys: pytest.CaptureFixture[str]
) -> None:
    from hipify.rules import Rule

    assert isinstance(rule, Rule)
    assert main(["explain", rule.id]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{rule.id}: {rule.summary}\n")
    examples = [text for rewrite in rule.rewrites for text in (rewrite.before, rewrite.after)]
    examples += [diagnosis.code for diagnosis in rule.diagnoses] + list(rule.keeps)
    for line in "\n".join(examples).splitlines():
        assert f"    {line}".rstrip() in told
