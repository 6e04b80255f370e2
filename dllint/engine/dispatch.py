"""Handing operations, events and programs to the rules that subscribed to them; a rule that raises does not stop the rest."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from dllint.engine.results import Notice
from dllint.finding import Finding
from dllint.ir.program import Event, Op, Program

Item = Op | Event | Program


class Checker(Protocol):
    """The part of a rule that dispatch uses (:class:`dllint.rules.rule.Rule`)."""

    code: str
    topics: tuple[str, ...]

    def check(self, item: Any, context: Any) -> Iterator[Finding]:
        """Findings for one item."""
        ...


@dataclass(frozen=True, slots=True)
class Raw:
    """A finding as a rule made it, with the item it is about, the program that holds the item, and the rule."""

    finding: Finding
    item: Item
    program: Program
    rule: Checker


class Dispatcher:
    """The selected rules, by topic."""

    def __init__(self, rules: Iterable[Checker]) -> None:
        self._by_topic: dict[str, list[Checker]] = {}
        for rule in rules:
            for topic in rule.topics:
                self._by_topic.setdefault(topic, []).append(rule)

    def run(self, program: Program, context: Any, path: Path) -> tuple[list[Raw], list[Notice]]:
        """What the rules find in a program, and which of them failed; ``path`` is the file being checked."""
        found: list[Raw] = []
        failed: dict[str, Notice] = {}
        for item in (*program.trace, program):
            for rule in self._subscribers(item):
                if rule.code in failed:
                    continue
                try:
                    found.extend(Raw(finding, item, program, rule) for finding in rule.check(item, context))
                except Exception as error:  # a faulty rule must not hide what the others find
                    failed[rule.code] = crash(path, f"rule {rule.code} failed on {program.entry}", error)
        return found, list(failed.values())

    def _subscribers(self, item: Item) -> list[Checker]:
        get: Callable[[str, list[Checker]], list[Checker]] = self._by_topic.get
        if isinstance(item, Event):
            return get(f"event:{item.kind}", [])
        if isinstance(item, Program):
            return get("program", [])
        rules = get(f"op:{item.kind}", [])
        for fault in item.faults:
            rules = [*rules, *(rule for rule in get(f"fault:{fault.kind}", []) if rule not in rules)]
        return rules


def crash(path: Path, what: str, error: BaseException) -> Notice:
    """The notice of an error of dllint itself."""
    detail = str(error).split("\n", 1)[0][:200]
    return Notice("internal-error", path, f"{what}: {type(error).__name__}: {detail}", _traceback(error))


def _traceback(error: BaseException) -> str:
    import os

    return "".join(traceback.format_exception(error)) if os.environ.get("DLLINT_DEBUG") else ""
