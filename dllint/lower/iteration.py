"""Iterables: their elements if the number is known, else what each element looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import DimExpr, opaque
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    ClassVal,
    DictVal,
    InstanceVal,
    IterVal,
    ListVal,
    RangeVal,
    SetVal,
    SizesVal,
    Value,
)
from dllint.lower import attributes, calling
from dllint.lower.joining import join

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

_MAX_ELEMENTS = 4096
_MAX_ROWS = 32


def elements(m: Interpreter, value: Value) -> list[Value] | Unknown:
    """The elements in order, or Unknown if their number is not known."""
    known = _ELEMENTS.get(type(value))
    return known(m, value) if known is not None else Unknown("not-iterable", type(value).__name__)


def iterator(m: Interpreter, value: Value) -> Value:
    """What an object's own ``__iter__`` gives; any other iterable as it is."""
    method = attributes.special(m, value, "__iter__") if isinstance(value, InstanceVal) else None
    return value if method is None else calling.call(m, method, Arguments())


def element(m: Interpreter, value: Value) -> Value:
    """What an element of an iterable of unknown length looks like."""
    if isinstance(value, Assumed):
        return element(m, value.value)
    if isinstance(value, RangeVal):
        return _counter(value)
    if isinstance(value, TensorVal):
        return m.emit("getitem", {"x": value, "index": 0}, framework=value.framework, spelled="iteration")
    if isinstance(value, (ListVal, SetVal, IterVal)):
        return _join_all(m, [*value.items, *([value.rest] if value.rest is not None else [])])
    if isinstance(value, DictVal):
        return _join_all(m, list(value.items)) if value.items else Unknown("unknown-key")
    if isinstance(value, InstanceVal) and (found := _from_instance(m, value)) not in (None, value):
        return element(m, found)
    if isinstance(value, Unknown):
        return m.derive(("element", id(value)), lambda: Unknown(value.reason, value.detail), value)
    return Unknown("unknown-element", type(value).__name__)


def _counter(value: RangeVal) -> Value:
    """Any number of a range: one between the first and the last, whichever way it counts."""
    start, stop, step = value.start, value.stop, value.step
    if not isinstance(start, int) or not isinstance(step, int) or step == 0:
        return opaque("i")
    if not isinstance(stop, int):
        return opaque("i", max(start, 0) if step > 0 else 0)
    numbers = range(start, stop, step)
    if not numbers:
        return opaque("i")
    return opaque("i", min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1]))


def _join_all(m: Interpreter, values: list[Value]) -> Value:
    if not values:
        return Unknown("empty-iterable")
    out = values[0]
    for value in values[1:]:
        out = join(m, out, value)
    return out


def _closed(_m: Interpreter, value: Any) -> list[Value] | Unknown:
    return list(value.items) if value.rest is None else Unknown("unknown-length")


def _range(_m: Interpreter, value: RangeVal) -> list[Value] | Unknown:
    start, stop, step = value.start, value.stop, value.step
    if not isinstance(start, int) or not isinstance(stop, int) or not isinstance(step, int) or step == 0:
        return Unknown("unknown-length", "range")
    numbers = range(start, stop, step)
    return list(numbers) if len(numbers) <= _MAX_ELEMENTS else Unknown("unknown-length", "long range")


def _tensor(m: Interpreter, value: TensorVal) -> list[Value] | Unknown:
    shape = value.shape
    if isinstance(shape, Unknown) or not shape or isinstance(shape[0], DimExpr) or shape[0] > _MAX_ROWS:
        return Unknown("unknown-length", "tensor")
    rows = m.emit("unbind", {"x": value, "dim": 0}, framework=value.framework, spelled="iteration")
    return list(rows) if isinstance(rows, tuple) else Unknown("unknown-length", "tensor")


def _instance(m: Interpreter, value: InstanceVal) -> list[Value] | Unknown:
    found = _from_instance(m, value)
    return elements(m, found) if found is not None and found is not value else Unknown("not-iterable")


def _from_instance(m: Interpreter, value: InstanceVal) -> Value:
    method = attributes.special(m, value, "__iter__")
    if method is not None:
        return calling.call(m, method, Arguments())
    length, item = attributes.special(m, value, "__len__"), attributes.special(m, value, "__getitem__")
    if length is None or item is None:
        return None
    size = calling.call(m, length, Arguments())
    if isinstance(size, int) and 0 <= size <= _MAX_ROWS:
        return ListVal([calling.call(m, item, Arguments((i,))) for i in range(size)])
    return IterVal([], calling.call(m, item, Arguments((opaque("i"),))))


def _class(_m: Interpreter, value: ClassVal) -> list[Value] | Unknown:
    members: list[Value] = [v for v in value.attrs.values() if isinstance(v, InstanceVal) and v.cls is value]
    return members or Unknown("not-iterable", value.name)


_ELEMENTS: dict[type, Callable[[Any, Any], list[Value] | Unknown]] = {
    tuple: lambda _m, v: list(v),
    SizesVal: lambda _m, v: list(v),
    str: lambda _m, v: list(v),
    bytes: lambda _m, v: list(v),
    ListVal: _closed,
    SetVal: _closed,
    IterVal: _closed,
    DictVal: _closed,
    RangeVal: _range,
    TensorVal: _tensor,
    InstanceVal: _instance,
    ClassVal: _class,
    Unknown: lambda _m, v: v,
    Assumed: lambda m, v: elements(m, v.value),
}
