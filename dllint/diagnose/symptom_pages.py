"""The documentation pages of what a diagnosed run can find: one per code, from the symptoms' docstrings and thresholds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from inspect import getdoc
from typing import Any

from dllint.diagnose.symptoms.registry import checks
from dllint.diagnose.symptoms.symptom import SymptomCheck, Threshold


@cache
def symptom_pages() -> dict[str, dict[str, Any]]:
    """The data that listings print about each code, with the keys of a rule's metadata."""
    by_code: dict[str, list[SymptomCheck]] = {}
    for check in checks():
        by_code.setdefault(check.code, []).append(check)
    return {code: _record(code, found) for code, found in by_code.items()}


def codes_of(selector: str) -> list[str]:
    """The codes that a code, the beginning of one, or a name stands for."""
    return [code for code, record in symptom_pages().items() if record["name"] == selector or code.startswith(selector)]


def _record(code: str, found: list[SymptomCheck]) -> dict[str, Any]:
    worst = min(found, key=lambda check: check.severity.rank)
    summary = f"In a diagnosed run: {', '.join(check.symptom for check in found)}."
    return {
        "code": code,
        "name": worst.name,
        "summary": summary,
        "severity": worst.severity.value,
        "confidence": worst.confidence.value,
        "fix": None,
        "frameworks": ["torch", "keras"],
        "default": "run",
        "page": "\n\n".join([summary, *(_section(check) for check in found)]),
    }


def _section(check: SymptomCheck) -> str:
    lines = [f"## {check.symptom.capitalize()}", " ".join((getdoc(type(check)) or "").split())]
    thresholds = [f"- {threshold.value:g}: {threshold.source}" for threshold in _thresholds(check)]
    if thresholds:
        lines.append("\n".join(["Thresholds:", "", *thresholds]))
    if check.explains:
        lines.append(f"Reported instead of: {', '.join(check.explains)}.")
    return "\n\n".join(lines)


def _thresholds(check: SymptomCheck) -> Iterator[Threshold]:
    """The thresholds of the symptom's file."""
    yield from (value for value in vars(sys.modules[type(check).__module__]).values() if isinstance(value, Threshold))
