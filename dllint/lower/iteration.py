"""Iterables: their elements if the number is known, else what each element looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import DimExpr, counted
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LibSymbol,
    ListVal,
    PartsVal,
    RangeVal,
    SetVal,
    SizesVal,
    Value,
)
from dllint.lower import arguments, bulk, calling, dataclass, exceptions, exits, mro
from dllint.lower.catching import Catch, RaisedError
from dllint.lower.joining import join_all
from dllint.lower.lazy import ChoiceVal
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.journal import Journal
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins, Raises

_MAX_ELEMENTS = 4096
_MAX_ROWS = 32
#: Elements that are as much work as a statement.
PER_STATEMENT = 256
_MAX_PULLED = 64


def elements(m: Raises, value: Value) -> list[Value] | Unknown:
    """The elements in order, or Unknown if their number is unknown. Charges fuel in proportion to their number."""
    known = _ELEMENTS.get(type(value))
    found = known(m, value) if known is not None else Unknown("not-iterable", type(value).__name__)
    if isinstance(found, list) and len(found) >= PER_STATEMENT:
        m.budget.fuel -= len(found) // PER_STATEMENT
        return found if m.budget.fuel >= 0 else Unknown("fuel")
    return found


def iterator(m: Interpreter, value: Value) -> Value:
    """The result of an object's own ``__iter__``; any other iterable as it is."""
    method = mro.special(value, "__iter__") if isinstance(value, InstanceVal) else None
    return value if method is None else calling.call(m, method, Arguments())


def element(m: Interpreter, value: Value) -> Value:
    """A value that stands for any element of an iterable of unknown length; of one of several values, those that have elements
    count."""
    if isinstance(value, Assumed):
        return element(m, value.value)
    if _is_empty(value):
        return Unknown("empty-iterable")
    if isinstance(value, RangeVal):
        return _counter(value)
    if isinstance(value, TensorVal):
        return m.emit("getitem", {"x": value, "index": 0}, framework=value.framework, spelled="iteration")
    if isinstance(value, (ListVal, SetVal, IterVal)):
        return _join_all(m, [*value.items, *([value.rest] if value.rest is not None else [])])
    if isinstance(value, DictVal):
        return _join_all(m, list(value.items)) if value.items else Unknown("unknown-key")
    if isinstance(value, ChoiceVal):
        return _join_all(m, [element(m, option) for option in value.options if not _is_empty(option)])
    if isinstance(value, InstanceVal) and (found := _from_instance(m, value)) not in (None, value):
        return element(m, found)
    if isinstance(value, Unknown):
        return arguments.element(m, value)
    return Unknown("unknown-element", type(value).__name__)


def _is_empty(value: Value) -> bool:
    """Whether a value has no elements for certain, so that a loop over it does nothing."""
    if isinstance(value, TensorVal):
        shape = value.shape
        return not isinstance(shape, Unknown) and bool(shape) and shape[0] == 0
    if isinstance(value, (ListVal, SetVal)):
        return value.rest is None and not value.items
    return isinstance(value, (tuple, str, bytes)) and not value


def _counter(value: RangeVal) -> Value:
    """An element of a range of unknown length: a number between the first and the last."""
    start, stop, step = value.start, value.stop, value.step
    if not isinstance(start, int) or not isinstance(step, int) or step == 0:
        return counted("i")
    if not isinstance(stop, int):
        return counted("i", max(start, 0) if step > 0 else 0)
    numbers = range(start, stop, step)
    if not numbers:
        return counted("i")
    return counted("i", min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1]))


def _join_all(m: Interpreter, values: list[Value]) -> Value:
    if not values:
        return Unknown("empty-iterable")
    return Unknown("fuel") if m.budget.fuel < 0 else join_all(m, values)


def _closed(value: ListVal | SetVal | DictVal | IterVal) -> list[Value] | Unknown:
    return list(value.items) if value.rest is None else Unknown("unknown-length")


def _numbered(_m: Machine, value: SetVal) -> list[Value] | Unknown:
    """The elements of a set: whole numbers in the order in which Python has them, others in that in which they were added."""
    if value.rest is not None:
        return Unknown("unknown-length")
    numbers = [item for item in value.items if isinstance(item, int)]
    return list(set(numbers)) if len(numbers) == len(value.items) else list(value.items)


def _taken(m: Joins, value: IterVal) -> list[Value] | Unknown:
    """The elements that are left in an iterator; afterwards it has none."""
    found = _closed(value)
    if value.items and not value.view and isinstance(found, list):
        m.journal.before_list_change(value.items, value)
        value.items.clear()
    return found


def known(m: Raises, value: Value) -> list[Value] | Unknown:
    """The elements in order; an iterator keeps them."""
    return _closed(value) if isinstance(value, IterVal) else elements(m, value)


def one_by_one(journal: Journal, iterable: Value, items: list[Value]) -> Iterator[Value]:
    """The known elements of an iterable, one at a time, because the loop's body may advance the iterator or change the list."""
    if isinstance(iterable, IterVal) and iterable.counter is not None:
        while iterable.counter is not None:
            number, step = iterable.counter
            journal.set_attribute(iterable, "counter", (number + step, step))
            yield number
    elif isinstance(iterable, IterVal) and not iterable.view:
        while iterable.items:
            journal.before_list_change(iterable.items, iterable)
            yield iterable.items.pop(0)
    elif isinstance(iterable, ListVal):
        place = 0
        while place < len(iterable.items) and place < _MAX_ELEMENTS:
            yield iterable.items[place]
            place += 1
        if iterable.rest is not None:  # the rest of the loop does what it would have done before
            yield from items[place:]
    else:
        yield from items


def _range(_m: Machine, value: RangeVal) -> list[Value] | Unknown:
    start, stop, step = value.start, value.stop, value.step
    if not isinstance(start, int) or not isinstance(stop, int) or not isinstance(step, int) or step == 0:
        return Unknown("unknown-length", "range")
    numbers = range(start, stop, step)
    return list(numbers) if bulk.steps(start, stop, step) <= _MAX_ELEMENTS else Unknown("unknown-length", "long range")


def _tensor(m: Machine, value: TensorVal) -> list[Value] | Unknown:
    shape = value.shape
    if isinstance(shape, Unknown) or not shape or isinstance(shape[0], DimExpr) or shape[0] > _MAX_ROWS:
        return Unknown("unknown-length", "tensor")
    rows = m.emit("unbind", {"x": value, "dim": 0}, framework=value.framework, spelled="iteration")
    return list(rows) if isinstance(rows, tuple) else Unknown("unknown-length", "tensor")


def _instance(m: Interpreter, value: InstanceVal) -> list[Value] | Unknown:
    found = _from_instance(m, value)
    if found is value:
        return _pulled(m, value)
    if found is None and _is_plain(value) and mro.lookup(value.cls, "__getitem__") is MISSING:
        exceptions.raise_builtin(m, "TypeError")
    return elements(m, found) if found is not None else Unknown("not-iterable")


def _is_plain(value: InstanceVal) -> bool:
    """Whether all that an object has is in sight."""
    return isinstance(value.cls, ClassVal) and value.open is None and not mro.library_bases(value.cls)


def _pulled(m: Interpreter, value: InstanceVal) -> list[Value] | Unknown:
    """The results of an object's ``__next__`` until it raises ``StopIteration``."""
    method = mro.find_user_attribute(value.cls, "__next__")
    if not isinstance(method, FuncVal):
        return Unknown("not-iterable")
    catch = Catch(((LibSymbol("builtins.StopIteration"),),), (False,), exits.here(m.control, m.journal))
    outer, m.control.catching = m.control.catching, (*m.control.catching, catch)
    items: list[Value] = []
    m.journal.open()
    try:
        while len(items) <= _MAX_PULLED and not catch.arrived:
            items.append(calling.call(m, method, Arguments((value,))))
    except RaisedError:
        if m.control.raised is None or m.control.raised.catch is not catch:
            raise
        m.control.raised = None
        if not catch.arrived:
            return items
    finally:
        m.control.catching = outer
        m.journal.keep()
    exits.close(m.journal, catch.end)
    return Unknown("unknown-length", "__next__")


def _from_instance(m: Interpreter, value: InstanceVal) -> Value:
    method = mro.special(value, "__iter__")
    if method is not None:
        return calling.call(m, method, Arguments())
    length, item = mro.special(value, "__len__"), mro.special(value, "__getitem__")
    if length is None or item is None:
        return None
    size = calling.call(m, length, Arguments())
    if isinstance(size, int) and 0 <= size <= _MAX_ROWS:
        return ListVal([calling.call(m, item, Arguments((i,))) for i in range(size)])
    return IterVal([], calling.call(m, item, Arguments((counted("i"),))))


def _choice(m: Interpreter, value: ChoiceVal) -> list[Value] | Unknown:
    """The elementwise join of lists of the same length."""
    found = [elements(m, option) if isinstance(option, (ListVal, tuple)) else None for option in value.options]
    known = [items for items in found if isinstance(items, list)]
    if len(known) < len(found) or len({len(items) for items in known}) != 1:
        return Unknown("unknown-length", "several")
    return [_join_all(m, list(row)) for row in zip(*known, strict=True)]


def _class(_m: Machine, value: ClassVal) -> list[Value] | Unknown:
    members: list[Value] = [*dataclass.members_of(value)]
    return members or Unknown("not-iterable", value.name)


_ELEMENTS: dict[type, Callable[[Any, Any], list[Value] | Unknown]] = {
    tuple: lambda _m, v: list(v),
    SizesVal: lambda _m, v: list(v),
    PartsVal: lambda _m, v: list(v),
    str: lambda _m, v: list(v),
    bytes: lambda _m, v: list(v),
    ListVal: lambda _m, v: _closed(v),
    SetVal: _numbered,
    IterVal: _taken,
    DictVal: lambda _m, v: _closed(v),
    RangeVal: _range,
    TensorVal: _tensor,
    InstanceVal: _instance,
    ClassVal: _class,
    Unknown: lambda _m, v: v,
    Assumed: lambda m, v: elements(m, v.value),
    ChoiceVal: _choice,
}
