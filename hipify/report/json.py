"""The report as JSON, for programs."""

from __future__ import annotations

import json
from typing import Any

from hipify import __version__
from hipify.finding import Severity
from hipify.report import FORMULA, Report, Score

SCHEMA_VERSION = 1
"""Grows when a member is renamed or removed or changes its meaning; new members do not count."""


def write(report: Report) -> str:
    """The whole report; keys and lists are always in the same order."""
    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "hipify", "version": __version__},
        "title": report.title,
        "options": dict(report.options),
        "readiness": {"formula": FORMULA, **_score(report.score)},
        "libraries": [
            {
                "name": library.name,
                "mapped": library.mapped,
                "partial": library.partial,
                "unsupported": library.unsupported,
                "uses": library.uses,
                "readiness": _score(library.score),
            }
            for library in report.libraries
        ],
        "apis": [
            {
                "name": api.name,
                "library": api.library,
                "kind": api.kind,
                "status": api.status,
                "counterpart": api.counterpart,
                "why": api.why,
                "uses": len(api.places),
                "places": [place._asdict() for place in api.places],
            }
            for api in report.apis
        ],
        "rules": [
            {
                "rule": rule.rule,
                **{f"{severity.label}s": rule.count(severity) for severity in _SEVERITIES},
                "findings": [
                    {
                        **finding.place._asdict(),
                        "severity": finding.severity.label,
                        "message": finding.message,
                        "remedy": finding.remedy,
                    }
                    for finding in rule.findings
                ],
            }
            for rule in report.rules
        ],
        "files": [
            {
                "name": file.name,
                "mapped": file.mapped,
                "partial": file.partial,
                "unsupported": file.unsupported,
                "errors": file.errors,
                "warnings": file.warnings,
                "notes": file.notes,
                "readiness": _score(file.score),
            }
            for file in report.files
        ],
        "failures": [
            {"file": failure.file, "reason": failure.reason} for failure in report.failures
        ],
    }


_SEVERITIES = sorted(Severity, reverse=True)


def _score(score: Score) -> dict[str, float | None]:
    return {"percent": score.percent, "weight": score.weight, "places": score.places}
