"""Builtins that make or consume iterables: ``len``, ``range``, ``zip``, ``sorted``, ``sum``, ``list`` …"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from itertools import zip_longest
from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.dim import DimExpr, counted, floordiv
from dllint.domains.lattice import Unknown
from dllint.domains.unsolved import unsolved
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    ClassVal,
    DictVal,
    InstanceVal,
    IterVal,
    ListVal,
    PartsVal,
    RangeVal,
    SetVal,
    SliceVal,
    Value,
)
from dllint.lower import attributes, bulk, contents, exceptions, lists, mro, operators, sets, written
from dllint.lower.arguments import as_dim
from dllint.lower.columns import columns
from dllint.lower.identity import key_of
from dllint.lower.iteration import PER_STATEMENT, element, iterator, one_by_one
from dllint.lower.joining import further, join
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.natives.arguments import argument, given, plain
from dllint.lower.natives.native import native
from dllint.lower.scopes import MISSING
from dllint.lower.strings import constant

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives, Raises


#: Elements of unknown order of which each is distinguished from the others.
_MOST_UNORDERED = 64


def listed(m: Interpreter, value: Value) -> tuple[list[Value], Value]:
    """The known elements of an iterable, and the join of further ones if their number is unknown."""
    found = m.consume(value)
    if isinstance(found, list):
        return found, None
    return [], element(m, value)


@native("builtins.len")
def _len(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, PartsVal):
        return counted("len", min(len(value), 1), len(value))
    if isinstance(value, (str, bytes, tuple)):
        return len(value)
    if isinstance(value, (ListVal, SetVal, DictVal)):
        return len(value.items) if value.rest is None else _open_length(value)
    if isinstance(value, TensorVal):
        size = m.getitem(ShapeVal(value), 0) if isinstance(value.shape, Unknown) or value.shape else counted("len")
        known = written.length(m.control, m.frame.name, value) if isinstance(size, DimExpr) else None
        return size if known is None else known
    if isinstance(value, ShapeVal):
        return m.getattr(value.tensor, "ndim")
    if isinstance(value, RangeVal):
        return _range_length(value)
    if isinstance(value, InstanceVal) and (method := mro.special(value, "__len__")) is not None:
        return m.call(method, Arguments())
    if isinstance(value, ChoiceVal):
        return reduce(partial(join, m), [_len(m, None, Arguments((option,))) for option in value.options])
    if isinstance(value, ClassVal) and isinstance(members := m.iterate(value), list):
        return len(members)
    if isinstance(value, IterVal) and value.view and value.rest is None:
        return len(value.items)
    if isinstance(value, Unknown):
        return m.derive(("len", id(value)), lambda: counted("len"), value)
    return counted("len")


def _open_length(value: ListVal | SetVal | DictVal) -> Value:
    """The number of entries of which some have unknown keys; their number may be known."""
    others = value.others if isinstance(value, DictVal) else None
    return others + len(value.items) if isinstance(others, DimExpr) else counted("len")


def _range_length(value: RangeVal) -> Value:
    start, stop, step = value.start, value.stop, value.step
    if not isinstance(start, (int, DimExpr)) or not isinstance(stop, (int, DimExpr)) or not isinstance(step, int) or not step:
        return counted("len")
    if isinstance(start, int) and isinstance(stop, int):
        return bulk.steps(start, stop, step)
    if step == 1:
        return stop - start
    if step > 0 and isinstance(stop, DimExpr) and isinstance(start, int):
        return floordiv(stop - start + step - 1, step)
    return counted("len")


@native("builtins.range")
def _range(m: Derives, _receiver: Value, arguments: Arguments) -> Value:
    parts = [as_dim(m, part, surely=True) for part in given(arguments)]
    if len(parts) == 1:
        return RangeVal(0, parts[0], 1)
    return RangeVal(parts[0], parts[1], parts[2] if len(parts) > 2 else 1) if parts else Unknown("missing-argument", "range")


@native("builtins.slice")
def _slice(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    parts = given(arguments)
    return SliceVal(None, parts[0], None) if len(parts) == 1 else SliceVal(*[*parts, None, None, None][:3])


@native("builtins.zip")
def _zip(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    if arguments.star is not None:
        found = None if arguments.args else columns(m, arguments.star)
        return IterVal([], Unknown("unknown-arguments", "zip")) if found is None else IterVal(found)
    rows, rest = _rows(m, given(arguments))
    return IterVal(list(rows), rest)


@native("itertools.zip_longest")
def _zip_longest(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    found = [m.consume(value) for value in given(arguments)]
    if arguments.star is not None or any(isinstance(items, Unknown) for items in found):
        return IterVal([], Unknown("unknown-length", "zip_longest"))
    fill = arguments.kwargs.get("fillvalue")
    return IterVal(list(zip_longest(*(items for items in found if isinstance(items, list)), fillvalue=fill)))


def _rows(m: Interpreter, iterables: list[Value]) -> tuple[list[tuple[Value, ...]], tuple[Value, ...] | Unknown | None]:
    """The elements of several iterables side by side, and the join of further rows if their number is unknown."""
    sources: list[Iterator[Value] | None] = []
    generic: list[Value] = []
    for value in iterables:
        found = m.iterate(value)
        counts = isinstance(value, IterVal) and value.counter is not None and len(iterables) > 1
        found = [] if counts else found
        sources.append(one_by_one(m.journal, value, found) if isinstance(found, list) else None)
        generic.append(None if isinstance(found, list) else element(m, value))
    if not sources:
        # ``zip(*rows)`` without rows gives nothing to unpack: nobody writes that for an empty argument list, which is invented.
        return [], Unknown("unknown-arguments", "zip")
    if all(source is None for source in sources):
        return [], tuple(generic)
    rows = list(_side_by_side(m, sources, generic))
    open_ended = [value for value, source in zip(iterables, sources, strict=True) if source is None]
    if rows and any(isinstance(value, (ListVal, IterVal, ChoiceVal, SetVal, RangeVal, DictVal)) for value in open_ended):
        return [], tuple(reduce(partial(join, m), column) for column in zip(*rows, strict=True))
    return rows, None  # an argument of which nothing is known has as many elements as what it goes with


def _side_by_side(m: Interpreter, sources: list[Iterator[Value] | None], generic: list[Value]) -> Iterator[tuple[Value, ...]]:
    """Rows of one element of each source, until one of them has no more, or that gets too much work."""
    while m.budget.fuel >= 0:
        m.budget.fuel -= len(sources) // PER_STATEMENT
        row = []
        for source, other in zip(sources, generic, strict=True):
            value = _another(m, other) if source is None else next(source, MISSING)
            if value is MISSING:
                return
            row.append(value)
        yield tuple(row)


def _another(m: Machine, value: Value) -> Value:
    """A further element like the others, refined independently of them."""
    if isinstance(value, TensorVal) and isinstance(value.shape, Unknown):
        return m.tensor(value.type, framework=value.framework)
    return Unknown(value.reason, value.detail) if isinstance(value, Unknown) else value


@native("builtins.enumerate")
def _enumerate(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    start = argument(arguments, 1, "start", 0)
    iterable = iterator(m, argument(arguments, 0, "iterable"))
    items, rest = listed(m, iterable)
    cases = iterable.cases if isinstance(iterable, IterVal) else {}
    first = start if isinstance(start, int) else 0
    return IterVal(
        [(first + i, item) for i, item in enumerate(items)],
        None if rest is None else (counted("i"), rest),
        {text: (counted("i"), item) for text, item in cases.items()},
    )


@native("builtins.reversed")
def _reversed(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    method = mro.special(value, "__reversed__") if isinstance(value, InstanceVal) else None
    if method is not None:
        return m.call(method, Arguments())
    items, rest = listed(m, value)
    return IterVal(items[::-1], rest)


@native("builtins.sorted")
def _sorted(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    key = argument(arguments, 1, "key")
    keys = [m.call(key, Arguments((item,))) for item in items] if key is not None else items
    backwards = argument(arguments, 2, "reverse", False)
    order = _order(m, keys, bool(backwards)) if isinstance(backwards, (bool, int)) and rest is None else None
    if order is None:
        if rest is None and len(items) <= _MOST_UNORDERED:  # each is any of them, and none need be another
            return ListVal([reduce(partial(join, m), items) for _ in items])
        return ListVal([], further(reduce(partial(join, m), [*items, *([] if rest is None else [rest])])))
    return ListVal([items[i] for i in order])


def _order(m: Raises, keys: list[Value], backwards: bool) -> list[int] | None:
    """The places of the keys in rising or falling order, if all of them are known."""
    try:
        known = constant(tuple(keys))
    except TypeError:
        return list(range(len(keys))) if len(keys) < 2 else None
    try:
        return sorted(range(len(keys)), key=known.__getitem__, reverse=backwards)
    except TypeError:
        exceptions.raise_builtin(m, "TypeError")
        return None


@native("builtins.map")
def _map(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    function, *iterables = given(arguments) or [Unknown("missing-argument")]
    if len(iterables) == 1:
        items, rest = listed(m, iterables[0])
        mapped = [m.call(function, Arguments((item,))) for item in items]
        return IterVal(mapped, None if rest is None else m.call(function, Arguments((rest,))))
    rows, further = _rows(m, iterables) if arguments.star is None else ([], Unknown("unknown-arguments", "map"))
    rest = further if further is None or isinstance(further, Unknown) else m.call(function, Arguments(further))
    return IterVal([m.call(function, Arguments(row)) for row in rows], rest)


@native("builtins.filter")
def _filter(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    function = argument(arguments, 0)
    items, rest = listed(m, argument(arguments, 1))
    answers = [m.truth(i if function is None else m.call(function, Arguments((i,)))) for i in items]
    if rest is None and None not in answers:
        return IterVal([item for item, answer in zip(items, answers, strict=True) if answer])
    kept = [item for item, answer in zip(items, answers, strict=True) if answer is not False]
    if all(isinstance(item, (TensorVal, InstanceVal)) for item in kept):  # which weights are trained is not asked of them
        return IterVal(kept, rest)
    return IterVal([], further(reduce(partial(join, m), [*kept, *([] if rest is None else [rest])])))


@native("builtins.iter")
def _iter(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    value = iterator(m, value)
    return value if isinstance(value, IterVal) and not value.view else IterVal(*listed(m, value))


@native("builtins.next", "builtins.anext")
def _next(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, IterVal) and value.counter is not None:
        return next(one_by_one(m.journal, value, []))
    if isinstance(value, IterVal) and value.items:
        first = value.items[0]
        m.journal.before_list_change(value.items, value)
        value.items.pop(0)
        return first
    if isinstance(value, IterVal) and value.rest is None:
        if len(arguments.args) < 2:
            exceptions.raise_builtin(m, "StopIteration")
        return argument(arguments, 1, default=Unknown("stop-iteration"))
    if isinstance(value, InstanceVal) and (method := mro.special(value, "__next__")) is not None:
        return m.call(method, Arguments())
    return element(m, value)


@native("builtins.all")
def _all(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _decided(m, argument(arguments, 0), by=False)


@native("builtins.any")
def _any(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _decided(m, argument(arguments, 0), by=True)


def _decided(m: Interpreter, value: Value, *, by: bool) -> Value:
    """Whether elements are all true or any is, which one of the truth ``by`` decides. What rests on a default is assumed."""
    found = m.consume(value)
    if not isinstance(found, list):
        return Unknown("undecided", "any" if by else "all")
    answers = [(m.truth(item), item.source if isinstance(item, Assumed) else "") for item in found]
    if (by, "") in answers:
        return by
    deciding = next((source for answer, source in answers if answer is by), None)
    if deciding is not None:
        return Assumed(by, deciding)
    if any(answer is None for answer, _ in answers):
        return Unknown("undecided", "any" if by else "all")
    source = next((source for _, source in answers if source), "")
    return Assumed(not by, source) if source else not by


@native("builtins.sum")
def _sum(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, TensorVal):
        return m.emit("sum", {"x": value, "dim": 0}, framework=value.framework, spelled="builtins.sum")
    found, total = m.consume(value), argument(arguments, 1, "start", 0)
    if not isinstance(found, list):
        return _sum_of_any_number(element(m, value)) if isinstance(total, int) and total == 0 else Unknown("sum")
    for item in found:
        known = isinstance(total, int) and total == 0 and not isinstance(item, (bool, ListVal))
        total = plain(item) if known and not isinstance(item, InstanceVal) else operators.binary(m, cst.Add, total, item)
    return total


def _sum_of_any_number(generic: Value) -> Value:
    """The sum of any number of values of one kind."""
    if isinstance(generic, TensorVal):
        return generic
    return unsolved("sum", (generic,)) if isinstance(generic, (int, DimExpr)) else Unknown("sum")


# --- constructors ---------------------------------------------------------------------------------


@native("builtins.list")
def _list(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return ListVal(*listed(m, argument(arguments, 0))) if arguments.args else ListVal()


@native("collections.deque")
def _deque(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """A deque is a list that may hold so many elements only."""
    items, rest = listed(m, argument(arguments, 0, "iterable")) if arguments.args else ([], None)
    most = argument(arguments, 1, "maxlen")
    if isinstance(most, int) and rest is None:
        return ListVal(items[max(len(items) - most, 0) :], most=most)
    return ListVal(items, rest, most=most if isinstance(most, int) else None)


@native("builtins.tuple")
def _tuple(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    if not arguments.args:
        return ()
    value = argument(arguments, 0)
    if isinstance(value, ShapeVal):
        return value
    items, rest = listed(m, value)
    return tuple(items) if rest is None else ListVal(items, rest)


@native("builtins.set", "builtins.frozenset")
def _set(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0)) if arguments.args else ([], None)
    return sets.set_of(m, items, rest)


@native("builtins.dict", "collections.OrderedDict", "types.SimpleNamespace.__dict__")
def _dict(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    out = DictVal()
    m.journal.note_created(out.items)
    if arguments.args:
        merge(m, out, argument(arguments, 0))
    out.items.update(arguments.kwargs)
    if arguments.double_star is not None:
        out.rest = arguments.double_star
    return out


def merge(m: Interpreter, target: DictVal, source: Value) -> None:
    """``target.update(source)``, journalled."""
    source = contents.plain(m, source)
    if isinstance(source, DictVal):
        for key, value in source.items.items():
            lists.set_entry(m, target, key, value)
        if source.rest is not None:
            attributes.set_unknown(m, target, source.rest)
        return
    found = m.consume(source)
    empty = not target.items and target.rest is None and not lists.repeats(m.control, target)
    for pair in found if isinstance(found, list) else ():
        parts = m.consume(pair)
        first, second = parts if isinstance(parts, list) and len(parts) == 2 else (Unknown("unknown-key"), None)
        key = key_of(first)
        if key is MISSING:
            attributes.set_unknown(m, target, second)
        else:
            lists.set_entry(m, target, key, second)
    if not isinstance(found, list):
        attributes.set_unknown(m, target, Unknown("unknown-keys"))
    elif empty and len(found) == 1 and target.rest is not None:
        m.journal.set_attribute(target, "others", 1)
