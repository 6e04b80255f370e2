"""A rule's ``check`` takes what the rule's topics give, and nothing else."""

from __future__ import annotations

import inspect
from types import UnionType
from typing import get_args

from dllint.dev.index import rule_classes
from dllint.ir import events
from dllint.ir.program import Event, Op, Program
from dllint.rules.rule import AnyRule

GIVEN: dict[str, type] = {
    f"event:{value.kind}": value
    for value in vars(events).values()
    if isinstance(value, type) and issubclass(value, Event) and hasattr(value, "kind")
}


def given(topic: str) -> type | None:
    """What a topic gives; ``None`` for a topic that there is not."""
    if topic.startswith(("op:", "fault:")):
        return Op
    return Program if topic == "program" else GIVEN.get(topic)


def taken(rule: type[AnyRule]) -> set[type]:
    """What ``check`` is declared for."""
    annotation = inspect.get_annotations(rule.check, eval_str=True)["item"]
    return set(get_args(annotation)) if isinstance(annotation, UnionType) else {annotation}


def asked(rule: type[AnyRule]) -> set[type | None]:
    """What ``check`` is given."""
    return {given(topic) for topic in rule.topics}


def test_a_rule_takes_what_its_topics_give() -> None:
    differing = {rule.code: (taken(rule), found) for rule in rule_classes() if taken(rule) != (found := asked(rule))}
    assert differing == {}
