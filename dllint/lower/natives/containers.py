"""Methods of lists, dicts, sets, tuples and shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.dim import product
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.ir.values import Arguments, DictVal, IterVal, ListVal, SetVal, Value
from dllint.lower import comparisons, exceptions, lists, subscripts
from dllint.lower.identity import equals, key_of
from dllint.lower.joining import alike, join
from dllint.lower.lazy import ShapeVal
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.natives.sequences import listed, merge
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


@native("builtins.list.append", "collections.deque.append", "builtins.set.add", on=(ListVal, SetVal))
def _append(m: Interpreter, receiver: ListVal | SetVal, arguments: Arguments) -> Value:
    value = arguments.args[0] if arguments.args else Unknown("missing-argument")
    if not (isinstance(receiver, SetVal) and any(alike(value, other) for other in receiver.items)):
        lists.extend(m, receiver, [value])
    return None


@native("builtins.list.appendleft", "collections.deque.appendleft", on=ListVal)
def _append_left(m: Interpreter, receiver: ListVal, arguments: Arguments) -> Value:
    """A deque is a list here."""
    lists.insert(m, receiver, 0, arguments.args[0] if arguments.args else Unknown("missing-argument"))
    return None


@native("builtins.list.extend", "builtins.set.update", on=(ListVal, SetVal))
def _extend(m: Interpreter, receiver: ListVal | SetVal, arguments: Arguments) -> Value:
    lists.extend(m, receiver, *listed(m, argument(arguments, 0)))
    return None


@native("builtins.list.insert", on=ListVal)
def _insert(m: Interpreter, receiver: ListVal, arguments: Arguments) -> Value:
    lists.insert(m, receiver, argument(arguments, 0), argument(arguments, 1))
    return None


@native("builtins.list.pop", "builtins.set.pop", on=(ListVal, SetVal))
def _pop(m: Interpreter, receiver: ListVal | SetVal, arguments: Arguments) -> Value:
    if not receiver.items and receiver.rest is None:
        exceptions.raise_builtin(m, "IndexError" if isinstance(receiver, ListVal) else "KeyError")
        return Unknown("empty-list")
    return lists.take(m, receiver, argument(arguments, 0, "index", -1))


@native("builtins.list.reverse", on=ListVal)
def _reverse(m: Interpreter, receiver: ListVal, _arguments: Arguments) -> Value:
    lists.reorder(m, receiver, receiver.items[::-1])
    return None


@native("builtins.list.sort", on=ListVal)
def _sort(m: Interpreter, receiver: ListVal, arguments: Arguments) -> Value:
    ordered = m.call(m.symbol("builtins.sorted"), Arguments((receiver, *arguments.args), arguments.kwargs))
    if isinstance(ordered, ListVal) and ordered.rest is None:
        lists.reorder(m, receiver, ordered.items)
    else:
        lists.loosen(m, receiver)
    return None


@native("builtins.list.clear", "builtins.set.clear", on=(ListVal, SetVal))
def _clear(m: Interpreter, receiver: ListVal | SetVal, _arguments: Arguments) -> Value:
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.clear()
    m.journal.set_attribute(receiver, "rest", None)
    return None


@native("builtins.list.remove", "builtins.set.remove", "builtins.set.discard", on=(ListVal, SetVal))
def _remove(m: Interpreter, receiver: ListVal | SetVal, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    place = next((i for i, item in enumerate(receiver.items) if alike(item, value)), None)
    if place is not None or receiver.rest is not None:
        lists.take(m, receiver, place)
    return None


@native("builtins.list.copy", "builtins.set.copy", on=(ListVal, SetVal))
def _copy(_m: Interpreter, receiver: ListVal | SetVal, _arguments: Arguments) -> Value:
    return type(receiver)(list(receiver.items), receiver.rest)


@native("builtins.list.index", "builtins.tuple.index")
def _index(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    for place, item in enumerate(items if rest is None else ()):
        found = equals(m, item, argument(arguments, 0))
        if found is not False:
            return m.fresh_size("index") if found is None else place
    return m.fresh_size("index")


@native("builtins.list.count", "builtins.tuple.count")
def _count(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    found = [equals(m, item, argument(arguments, 0)) for item in items]
    return found.count(True) if rest is None and None not in found else m.fresh_size("count")


@native("builtins.set.union", "builtins.set.intersection", "builtins.set.difference", "builtins.set.issubset", on=SetVal)
def _set_operation(_m: Interpreter, receiver: SetVal, _arguments: Arguments) -> Value:
    return SetVal(list(receiver.items), Unknown("set-operation"))


@native("builtins.shape.numel", on=ShapeVal)
def _shape_numel(m: Interpreter, receiver: ShapeVal, _arguments: Arguments) -> Value:
    shape = receiver.tensor.type.shape
    return m.fresh_size("numel") if isinstance(shape, Unknown) else product(shape)


@native("builtins.tuple.numel", on=tuple)
def _tuple_numel(m: Interpreter, receiver: tuple[Value, ...], _arguments: Arguments) -> Value:
    sizes = kinds.sizes(receiver)
    return product(sizes) if sizes is not None else m.unknown("unknown-size", "numel")


# --- dicts ----------------------------------------------------------------------------------------


@native("builtins.dict.items", on=DictVal)
def _items(_m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    rest = None if receiver.rest is None else (Unknown("unknown-key"), receiver.rest)
    return IterVal(list(receiver.items.items()), rest)


@native("builtins.dict.keys", on=DictVal)
def _keys(_m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items), None if receiver.rest is None else Unknown("unknown-key"))


@native("builtins.dict.values", on=DictVal)
def _values(_m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items.values()), receiver.rest)


@native("builtins.dict.get", on=DictVal)
def _get(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING or (key not in receiver.items and receiver.rest is not None):
        found = subscripts.item(m, receiver, argument(arguments, 0))
        fallback = arguments.args[1:2] or tuple(arguments.kwargs[name] for name in arguments.kwargs if name == "default")
        return join(m, found, fallback[0]) if fallback else found
    return receiver.items.get(key, argument(arguments, 1, "default"))


@native("builtins.dict.pop", on=DictVal)
def _dict_pop(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    found = _get(m, receiver, arguments)
    key = key_of(argument(arguments, 0))
    if key is not MISSING:
        m.journal.delete_item(receiver.items, key)
    return found


@native("builtins.dict.setdefault", on=DictVal)
def _setdefault(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING:
        return Unknown("unknown-key")
    if key not in receiver.items:
        m.journal.set_item(receiver.items, key, argument(arguments, 1, "default"))
    return receiver.items[key]


@native("builtins.dict.update", on=DictVal)
def _update(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    if arguments.args:
        merge(m, receiver, argument(arguments, 0))
    merge(m, receiver, DictVal(dict(arguments.kwargs), arguments.double_star))
    return None


@native("builtins.dict.copy", on=DictVal)
def _dict_copy(m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    out = DictVal(dict(receiver.items), receiver.rest)
    m.journal.note_made(out.items)
    return out


@native("builtins.dict.fromkeys")
def _fromkeys(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, _ = listed(m, argument(arguments, 0))
    value = argument(arguments, 1)
    return DictVal({key: value for item in items if (key := key_of(item)) is not MISSING})


@native("builtins.dict.popitem", on=DictVal)
def _popitem(_m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    return next(reversed(list(receiver.items.items())), Unknown("empty-dict"))


@native("builtins.dict.clear", on=DictVal)
def _dict_clear(m: Interpreter, receiver: DictVal, _arguments: Arguments) -> Value:
    for key in list(receiver.items):
        m.journal.delete_item(receiver.items, key)
    return None


@native("operator.getitem")
def _operator_getitem(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return subscripts.item(m, argument(arguments, 0), argument(arguments, 1))


@native("operator.eq")
def _operator_eq(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return comparisons.compare(m, "eq", argument(arguments, 0), argument(arguments, 1))
