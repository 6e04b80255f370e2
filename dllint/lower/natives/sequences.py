"""Builtins that make or consume iterables: ``len``, ``range``, ``zip``, ``sorted``, ``sum``, ``list`` …"""

from __future__ import annotations

from typing import Any

import libcst as cst

from dllint.domains.dim import DimExpr, floordiv, opaque
from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, IterVal, ListVal, RangeVal, SetVal, SliceVal, Value
from dllint.lower import attributes, operators
from dllint.lower.identity import key_of
from dllint.lower.iteration import element, iterator
from dllint.lower.joining import alike
from dllint.lower.lazy import ShapeVal
from dllint.lower.natives.arguments import argument, given, plain
from dllint.lower.scopes import MISSING


def listed(m: Any, value: Value) -> tuple[list[Value], Value]:
    """The elements of an iterable, and what further ones look like if their number is not known."""
    found = m.iterate(value)
    if isinstance(found, list):
        return found, None
    return [], element(m, value)


@handler("builtins.len")
def _len(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, (str, bytes, tuple)):
        return len(value)
    if isinstance(value, (ListVal, SetVal, DictVal)):
        return len(value.items) if value.rest is None else _open_length(value)
    if isinstance(value, TensorVal):
        shape = value.shape
        return shape[0] if not isinstance(shape, Unknown) and shape else opaque("len")
    if isinstance(value, ShapeVal):
        return m.getattr(value.tensor, "ndim")
    if isinstance(value, RangeVal):
        return _range_length(value)
    if isinstance(value, InstanceVal) and (method := attributes.special(m, value, "__len__")) is not None:
        return m.call(method, Arguments())
    if isinstance(value, Unknown):
        return m.derive(("len", id(value)), lambda: opaque("len"), value)
    return opaque("len")


def _open_length(value: ListVal | SetVal | DictVal) -> Value:
    """The number of entries of which some have unknown keys; their number may be known."""
    others = value.others if isinstance(value, DictVal) else None
    return others + len(value.items) if isinstance(others, DimExpr) else opaque("len")


def _range_length(value: RangeVal) -> Value:
    if all(isinstance(part, int) for part in (value.start, value.stop, value.step)) and value.step:
        return len(range(value.start, value.stop, value.step))
    if value.step == 1 and all(isinstance(part, (int, DimExpr)) for part in (value.start, value.stop)):
        return value.stop - value.start
    if isinstance(value.step, int) and value.step > 0 and isinstance(value.stop, DimExpr) and isinstance(value.start, int):
        return floordiv(value.stop - value.start + value.step - 1, value.step)
    return opaque("len")


@handler("builtins.range")
def _range(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    parts = [m.as_dim(part, surely=True) for part in given(arguments)]
    if len(parts) == 1:
        return RangeVal(0, parts[0], 1)
    return RangeVal(parts[0], parts[1], parts[2] if len(parts) > 2 else 1) if parts else Unknown("missing-argument", "range")


@handler("builtins.slice")
def _slice(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    parts = given(arguments)
    return SliceVal(None, parts[0], None) if len(parts) == 1 else SliceVal(*[*parts, None, None, None][:3])


@handler("builtins.zip", "itertools.zip_longest")
def _zip(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    known, generic = [], []
    for value in given(arguments):
        found = m.iterate(value)
        known.append(found if isinstance(found, list) else None)
        generic.append(None if isinstance(found, list) else element(m, value))
    if arguments.star is not None or not known:
        # ``zip(*rows)`` without rows gives nothing to unpack: nobody writes that for an empty argument list, which is invented.
        return IterVal([], Unknown("unknown-arguments", "zip"))
    lengths = [len(items) for items in known if items is not None]
    if not lengths:
        return IterVal([], tuple(generic))
    rows = range(min(lengths))
    return IterVal([tuple(items[i] if items is not None else generic[n] for n, items in enumerate(known)) for i in rows])


@handler("builtins.enumerate")
def _enumerate(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    start = argument(arguments, 1, "start", 0)
    iterable = iterator(m, argument(arguments, 0, "iterable"))
    items, rest = listed(m, iterable)
    cases = iterable.cases if isinstance(iterable, IterVal) else {}
    first = start if isinstance(start, int) else 0
    return IterVal(
        [(first + i, item) for i, item in enumerate(items)],
        None if rest is None else (opaque("i"), rest),
        {text: (opaque("i"), item) for text, item in cases.items()},
    )


@handler("builtins.reversed")
def _reversed(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    return IterVal(items[::-1], rest)


@handler("builtins.sorted")
def _sorted(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    key = argument(arguments, 1, "key")
    keys = [m.call(key, Arguments((item,))) for item in items] if key is not None else items
    if (rest is None and all(isinstance(k, (int, float)) for k in keys)) or all(isinstance(k, str) for k in keys):
        order = sorted(range(len(items)), key=lambda i: keys[i], reverse=argument(arguments, 2, "reverse") is True)
        return ListVal([items[i] for i in order], rest)
    return ListVal(items, rest)


@handler("builtins.map")
def _map(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    function, *iterables = given(arguments) or [Unknown("missing-argument")]
    if len(iterables) == 1:
        items, rest = listed(m, iterables[0])
        mapped = [m.call(function, Arguments((item,))) for item in items]
        return IterVal(mapped, None if rest is None else m.call(function, Arguments((rest,))))
    rows = _zip(m, None, Arguments(tuple(iterables)))
    return IterVal(
        [m.call(function, Arguments(row)) for row in rows.items], rows.rest and m.call(function, Arguments(rows.rest))
    )


@handler("builtins.filter")
def _filter(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    function = argument(arguments, 0)
    items, rest = listed(m, argument(arguments, 1))
    kept = [i for i in items if m.truth(i if function is None else m.call(function, Arguments((i,)))) is not False]
    return IterVal(kept, rest)


@handler("builtins.iter")
def _iter(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    value = iterator(m, value)
    return value if isinstance(value, IterVal) else IterVal(*listed(m, value))


@handler("builtins.next", "builtins.anext")
def _next(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, IterVal) and value.items:
        first = value.items[0]
        m.journal.before_list_change(value.items, value)
        value.items.pop(0)
        return first
    if isinstance(value, IterVal) and value.rest is None:
        return argument(arguments, 1, default=Unknown("stop-iteration"))
    if isinstance(value, InstanceVal) and (method := attributes.special(m, value, "__next__")) is not None:
        return m.call(method, Arguments())
    return element(m, value)


def _tests(m: Any, arguments: Arguments) -> tuple[list[bool | None], bool]:
    value = argument(arguments, 0)
    found = m.iterate(value)
    return ([m.truth(item) for item in found], True) if isinstance(found, list) else ([], False)


@handler("builtins.all")
def _all(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    answers, complete = _tests(m, arguments)
    return False if False in answers else True if complete and None not in answers else Unknown("undecided", "all")


@handler("builtins.any")
def _any(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    answers, complete = _tests(m, arguments)
    return True if True in answers else False if complete and None not in answers else Unknown("undecided", "any")


@handler("builtins.sum")
def _sum(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, TensorVal):
        return m.emit("sum", {"x": value, "dim": 0}, framework=value.framework, spelled="builtins.sum")
    found = m.iterate(value)
    if not isinstance(found, list):
        generic = element(m, value)
        return (
            generic
            if isinstance(generic, TensorVal)
            else opaque("sum")
            if isinstance(generic, (int, DimExpr))
            else Unknown("sum")
        )
    total: Value = argument(arguments, 1, "start", 0)
    for item in found:
        total = plain(item) if isinstance(total, int) and total == 0 else operators.binary(m, cst.Add, total, item)
    return total


# --- constructors ---------------------------------------------------------------------------------


@handler("builtins.list", "collections.deque")
def _list(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return ListVal(*listed(m, argument(arguments, 0))) if arguments.args else ListVal()


@handler("builtins.tuple")
def _tuple(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    if not arguments.args:
        return ()
    value = argument(arguments, 0)
    if isinstance(value, ShapeVal):
        return value
    items, rest = listed(m, value)
    return tuple(items) if rest is None else ListVal(items, rest)


@handler("builtins.set", "builtins.frozenset")
def _set(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0)) if arguments.args else ([], None)
    out: list[Value] = []
    for item in items:
        if not any(alike(item, other) for other in out):
            out.append(item)
    return SetVal(out, rest)


@handler("builtins.dict", "collections.OrderedDict", "types.SimpleNamespace.__dict__")
def _dict(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    out = DictVal()
    if arguments.args:
        merge(m, out, argument(arguments, 0))
    out.items.update(arguments.kwargs)
    if arguments.double_star is not None:
        out.rest = arguments.double_star
    return out


def merge(m: Any, target: DictVal, source: Value) -> None:
    """``target.update(source)``, journalled."""
    if isinstance(source, DictVal):
        for key, value in source.items.items():
            m.journal.set_item(target.items, key, value)
        if source.rest is not None:
            m.journal.set_attribute(target, "rest", source.rest)
        return
    found = m.iterate(source)
    for pair in found if isinstance(found, list) else ():
        parts = m.iterate(pair)
        key = key_of(parts[0]) if isinstance(parts, list) and len(parts) == 2 else MISSING
        if key is MISSING:
            m.journal.set_attribute(target, "rest", Unknown("unknown-key"))
        else:
            m.journal.set_item(target.items, key, parts[1])
    if not isinstance(found, list):
        m.journal.set_attribute(target, "rest", Unknown("unknown-keys"))
