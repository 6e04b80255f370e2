"""``x[i]``, ``x[i] = v`` and slices on every kind of value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import libcst as cst

from dllint.domains.dim import DimExpr, opaque, symbol
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.domains.shape import OpenShape
from dllint.frameworks.kinds import as_slice
from dllint.frameworks.machine import HANDLERS
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LibSymbol,
    ListVal,
    PartsVal,
    RangeVal,
    SizesVal,
    SliceVal,
    Value,
    unwrap,
)  # fmt: skip
from dllint.lower import (
    arguments,
    attributes,
    branches,
    bulk,
    calling,
    dataclass,
    demands,
    effects,
    exceptions,
    lists,
    mro,
)
from dllint.lower.changes import is_trained
from dllint.lower.dispatch import EVALUATE, evaluates
from dllint.lower.identity import key_of
from dllint.lower.iteration import element
from dllint.lower.joining import another, further, join
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.scopes import MISSING
from dllint.lower.variants import settings
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives, Evaluates, Joins, Paths, Raises


@evaluates(cst.Subscript)
def _subscript(m: Interpreter, node: cst.Subscript) -> Value:
    receiver = EVALUATE[type(node.value)](m, node.value)
    index = index_of(m, node)
    m.frame.node = node
    return item(m, receiver, index)


def index_of(m: Evaluates, node: cst.Subscript) -> Value:
    """The evaluated index: one value, or a tuple of values and slices."""
    elements = node.slice
    if len(elements) == 1 and isinstance(elements[0].comma, cst.MaybeSentinel):
        return _one(m, elements[0].slice)
    return tuple(_one(m, element.slice) for element in elements)


def _one(m: Evaluates, node: cst.BaseSlice) -> Value:
    if isinstance(node, cst.Index):
        return m.eval(node.value)
    if not isinstance(node, cst.Slice):
        return Unknown("unknown-index")
    parts = (node.lower, node.upper, node.step)
    return SliceVal(*(unwrap(m.eval(part)) if part is not None else None for part in parts))


def item(m: Interpreter, receiver: Value, index: Value) -> Value:
    """``receiver[index]``."""
    getter = _ITEM.get(type(receiver))
    if getter is None:
        if receiver is None:
            exceptions.raise_builtin(m, "TypeError")
        return Unknown("not-subscriptable", type(receiver).__name__)
    index = index.value if type(index) is Assumed else index
    if isinstance(index, LibSymbol) and mro.is_foreign(index.name):  # a number or text that another library holds
        index = Unknown("library-value", index.name)
    return getter(m, receiver, index)


def _tensor(m: Interpreter, x: TensorVal, index: Value) -> Value:
    if isinstance(index, str):  # a record or a dict
        return arguments.part(m, x, index) if arguments.is_open(x, m.known) else m.unknown("not-subscriptable", "text index")
    return m.emit("getitem", {"x": x, "index": _items(x, index)}, framework=x.framework, spelled="operator.getitem")


def _items(x: TensorVal, index: Value) -> tuple[Value, ...]:
    """The items of a tensor's index: a tuple is all of them, a list is one item among them (``x[[0, 1]]``) or, for some
    libraries, as good as a tuple."""
    if isinstance(index, ListVal):
        as_tuple = _is_as_tuple(x, index)
        if as_tuple is None:
            return (Unknown("unknown-index", "list"),)
        return tuple(index.items) if as_tuple else (index,)
    return index if isinstance(index, tuple) else (index,)


#: From so many items on, torch makes a tensor of a list whatever is in it.
_LONG_LIST: Final = 32


def _is_as_tuple(x: TensorVal, index: ListVal) -> bool | None:
    """Whether a list indexes as a tuple of its items would; ``None`` if that is not known. Measured with TensorFlow 2.21, where
    it always does, and torch 2.13, where it does if it is short and holds a tensor, sequence, slice, ellipsis or ``None``."""
    if x.framework == "tensorflow":
        return None if index.rest is not None else True
    if x.framework != "torch":
        return False
    further = () if index.rest is None else (index.rest,)
    if all(_is_number(unwrap(value)) for value in (*index.items, *further)):
        return False
    if further or any(isinstance(unwrap(value), Unknown) for value in index.items):
        return None
    return len(index.items) < _LONG_LIST


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float, DimExpr))


def _is_end(value: Value) -> TypeGuard[int | None]:
    """Whether a bound of a slice is known."""
    return value is None or isinstance(value, int)


def _sequence(m: Interpreter, items: str | bytes | tuple[Value, ...], index: Value) -> Value:
    if isinstance(items, PartsVal) and items and not _is_from_the_front(index):
        return Unknown("unknown-index", "parts") if isinstance(index, SliceVal) else _any_of(m, list(items))
    if isinstance(index, SliceVal):
        start, stop, step = index.start, index.stop, index.step
        if _is_end(start) and _is_end(stop) and _is_end(step) and step != 0:
            cut = items[start:stop:step]
            return PartsVal(cut) if isinstance(items, PartsVal) and isinstance(cut, tuple) else cut
        return items[:0] if not items else Unknown("unknown-index", "slice")
    if isinstance(items, tuple) and isinstance(index, (Unknown, DimExpr)) and items:
        return _any_of(m, list(items), "IndexError")
    return _at(m, items, index)


def _is_from_the_front(index: Value) -> bool:
    """Whether an index or slice counts from the first item on."""
    ends = (index.start, index.stop, index.step) if isinstance(index, SliceVal) else (index,)
    return all(end is None or (isinstance(end, int) and end >= 0) for end in ends)


def _at(m: Raises, items: str | bytes | tuple[Value, ...] | list[Value], index: Value) -> Value:
    """The item at a place."""
    if not isinstance(index, int):
        return Unknown("unknown-index")
    if -len(items) <= index < len(items):
        return items[index]
    exceptions.raise_builtin(m, "IndexError")
    return Unknown("index-error")


def _sizes(m: Interpreter, sizes: SizesVal, index: Value) -> Value:
    """One size, or a part of a vector of sizes."""
    found = _sequence(m, sizes, index)
    return SizesVal(found) if isinstance(found, tuple) else found


def _any_of(m: Paths, items: list[Value], error: str = "") -> Value:
    """What any of several values is; an ``error`` of that name is raised where the key or index is that of none."""
    if error:
        exceptions.may_raise(m, (LibSymbol(f"builtins.{error}"),))
    out = items[0]
    for value in items[1:]:
        out = join(m, out, value)
    return out


def _list(m: Interpreter, receiver: ListVal, index: Value) -> Value:
    if receiver.rest is not None:
        if isinstance(index, int) and 0 <= index < len(receiver.items):
            return receiver.items[index]
        return ListVal([], element(m, receiver)) if isinstance(index, SliceVal) else _some(m, element(m, receiver))
    if isinstance(index, (Unknown, DimExpr)) and receiver.items:
        return _any_of(m, receiver.items, "IndexError")
    if isinstance(index, SliceVal):
        part = _sequence(m, tuple(receiver.items), index)
        return ListVal(list(part)) if isinstance(part, tuple) else part
    return _at(m, receiver.items, index)


def _some(m: Joins, value: Value) -> Value:
    """An element that may be any of several; what is recorded on a tensor of them holds on every path."""
    if isinstance(value, TensorVal):
        m.journal.note_lasting(value, "several")
        value.several = True
    return another(m, value)


#: The ``factory`` of a Counter.
COUNTER: Final = LibSymbol("collections.Counter")


def _dict(m: Interpreter, receiver: DictVal, index: Value) -> Value:
    key = key_of(index)
    m.complete(receiver, index)
    if key is not MISSING and key in receiver.items:
        return receiver.items[key]
    if receiver.rest is not None:
        return _any_of(m, [*receiver.items.values(), receiver.rest]) if key is MISSING else _some(m, receiver.rest)
    if key is not MISSING and receiver.factory is COUNTER:
        return 0
    if key is not MISSING and receiver.factory is not None:
        made = calling.call(m, receiver.factory, Arguments())
        lists.set_entry(m, receiver, key, made)
        return made
    if receiver.factory is not None and receiver.factory is not COUNTER:  # an entry of which the key is not known
        m.journal.set_attribute(receiver, "rest", further(calling.call(m, receiver.factory, Arguments())))
        return receiver.rest
    if receiver.read:
        return m.unknown("key-error", "data-file") if key is not MISSING else _any_of(m, list(receiver.items.values()))
    if key is MISSING and receiver.items:
        return _any_of(m, list(receiver.items.values()), "KeyError")
    if key is not MISSING:
        exceptions.raise_builtin(m, "KeyError")
    return m.unknown("key-error")


def _shape(m: Interpreter, receiver: ShapeVal, index: Value) -> Value:
    shape = receiver.tensor.type.shape
    if not isinstance(shape, Unknown):
        return item(m, shape, index)
    if isinstance(shape, OpenShape) and type(index) is int and index == -1:
        return shape.last
    if isinstance(index, int):
        return _size(m, receiver, index)
    if not isinstance(index, SliceVal):
        return opaque("size")
    if index.start in (None, 0) and index.step in (None, 1) and type(index.stop) is int and 0 < index.stop <= _MOST_AXES:
        return tuple(_size(m, receiver, axis) for axis in range(index.stop))
    return Unknown("unknown-rank", "shape")


_MOST_AXES = 6


def _size(m: Derives, receiver: ShapeVal, axis: int) -> Value:
    """The size of an axis of a tensor of unknown rank: the same symbol each time."""
    origin = demands.origin_of_sizes(m.known, receiver.tensor)
    return m.derive(("size", receiver.tensor.id, axis), lambda: symbol(f"{receiver.tensor.name or 'n'}_{abs(axis)}", origin))


def _range(m: Interpreter, receiver: RangeVal, index: Value) -> Value:
    found = m.iterate(receiver)
    return item(m, tuple(found), index) if isinstance(found, list) else opaque("i")


def _instance(m: Interpreter, receiver: InstanceVal, index: Value) -> Value:
    method = mro.special(receiver, "__getitem__")
    if method is not None:
        return calling.call(m, method, Arguments((index,)))
    if isinstance(index, str) and index in receiver.attrs:
        return receiver.attrs[index]
    return m.unknown("not-subscriptable", getattr(receiver.cls, "name", ""))


def _class(m: Interpreter, receiver: ClassVal, index: Value) -> Value:
    """``Generic[T]`` is the class; an enumeration's ``Color["RED"]`` is its member."""
    if isinstance(index, str) and index in receiver.attrs:
        return receiver.attrs[index]
    if isinstance(index, str) and dataclass.members_of(receiver):
        exceptions.raise_builtin(m, "KeyError")
        return m.unknown("key-error")
    method = mro.lookup(receiver, "__class_getitem__")
    return calling.call(m, method, Arguments((receiver, index))) if isinstance(method, FuncVal) else receiver


def _symbol(m: Interpreter, receiver: LibSymbol, index: Value) -> Value:
    """``list[int]``, ``Optional[Tensor]``: the bare name; library objects answer through their protocol."""
    handler = HANDLERS.get(f"{receiver.name}.__getitem__")
    if handler is not None:
        return handler(m, receiver, Arguments((index,)))
    if receiver.name.startswith(("typing.", "builtins.", "collections.")):
        return receiver
    return Unknown("unmodelled-call", f"{receiver.name}[]")


def _cuts(index: Value) -> bool:
    """Whether an index contains a slice or an ellipsis."""
    return any(part is ... or isinstance(part, SliceVal) for part in (index if isinstance(index, tuple) else (index,)))


def _unknown(m: Derives, receiver: Unknown, index: Value) -> Value:
    key = key_of(index) if not isinstance(index, (SliceVal, DimExpr)) else MISSING
    detail = (
        f"{receiver.detail}[{key!r}]"
        if receiver.reason in ("parameter", "argument") and isinstance(key, (int, str))
        else receiver.detail
    )
    if _cuts(index):  # what is cut like an array or a list is no number
        return Unknown("input", detail)
    if isinstance(index, TensorVal):  # rows by their numbers, or by a mask
        return UnknownResult(receiver.reason, detail, "getitem", (receiver, index))
    if key is MISSING or not isinstance(key, (int, str)):
        return Unknown(receiver.reason, detail)
    return m.derive(("item", id(receiver), key), lambda: Unknown(receiver.reason, detail), receiver)


_ITEM: dict[type, Callable[[Any, Any, Value], Value]] = {
    TensorVal: _tensor,
    tuple: _sequence,
    SizesVal: _sizes,
    PartsVal: _sequence,
    str: _sequence,
    bytes: _sequence,
    ListVal: _list,
    DictVal: _dict,
    ShapeVal: _shape,
    RangeVal: _range,
    IterVal: lambda m, v, i: _list(m, ListVal(v.items, v.rest), i),
    InstanceVal: _instance,
    ClassVal: _class,
    LibSymbol: _symbol,
    Unknown: _unknown,
    Assumed: lambda m, v, i: item(m, settings.used(m, v, "TypeError"), i),
    # What one of several lacks is doubtful.
    ChoiceVal: lambda m, v, i: branches.each(
        m, [partial(item, m, option, i) for option in settings.usable(m, v.options, "TypeError")]
    ),
    FuncVal: lambda _m, v, _i: v,
    BoundVal: lambda _m, v, _i: Unknown("not-subscriptable"),
}


def put_item(m: Interpreter, receiver: Value, index: Value, value: Value) -> None:
    """``receiver[index] = value``, journalled."""
    receiver = receiver.value if isinstance(receiver, Assumed) else receiver
    if isinstance(receiver, TensorVal):
        _put_elements(m, receiver, index, value)
    elif isinstance(receiver, DictVal):
        key = key_of(index)
        if key is MISSING:
            attributes.set_unknown(m, receiver, value)
        else:
            lists.set_entry(m, receiver, key, value)
    elif isinstance(receiver, ListVal):
        _put_list(m, receiver, unwrap(index), value)
    elif isinstance(receiver, InstanceVal):
        method = mro.special(receiver, "__setitem__")
        if method is not None:
            calling.call(m, method, Arguments((index, value)))
    elif isinstance(receiver, ChoiceVal):
        branches.each(m, [partial(put_item, m, option, index, value) for option in receiver.options])


def _put_elements(m: Interpreter, receiver: TensorVal, index: Value, value: Value) -> None:
    """Assign to elements of a tensor."""
    args: dict[str, Value] = {"x": receiver, "index": _items(receiver, index), "value": value}
    masked = _is_mask(index)  # which elements stay depends on what they are
    result = m.emit("setitem", args, framework=receiver.framework, spelled="operator.setitem")
    if not isinstance(result, TensorVal):
        return
    result.type = receiver.type
    effects.written(m.journal, m.trail, receiver, result, number=Unknown("masked") if masked else value)
    if result.producer is not None:
        result.producer.varying = m.control.passes > 0 and not _is_literal(m.frame.node)
    result.low, result.high, result.name = receiver.low, receiver.high, receiver.name
    if isinstance(receiver.shape, tuple) and not is_trained(receiver):
        effects.hold(m, receiver, result)


def _is_mask(index: Value) -> bool:
    dtype = index.dtype if isinstance(index, TensorVal) else None
    return isinstance(dtype, DType) and dtype.kind == "bool"


def _is_literal(target: cst.CSTNode) -> bool:
    """Whether the index of an assignment's target is written in numbers."""
    if not isinstance(target, cst.Subscript):
        return False
    names = (cst.Name, cst.Call, cst.Attribute)
    return not any(isinstance(part, names) for element in target.slice for part in walk(element))


def _put_list(m: Interpreter, receiver: ListVal, index: Value, value: Value) -> None:
    size = len(receiver.items)
    if isinstance(index, int) and -size <= index < size:
        lists.weaken_item(m, receiver, index, value)
        perhaps = lists.repeats(m.control, receiver) and not isinstance(value, InstanceVal)  # the loop may have no pass
        m.write(receiver.items, index % size, join(m, receiver.items[index], value) if perhaps else value)
    elif isinstance(index, SliceVal) and (cut := as_slice(index)) is not None:
        _put_slice(m, receiver, cut, value)
    elif isinstance(index, SliceVal):
        more = m.consume(value)
        lists.loosen(m, receiver, more if isinstance(more, list) else [element(m, value)])
    elif size and not isinstance(index, int):
        lists.weaken(m, receiver, [value])
        m.journal.set_place(receiver.items, receiver, [join(m, old, value) for old in receiver.items])
    elif isinstance(index, int) and receiver.rest is None:
        exceptions.raise_builtin(m, "IndexError")


def _put_slice(m: Interpreter, receiver: ListVal, cut: slice, value: Value) -> None:
    more = m.consume(value)
    if not isinstance(more, list) or receiver.rest is not None:
        lists.loosen(m, receiver, more if isinstance(more, list) else [element(m, value)])
        return
    fits = cut.step in (None, 1) or len(range(*cut.indices(len(receiver.items)))) == len(more)
    if not fits:
        exceptions.raise_builtin(m, "ValueError")
        return
    if not bulk.may_hold(len(receiver.items) + len(more)):
        lists.loosen(m, receiver, more)
        return
    lists.weaken(m, receiver, more)
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items[cut] = more


def delete_item(m: Interpreter, receiver: Value, index: Value) -> None:
    """``del receiver[index]``, journalled."""
    receiver, index = unwrap(receiver), unwrap(index)
    if isinstance(receiver, ChoiceVal):
        branches.each(m, [partial(delete_item, m, option, index) for option in receiver.options])
    elif isinstance(receiver, DictVal):
        _delete_key(m, receiver, key_of(index))
    elif isinstance(receiver, ListVal):
        _delete_element(m, receiver, index)
    elif isinstance(receiver, InstanceVal) and (method := mro.special(receiver, "__delitem__")) is not None:
        calling.call(m, method, Arguments((index,)))


def _delete_key(m: Interpreter, receiver: DictVal, key: Value) -> None:
    if key is MISSING:
        lists.loosen_entries(m, receiver)
    elif key not in receiver.items and receiver.rest is None and receiver.factory is not COUNTER:
        exceptions.raise_builtin(m, "KeyError")
    lists.remove_entry(m.journal, receiver, key)


def _delete_element(m: Interpreter, receiver: ListVal, index: Value) -> None:
    cut = as_slice(index) if isinstance(index, SliceVal) else None
    if receiver.rest is not None or (not isinstance(index, int) and cut is None):
        lists.loosen(m, receiver)
    elif isinstance(index, int) and not -len(receiver.items) <= index < len(receiver.items):
        exceptions.raise_builtin(m, "IndexError")
    else:
        lists.weaken(m, receiver)
        m.journal.before_list_change(receiver.items, receiver)
        if cut is not None:
            del receiver.items[cut]
        elif isinstance(index, int):
            del receiver.items[index]
