"""Methods of lists, dicts, sets, tuples and shapes."""

from __future__ import annotations

from typing import Any

from dllint.domains.dim import product
from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import handler
from dllint.ir.values import Arguments, DictVal, IterVal, ListVal, SetVal, Value
from dllint.lower import comparisons, subscripts
from dllint.lower.identity import key_of
from dllint.lower.iteration import element
from dllint.lower.joining import alike, join
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.sequences import listed, merge
from dllint.lower.scopes import MISSING


@handler("builtins.list.append", "collections.deque.append", "builtins.set.add")
def _append(m: Any, receiver: Any, arguments: Arguments) -> Value:
    value = arguments.args[0] if arguments.args else Unknown("missing-argument")
    if isinstance(receiver, SetVal) and any(alike(value, other) for other in receiver.items):
        return None
    if receiver.rest is not None:
        m.journal.set_attribute(receiver, "rest", further(join(m, receiver.rest, value)))
    elif m.looping:
        rest = value if not receiver.items else join(m, receiver.items[-1], value)
        m.journal.set_attribute(receiver, "rest", further(rest))
    else:
        m.journal.before_list_change(receiver.items, receiver)
        receiver.items.append(value)
    return None


@handler("builtins.list.appendleft", "collections.deque.appendleft")
def _append_left(m: Any, receiver: Any, arguments: Arguments) -> Value:
    """A deque is a list here."""
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.insert(0, arguments.args[0] if arguments.args else Unknown("missing-argument"))
    return None


@handler("builtins.list.extend", "builtins.set.update")
def _extend(m: Any, receiver: Any, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.extend(items)
    if rest is not None:
        m.journal.set_attribute(receiver, "rest", rest)
    return None


@handler("builtins.list.insert")
def _insert(m: Any, receiver: ListVal, arguments: Arguments) -> Value:
    index = argument(arguments, 0)
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.insert(index if isinstance(index, int) else 0, argument(arguments, 1))
    return None


@handler("builtins.list.pop", "builtins.set.pop")
def _pop(m: Any, receiver: Any, arguments: Arguments) -> Value:
    index = argument(arguments, 0, "index", -1)
    if receiver.rest is not None or not isinstance(index, int) or not -len(receiver.items) <= index < len(receiver.items):
        return element(m, receiver)
    m.journal.before_list_change(receiver.items, receiver)
    return receiver.items.pop(index)


@handler("builtins.list.reverse")
def _reverse(m: Any, receiver: ListVal, _arguments: Arguments) -> Value:
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.reverse()
    return None


@handler("builtins.list.sort")
def _sort(m: Any, receiver: ListVal, arguments: Arguments) -> Value:
    ordered = m.call(m.symbol("builtins.sorted"), Arguments((receiver, *arguments.args), arguments.kwargs))
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items[:] = ordered.items
    return None


@handler("builtins.list.clear", "builtins.set.clear")
def _clear(m: Any, receiver: Any, _arguments: Arguments) -> Value:
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.clear()
    return None


@handler("builtins.list.remove", "builtins.set.remove", "builtins.set.discard")
def _remove(m: Any, receiver: Any, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    place = next((i for i, item in enumerate(receiver.items) if alike(item, value)), None)
    if place is not None:
        m.journal.before_list_change(receiver.items, receiver)
        del receiver.items[place]
    return None


@handler("builtins.list.copy", "builtins.set.copy")
def _copy(_m: Any, receiver: Any, _arguments: Arguments) -> Value:
    return type(receiver)(list(receiver.items), receiver.rest)


@handler("builtins.list.index", "builtins.tuple.index")
def _index(m: Any, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    value = argument(arguments, 0)
    place = next((i for i, item in enumerate(items) if alike(item, value)), None)
    return place if place is not None and rest is None else m.fresh_size("index")


@handler("builtins.list.count", "builtins.tuple.count")
def _count(m: Any, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    return sum(alike(item, argument(arguments, 0)) for item in items) if rest is None else m.fresh_size("count")


@handler("builtins.set.union", "builtins.set.intersection", "builtins.set.difference", "builtins.set.issubset")
def _set_operation(_m: Any, receiver: SetVal, _arguments: Arguments) -> Value:
    return SetVal(list(receiver.items), Unknown("set-operation"))


@handler("builtins.shape.numel")
def _shape_numel(m: Any, receiver: Any, _arguments: Arguments) -> Value:
    shape = receiver.tensor.type.shape
    return m.fresh_size("numel") if isinstance(shape, Unknown) else product(shape)


@handler("builtins.tuple.numel")
def _tuple_numel(_m: Any, receiver: Any, _arguments: Arguments) -> Value:
    return product(receiver)


# --- dicts ----------------------------------------------------------------------------------------


@handler("builtins.dict.items")
def _items(_m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    rest = None if receiver.rest is None else (Unknown("unknown-key"), receiver.rest)
    return IterVal(list(receiver.items.items()), rest)


@handler("builtins.dict.keys")
def _keys(_m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items), None if receiver.rest is None else Unknown("unknown-key"))


@handler("builtins.dict.values")
def _values(_m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items.values()), receiver.rest)


@handler("builtins.dict.get")
def _get(m: Any, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING or (key not in receiver.items and receiver.rest is not None):
        return subscripts.item(m, receiver, argument(arguments, 0))
    return receiver.items.get(key, argument(arguments, 1, "default"))


@handler("builtins.dict.pop")
def _dict_pop(m: Any, receiver: DictVal, arguments: Arguments) -> Value:
    found = _get(m, receiver, arguments)
    key = key_of(argument(arguments, 0))
    if key is not MISSING:
        m.journal.delete_item(receiver.items, key)
    return found


@handler("builtins.dict.setdefault")
def _setdefault(m: Any, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING:
        return Unknown("unknown-key")
    if key not in receiver.items:
        m.journal.set_item(receiver.items, key, argument(arguments, 1, "default"))
    return receiver.items[key]


@handler("builtins.dict.update")
def _update(m: Any, receiver: DictVal, arguments: Arguments) -> Value:
    if arguments.args:
        merge(m, receiver, argument(arguments, 0))
    merge(m, receiver, DictVal(dict(arguments.kwargs), arguments.double_star))
    return None


@handler("builtins.dict.copy")
def _dict_copy(_m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    return DictVal(dict(receiver.items), receiver.rest)


@handler("builtins.dict.fromkeys")
def _fromkeys(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    items, _ = listed(m, argument(arguments, 0))
    value = argument(arguments, 1)
    return DictVal({key: value for item in items if (key := key_of(item)) is not MISSING})


@handler("builtins.dict.popitem")
def _popitem(_m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    return next(reversed(list(receiver.items.items())), Unknown("empty-dict"))


@handler("builtins.dict.clear")
def _dict_clear(m: Any, receiver: DictVal, _arguments: Arguments) -> Value:
    for key in list(receiver.items):
        m.journal.delete_item(receiver.items, key)
    return None


@handler("operator.getitem")
def _operator_getitem(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return subscripts.item(m, argument(arguments, 0), argument(arguments, 1))


@handler("operator.eq")
def _operator_eq(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return comparisons.compare(m, "eq", argument(arguments, 0), argument(arguments, 1))
