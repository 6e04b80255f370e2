"""The rules of the program: what is known without importing them, and their classes when they are needed."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from inspect import getdoc
from typing import TYPE_CHECKING, Any

from dllint.config.selection import Catalogue, RuleEntry
from dllint.rules._index import RULES
from dllint.rules.index_row import RuleRow

if TYPE_CHECKING:
    from dllint.rules.rule import AnyRule


@cache
def catalogue() -> Catalogue:
    """Codes, names and defaults of all rules, from the generated index."""
    return Catalogue(RuleEntry(row.code, row.name, row.default) for row in RULES)


_LOADED: dict[str, AnyRule] = {}


def rule(code: str) -> AnyRule:
    """The rule with a code; its module is imported when it is first asked for."""
    loaded = _LOADED.get(code)
    if loaded is None:
        row = next(row for row in RULES if row.code == code)
        loaded = _LOADED[code] = getattr(import_module(row.module), row.cls)()
    return loaded


def rows_of(codes: Collection[str]) -> list[RuleRow]:
    """The index rows of some rules, in the order of their codes."""
    return [row for row in RULES if row.code in codes]


def page(code: str) -> str:
    """The documentation page of a rule: its docstring."""
    return getdoc(type(rule(code))) or ""


def summary(code: str) -> str:
    """The first line of a rule's page."""
    return page(code).split("\n", 1)[0]


def metadata(code: str) -> dict[str, Any]:
    """What formats and listings print about a rule."""
    from dllint.rules.calibration import calibrated, weighed

    loaded = rule(code)
    applicability = loaded.applicability
    return {
        "code": code,
        "name": loaded.name,
        "summary": summary(code),
        "severity": weighed(loaded.severity, calibrated(code, loaded.confidence)).value,
        "confidence": calibrated(code, loaded.confidence).value,
        "fix": applicability.value if applicability else None,
        "frameworks": list(loaded.frameworks),
        "default": loaded.default,
        "page": page(code),
    }
