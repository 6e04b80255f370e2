"""The generated rule index, and what holds between the rules."""

from __future__ import annotations

from dllint.dev.index import INDEX, render, row, rule_classes
from dllint.ops import faults
from dllint.rules._index import RULES


def test_index_is_fresh() -> None:
    assert INDEX.read_text(encoding="utf-8") == render()
    assert list(RULES) == [row(cls) for cls in rule_classes()]


def test_codes_and_names_are_unique() -> None:
    assert len({r.code for r in RULES}) == len({r.name for r in RULES}) == len(RULES)


def test_every_fault_has_a_rule() -> None:
    topics = {topic for r in RULES for topic in r.topics}
    assert {f"fault:{kind}" for kind in faults.ALL} <= topics


def test_suppression_has_no_cycles() -> None:
    suppresses = {cls.code: set(cls.suppresses) for cls in rule_classes()}
    for code, others in suppresses.items():
        for other in others:
            assert code not in suppresses.get(other, set()), f"{code} and {other} suppress each other"
