"""Joining the contents of places that several paths have written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from dllint.ir.program import TensorVal
from dllint.ir.values import AbstractVal, DictVal, InstanceVal, Value
from dllint.lower.joining import further, join
from dllint.lower.journal import ORDER
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.journal import Journal
    from dllint.lower.parts import Joins

#: A place with its content on each path.
Contents = tuple[Any, Any, list[Any]]
#: A list and what may follow its items.
_Grown = tuple[Any, Value]


def join_places(m: Joins, places: Iterable[Contents]) -> None:
    """Set places to the join of their contents on all paths."""
    grown: list[_Grown] = []
    for container, name, values in places:
        if name is ORDER:
            continue
        if type(container) is list:
            grown += _join_items(m, container, name, values)
        elif (
            any(value is MISSING for value in values)
            and (owner := m.journal.owner(container)) is not None
            and _is_plain(values)
        ):
            m.journal.delete_item(container, name)
            grown.append((owner, _joined(m, container, [value for value in values if value is not MISSING])))
            _note_perhaps(m.journal, owner, name, grown[-1][1])
        else:
            m.journal.set_place(container, name, _joined(m, container, values))
    for owner, rest in grown:  # after the places, of which one may be its rest
        m.journal.set_attribute(owner, "rest", further(rest if owner.rest is None else join(m, owner.rest, rest)))


def _note_perhaps(
    journal: Journal, owner: dict[Any, Any] | list[Any] | TensorVal | AbstractVal, key: Value, value: Value
) -> None:
    """Mark an entry that a dict has on some paths only, unless other unknown keys may be present."""
    if isinstance(owner, DictVal) and (owner.rest is None or owner.perhaps):
        journal.set_attribute(owner, "perhaps", {**owner.perhaps, key: value})


def _is_plain(values: list[Value]) -> bool:
    """Whether there is something among the contents of a place, and no layer, of which one path does make it."""
    there = [value for value in values if value is not MISSING]
    return bool(there) and not any(isinstance(value, InstanceVal) for value in there)


def _joined(m: Joins, container: Value, values: list[Value]) -> Any:
    if not isinstance(container, dict):  # an attribute that one path has not set yet
        values = [value for value in values if value is not None] or [None]
    return reduce(partial(join, m), values)


def _join_items(m: Joins, container: list[Value], owner: Value, contents: list[list[Value]]) -> list[_Grown]:
    """Set a list that paths have changed. Of layers that paths have added differently the longest list stands for all, since
    one path does make it; of other values what all have in front is kept, and any number of the others may follow."""
    longest = max(contents, key=len)
    common = min(map(len, contents))
    if common < len(longest) and (owner is None or any(isinstance(value, InstanceVal) for value in longest)):
        m.journal.set_place(container, owner, longest)
        return []
    fronts = [content[:common] for content in contents]
    m.journal.set_place(container, owner, [reduce(partial(join, m), parts) for parts in zip(*fronts, strict=True)])
    further = [value for content in contents for value in content[common:]]
    return [(owner, reduce(partial(join, m), further))] if further else []
