"""The row of the rule index: what selection and listings know about a rule without importing it."""

from __future__ import annotations

from typing import NamedTuple


class RuleRow(NamedTuple):
    """One rule. ``module`` and ``cls`` say where it stands; the other fields are its class attributes."""

    code: str
    name: str
    module: str
    cls: str
    severity: str
    confidence: str
    default: str
    fix: str | None
    frameworks: tuple[str, ...]
    topics: tuple[str, ...]
    #: See :attr:`dllint.rules.rule.Rule.needs`.
    needs: tuple[str, ...] = ()
    #: See :attr:`dllint.rules.rule.Rule.calls`.
    calls: tuple[str, ...] = ()
