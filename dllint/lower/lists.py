"""Changing lists and sets in place.

``items`` are the elements in front, in order; ``rest`` stands for any number of further ones. What changes elements whose
places are not known, or happens an unknown number of times, leaves nothing known of order and number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce
from typing import TYPE_CHECKING

from dllint.ir.values import ListVal, SetVal, Value
from dllint.lower.joining import another, further, join

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

Items = ListVal | SetVal


def extend(m: Interpreter, target: Items, items: list[Value], rest: Value = None) -> None:
    """Put elements behind the others, and any number of what ``rest`` stands for."""
    if target.rest is None and not (items and _repeats(m, target)):
        if items:
            m.journal.before_list_change(target.items, target)
            target.items.extend(items)
    elif items or rest is not None:
        last = target.items[-1:] if target.rest is None else []
        rest = _any_of(m, [*last, *items, *([] if rest is None else [rest])])
    if rest is not None:
        m.journal.set_attribute(target, "rest", further(rest if target.rest is None else join(m, target.rest, rest)))


def insert(m: Interpreter, target: ListVal, index: Value, value: Value) -> None:
    """Put an element at a place."""
    if isinstance(index, int) and target.rest is None and not _repeats(m, target):
        m.journal.before_list_change(target.items, target)
        target.items.insert(index, value)
    else:
        loosen(m, target, [value])


def take(m: Interpreter, target: Items, index: Value) -> Value:
    """Remove an element and return it, as far as it is known which one."""
    known = isinstance(index, int) and -len(target.items) <= index < len(target.items)
    if isinstance(index, int) and known and target.rest is None and not _repeats(m, target):
        m.journal.before_list_change(target.items, target)
        return target.items.pop(index)
    every = [*target.items, *([] if target.rest is None else [target.rest])]
    loosen(m, target)
    return another(m, _any_of(m, every)) if every else target.rest


def reorder(m: Interpreter, target: ListVal, items: list[Value]) -> None:
    """Give the elements another order."""
    if target.rest is None and not _repeats(m, target):
        m.journal.before_list_change(target.items, target)
        target.items[:] = items
    else:
        loosen(m, target)


def loosen(m: Interpreter, target: Items, more: Iterable[Value] = ()) -> None:
    """Forget the order and number of the elements, to which some may have been added."""
    every = [*target.items, *([] if target.rest is None else [target.rest]), *more]
    if target.items:
        m.journal.before_list_change(target.items, target)
        target.items.clear()
    if every:
        m.journal.set_attribute(target, "rest", further(_any_of(m, every)))


def _repeats(m: Interpreter, target: Items) -> bool:
    """Whether what changes a list now may change it again, in later passes of a loop that is younger."""
    return target.born < m.pass_began


def _any_of(m: Interpreter, values: list[Value]) -> Value:
    return reduce(partial(join, m), values)
