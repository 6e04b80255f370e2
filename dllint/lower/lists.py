"""In-place changes of lists, sets and dicts.

``items`` are the elements in front, in order; ``rest`` stands for any number of further ones. What changes elements whose
places are not known, or happens an unknown number of times, leaves nothing known of order and number. What changes a join
changes one of the containers that it is a join of: a weak update of each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, InstanceVal, ListVal, SetVal, Value, unwrap
from dllint.lower import bulk
from dllint.lower.joining import another, further, join, join_all

if TYPE_CHECKING:
    from dllint.lower.journal import Journal
    from dllint.lower.parts import Joins
    from dllint.lower.state import Control

Items = ListVal | SetVal


def extend(m: Joins, target: Items, items: list[Value], rest: Value = None) -> None:
    """Put elements behind the others, and any number of what ``rest`` stands for."""
    weaken(m, target, [*items, *([] if rest is None else [rest])])
    fits = bulk.may_hold(len(target.items) + len(items))
    if target.rest is None and fits and not (items and repeats(m.control, target)):
        if items:
            m.journal.before_list_change(target.items, target)
            target.items.extend(items)
            if isinstance(target, ListVal) and target.most is not None:
                del target.items[: max(len(target.items) - target.most, 0)]
    elif items or rest is not None:
        last = target.items[-1:] if target.rest is None else []
        rest = join_all(m, [*last, *items, *([] if rest is None else [rest])])
    if rest is not None:
        m.journal.set_attribute(target, "rest", further(rest if target.rest is None else join(m, target.rest, rest)))


def insert(m: Joins, target: ListVal, index: Value, value: Value) -> None:
    """Put an element at a place."""
    weaken(m, target, [value])
    if isinstance(index, int) and target.rest is None and not repeats(m.control, target):
        m.journal.before_list_change(target.items, target)
        target.items.insert(max(min(index, len(target.items)), -len(target.items)), value)
    else:
        loosen(m, target, [value])


def take(m: Joins, target: Items, index: Value) -> Value:
    """Remove an element and return it, as far as it is known which one."""
    known = isinstance(index, int) and -len(target.items) <= index < len(target.items)
    weaken(m, target)
    if isinstance(index, int) and known and target.rest is None and not repeats(m.control, target):
        m.journal.before_list_change(target.items, target)
        return target.items.pop(index)
    every = [*target.items, *([] if target.rest is None else [target.rest])]
    loosen(m, target)
    return another(m, join_all(m, every)) if every else target.rest


def reorder(m: Joins, target: Items, items: list[Value]) -> None:
    """Replace the elements by ``items``: the same ones in another order, or others that need no check."""
    weaken(m, target, items)
    if target.rest is None and bulk.may_hold(len(items)) and not repeats(m.control, target):
        m.journal.before_list_change(target.items, target)
        target.items[:] = items
    else:
        loosen(m, target)


def loosen(m: Joins, target: Items, more: Iterable[Value] = ()) -> None:
    """Forget the order and number of the elements, to which others may have been added."""
    weaken(m, target, more := list(more))
    _forget(m, target, more)


def weaken(m: Joins, target: Items, more: Iterable[Value] = ()) -> None:
    """Apply a change of a joined list, by elements among ``more``, as a possible change of each list that it may be."""
    for one in _alternatives(target):
        if isinstance(one, ListVal):
            _forget(m, one, more)


def weaken_item(m: Joins, target: ListVal, index: int, value: Value) -> None:
    """Apply an assignment to a place of a joined list as a possible assignment in each list that it may be."""
    for one in _alternatives(target):
        if isinstance(one, ListVal) and -len(one.items) <= index < len(one.items):
            joined = join(m, one.items[index], value)
            m.journal.before_list_change(one.items)
            one.items[index % len(one.items)] = joined


def _alternatives(target: Items | DictVal) -> Iterator[ListVal | DictVal]:
    """The containers that a joined container may be, each once, without intermediate joins."""
    waiting: list[ListVal | DictVal] = [] if isinstance(target, SetVal) else [*target.alternatives]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting.extend(one.alternatives)
            yield one


def _forget(m: Joins, target: Items, more: Iterable[Value]) -> None:
    every = [*target.items, *([] if target.rest is None else [target.rest]), *more]
    if target.items:
        m.journal.before_list_change(target.items, target)
        target.items.clear()
    if every:
        m.journal.set_attribute(target, "rest", further(join_all(m, every)))


def set_entry(m: Joins, target: DictVal, key: Hashable, value: Value) -> None:
    """``target[key] = value``. A key that a loop of an unknown number of passes adds is one of any number."""
    for one in _alternatives(target):
        if isinstance(one, DictVal):
            _perhaps_set(m, one, key, value)
    m.journal.note_owner(target.items, target)
    if key not in target.items:
        _uncount(m, target)
    added = key not in target.items and target.born < m.control.pass_began and target.of is None
    if added and not isinstance(value, InstanceVal):
        _add_unknown(m, target, value)
    else:
        m.journal.set_item(target.items, key, value)


def _perhaps_set(m: Joins, target: DictVal, key: Hashable, value: Value) -> None:
    """``target[key] = value`` that may not have happened."""
    if key in target.items:
        m.journal.note_owner(target.items, target)
        m.journal.set_item(target.items, key, join(m, target.items[key], value))
    else:
        _add_unknown(m, target, value)


def _add_unknown(m: Joins, target: DictVal, value: Value) -> None:
    """One more value under an unknown key: what is there on some paths only is no longer all that ``rest`` stands for."""
    m.journal.set_attribute(target, "rest", further(value if target.rest is None else join(m, target.rest, value)))
    if target.perhaps:
        m.journal.set_attribute(target, "perhaps", {})
    _uncount(m, target)


def _uncount(m: Joins, target: DictVal) -> None:
    """A dict of one entry whose key is not known gets another one, which may be the same."""
    if target.others == 1:
        m.journal.set_attribute(target, "others", None)


def decide(m: Joins, target: DictVal, key: Hashable, *, there: bool) -> None:
    """If an entry is one that a dict has on some paths: it is there from here on, or is not."""
    if target.alternatives or key in target.items or key not in target.perhaps:
        return
    value, left = target.perhaps[key], {other: held for other, held in target.perhaps.items() if other != key}
    m.journal.set_attribute(target, "perhaps", left)
    m.journal.set_attribute(target, "rest", further(join_all(m, list(left.values()))) if left else None)
    if there:
        m.journal.note_owner(target.items, target)
        m.journal.set_item(target.items, key, value)


def remove_entry(journal: Journal, target: DictVal, key: Hashable) -> None:
    """``del target[key]``, if it is there."""
    journal.note_owner(target.items, target)
    journal.delete_item(target.items, key)


def set_unknown(m: Joins, target: DictVal, value: Value) -> None:
    """``target[key] = value`` for an unknown key: it may add an entry or replace any existing one."""
    _add_unknown(m, target, value)
    kinds = (TensorVal, InstanceVal)  # layers and tensors have keys of their own
    for key, held in list(target.items.items()):
        if not isinstance(unwrap(held), kinds) and not isinstance(unwrap(value), kinds):
            m.journal.set_item(target.items, key, join(m, held, value))


def loosen_entries(m: Joins, target: DictVal) -> None:
    """Forget which entries a dict has, because an unknown one was removed."""
    every = [*target.items.values(), *([] if target.rest is None else [target.rest])]
    for key in list(target.items):
        remove_entry(m.journal, target, key)
    if every:
        m.journal.set_attribute(target, "rest", further(join_all(m, every)))


def repeats(control: Control, target: Items | DictVal) -> bool:
    """Whether what changes a list now may change it again, in later passes of a loop that is younger."""
    return target.born < control.pass_began
