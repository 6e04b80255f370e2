"""Which rules are to be asked about an item, from the index alone: a rule that has nothing to ask is not imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dllint.ir.events import LibraryCall
from dllint.ir.program import Event, Op, Program
from dllint.rules.index_row import RuleRow

Item = Op | Event | Program
#: What precedes the name in the topic of calls of what has this name.
_CALL: Final = "call:"


class Topics:
    """The codes of rules by topic. ``may_concern`` asks a rule of whose calls the index says nothing for those of a name."""

    def __init__(self, rows: Iterable[RuleRow], may_concern: Callable[[str, str], bool]) -> None:
        self._may_concern = may_concern
        self._codes: dict[str, list[str]] = {}
        self._calls = {row.code: row.calls for row in rows if row.calls}
        self._needs = {row.code: row.needs for row in rows if row.needs}
        for row in rows:
            for topic in row.topics:
                self._codes.setdefault(topic, []).append(row.code)
        #: The codes of the rules that calls may concern, by the name of what is called.
        self._of_calls: dict[str, list[str]] = {}

    def subscribers(self, item: Item, faults_only: bool) -> list[str]:
        """The codes of the rules to ask about an item (about its faults only, if so), each once."""
        if isinstance(item, LibraryCall):
            return self._of_name(item.name)
        if isinstance(item, Event):
            return self._codes.get(f"event:{item.kind}", [])
        if isinstance(item, Program):
            return self._of_program(item)
        if not item.faults:
            return self._codes.get(f"op:{item.kind}", [])
        kinds = [f"fault:{fault.kind}" for fault in item.faults]
        if not faults_only:
            kinds.insert(0, f"op:{item.kind}")
        return list(dict.fromkeys(code for topic in kinds for code in self._codes.get(topic, [])))

    def _of_name(self, name: str) -> list[str]:
        """The codes of the rules to ask about a call of what has this name."""
        known = self._of_calls.get(name)
        if known is None:
            codes = self._codes.get(f"event:{LibraryCall.kind}", [])
            known = self._of_calls[name] = [code for code in codes if self._concerns(code, name)]
        return known

    def _concerns(self, code: str, name: str) -> bool:
        """Whether a rule is to be asked about calls of what has this name: as the index says, or else the rule itself."""
        calls = self._calls.get(code)
        return self._may_concern(code, name) if calls is None else any(_is_name(pattern, name) for pattern in calls)

    def _of_program(self, program: Program) -> list[str]:
        """The codes of the rules to ask about a program as a whole: those that find there what they need."""
        kinds = {f"event:{item.kind}" for item in program.trace if isinstance(item, Event)}
        names = {item.name for item in program.trace if isinstance(item, LibraryCall)}
        return [code for code in self._codes.get("program", []) if self._is_met(code, kinds, names)]

    def _is_met(self, code: str, kinds: set[str], names: set[str]) -> bool:
        needs = self._needs.get(code)
        return needs is None or any(need in kinds or _is_called(need, names) for need in needs)


def _is_called(need: str, names: set[str]) -> bool:
    """Whether there is a call of what a topic names."""
    return need.startswith(_CALL) and any(_is_name(need[len(_CALL) :], name) for name in names)


def _is_name(pattern: str, name: str) -> bool:
    """Whether a pattern is a name, its beginning (``torch.nn.init.*``), or its end (``*.fit``)."""
    if pattern.startswith("*"):
        return name.endswith(pattern[1:])
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
