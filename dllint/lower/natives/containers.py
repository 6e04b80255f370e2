"""Methods of lists, dicts, sets, tuples and shapes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.dim import counted, opaque, product
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, IterVal, ListVal, SetVal, Value, unwrap
from dllint.lower import bulk, comparisons, exceptions, keeping, lists, operators, sets, subscripts
from dllint.lower.identity import equals, key_of
from dllint.lower.joining import further, join
from dllint.lower.lazy import ShapeVal
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import Method, native
from dllint.lower.natives.sequences import listed, merge
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins, Keeps


@native("builtins.list.append", on=ListVal)
def _append(m: Keeps, receiver: ListVal, arguments: Arguments) -> Value:
    value = arguments.args[0] if arguments.args else Unknown("missing-argument")
    lists.extend(m, receiver, [value])
    keeping.appended(m, receiver, value)
    return None


@native("builtins.set.add", on=SetVal)
def _add(m: Joins, receiver: SetVal, arguments: Arguments) -> Value:
    sets.add(m, receiver, [arguments.args[0] if arguments.args else Unknown("missing-argument")])
    return None


@native("builtins.list.appendleft", on=ListVal)
def _append_left(m: Joins, receiver: ListVal, arguments: Arguments) -> Value:
    """A deque is a list here."""
    if receiver.most is not None and len(receiver.items) >= receiver.most:
        lists.take(m, receiver, -1)
    lists.insert(m, receiver, 0, arguments.args[0] if arguments.args else Unknown("missing-argument"))
    return None


@native("builtins.list.popleft", on=ListVal)
def _pop_left(m: Interpreter, receiver: ListVal, _arguments: Arguments) -> Value:
    return _pop(m, receiver, Arguments((0,)))


@native("builtins.list.rotate", on=ListVal)
def _rotate(m: Joins, receiver: ListVal, arguments: Arguments) -> Value:
    steps = argument(arguments, 0, default=1)
    if isinstance(steps, int) and receiver.items:
        cut = -steps % len(receiver.items)
        lists.reorder(m, receiver, [*receiver.items[cut:], *receiver.items[:cut]])
    else:
        lists.loosen(m, receiver)
    return None


@native("builtins.list.extend", on=ListVal)
def _extend(m: Interpreter, receiver: ListVal, arguments: Arguments) -> Value:
    lists.extend(m, receiver, *listed(m, argument(arguments, 0)))
    return None


@native("builtins.set.update", on=SetVal)
def _unite(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    for value in arguments.args:
        sets.add(m, receiver, *listed(m, unwrap(value)))
    return None


@native("builtins.set.difference_update", on=SetVal)
def _subtract(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    for value in arguments.args:
        sets.keep(m, receiver, SetVal(*listed(m, unwrap(value))), inside=False)
    return None


@native("builtins.set.intersection_update", on=SetVal)
def _intersect(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    for value in arguments.args:
        sets.keep(m, receiver, SetVal(*listed(m, unwrap(value))), inside=True)
    return None


@native("builtins.list.insert", on=ListVal)
def _insert(m: Joins, receiver: ListVal, arguments: Arguments) -> Value:
    lists.insert(m, receiver, argument(arguments, 0), argument(arguments, 1))
    return None


@native("builtins.list.pop", "builtins.set.pop", on=(ListVal, SetVal))
def _pop(m: Interpreter, receiver: ListVal | SetVal, arguments: Arguments) -> Value:
    if not receiver.items and receiver.rest is None:
        exceptions.raise_builtin(m, "IndexError" if isinstance(receiver, ListVal) else "KeyError")
        return Unknown("empty-list")
    index = argument(arguments, 0, "index", -1)
    if isinstance(index, int) and receiver.rest is None and not -len(receiver.items) <= index < len(receiver.items):
        exceptions.raise_builtin(m, "IndexError")
        return Unknown("index-error")
    return lists.take(m, receiver, index)


@native("builtins.list.reverse", on=ListVal)
def _reverse(m: Joins, receiver: ListVal, _arguments: Arguments) -> Value:
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
def _clear(m: Joins, receiver: ListVal | SetVal, _arguments: Arguments) -> Value:
    lists.weaken(m, receiver)
    m.journal.before_list_change(receiver.items, receiver)
    receiver.items.clear()
    m.journal.set_attribute(receiver, "rest", None)
    return None


@native("builtins.list.remove", on=ListVal)
def _remove(m: Interpreter, receiver: ListVal, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    for place, item in enumerate(receiver.items if receiver.rest is None else ()):
        found = equals(m, item, value)
        if found:
            lists.take(m, receiver, place)
            return None
        if found is None and not (isinstance(item, _DISTINCT) and isinstance(value, _DISTINCT)):
            lists.loosen(m, receiver)
            return None
    if receiver.rest is not None:
        lists.loosen(m, receiver)
    else:
        exceptions.raise_builtin(m, "ValueError")
    return None


#: Values that are the same if they are one object.
_DISTINCT = (InstanceVal, TensorVal)


@native("builtins.set.discard", on=SetVal)
def _discard(m: Joins, receiver: SetVal, arguments: Arguments) -> Value:
    sets.remove(m, receiver, argument(arguments, 0))
    return None


@native("builtins.set.remove", on=SetVal)
def _take_out(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    if sets.remove(m, receiver, argument(arguments, 0)) is False:
        exceptions.raise_builtin(m, "KeyError")
    return None


@native("builtins.list.copy", "builtins.set.copy", on=(ListVal, SetVal))
def _copy(_m: Machine, receiver: ListVal | SetVal, _arguments: Arguments) -> Value:
    return type(receiver)(list(receiver.items), receiver.rest)


@native("builtins.list.index", "builtins.tuple.index")
def _index(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    if len(arguments.args) > 1:
        return opaque("index")
    for place, item in enumerate(items if rest is None else ()):
        found = equals(m, item, argument(arguments, 0))
        if found is not False:
            return opaque("index") if found is None else place
    if rest is None:
        exceptions.raise_builtin(m, "ValueError")
    return opaque("index")


@native("builtins.list.count", "builtins.tuple.count")
def _count(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, receiver)
    found = [equals(m, item, argument(arguments, 0)) for item in items]
    return found.count(True) if rest is None and None not in found else counted("count")


def _set_operation(name: str) -> Method[SetVal]:
    def operate(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
        out: Value = SetVal(list(receiver.items), receiver.rest)
        for value in arguments.args:
            if isinstance(out, SetVal):
                out = sets.combined(m, name, out, SetVal(*listed(m, unwrap(value))))
        return out

    return operate


for _name, _operation in (
    ("union", "bitwise_or"), ("intersection", "bitwise_and"), ("difference", "sub"), ("symmetric_difference", "bitwise_xor"),
):  # fmt: skip
    native(f"builtins.set.{_name}", on=SetVal)(_set_operation(_operation))


@native("builtins.set.issubset", on=SetVal)
def _is_subset(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    found = sets.is_subset(m, receiver, SetVal(*listed(m, argument(arguments, 0))))
    return Unknown("undecided", "issubset") if found is None else found


@native("builtins.set.issuperset", on=SetVal)
def _is_superset(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    found = sets.is_subset(m, SetVal(*listed(m, argument(arguments, 0))), receiver)
    return Unknown("undecided", "issuperset") if found is None else found


@native("builtins.set.isdisjoint", on=SetVal)
def _is_disjoint(m: Interpreter, receiver: SetVal, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    answers = [sets.holds(m, receiver.items, item) for item in items]
    if True in answers:
        return False
    known = rest is None and receiver.rest is None and None not in answers
    return True if known else Unknown("undecided", "isdisjoint")


@native("builtins.shape.numel", on=ShapeVal)
def _shape_numel(_m: Machine, receiver: ShapeVal, _arguments: Arguments) -> Value:
    shape = receiver.tensor.type.shape
    return opaque("numel") if isinstance(shape, Unknown) else product(shape)


@native("builtins.tuple.numel", on=tuple)
def _tuple_numel(m: Machine, receiver: tuple[Value, ...], _arguments: Arguments) -> Value:
    sizes = kinds.sizes(receiver)
    return product(sizes) if sizes is not None else m.unknown("unknown-size", "numel")


# --- dicts ----------------------------------------------------------------------------------------


@native("builtins.dict.items", on=DictVal)
def _items(_m: Machine, receiver: DictVal, _arguments: Arguments) -> Value:
    rest = None if receiver.rest is None else (Unknown("unknown-key"), receiver.rest)
    return IterVal(list(receiver.items.items()), rest, perhaps=tuple(receiver.perhaps.items()), view=True)


@native("builtins.dict.keys", on=DictVal)
def _keys(_m: Machine, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items), None if receiver.rest is None else Unknown("unknown-key"), view=True)


@native("builtins.dict.values", on=DictVal)
def _values(_m: Machine, receiver: DictVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.items.values()), receiver.rest, view=True)


@native("builtins.dict.get", on=DictVal)
def _get(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    m.complete(receiver, argument(arguments, 0))
    if key is MISSING or (key not in receiver.items and receiver.rest is not None):
        found = subscripts.item(m, receiver, argument(arguments, 0))
        fallback = arguments.args[1:2] or tuple(arguments.kwargs[name] for name in arguments.kwargs if name == "default")
        return join(m, found, fallback[0]) if fallback else found
    return receiver.items.get(key, argument(arguments, 1, "default"))


@native("builtins.dict.pop", on=DictVal)
def _dict_pop(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    absent = key is not MISSING and key not in receiver.items and receiver.rest is None
    if absent and len(arguments.args) < 2 and arguments.star is None:
        exceptions.raise_builtin(m, "KeyError")
        return m.unknown("key-error")
    found = _get(m, receiver, arguments)
    if key is not MISSING:
        lists.remove_entry(m.journal, receiver, key)
    else:
        lists.loosen_entries(m, receiver)
    return found


@native("builtins.dict.setdefault", on=DictVal)
def _setdefault(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING:
        found = subscripts.item(m, receiver, Unknown("unknown-key")) if receiver.items or receiver.rest is not None else MISSING
        subscripts.put_item(m, receiver, argument(arguments, 0), argument(arguments, 1, "default"))
        return receiver.rest if found is MISSING else join(m, found, receiver.rest)
    if key not in receiver.items:
        value = argument(arguments, 1, "default")
        lists.set_entry(m, receiver, key, value)
        return value
    return receiver.items[key]


@native("builtins.dict.update", on=DictVal)
def _update(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    if receiver.factory is subscripts.COUNTER:
        count(m, receiver, arguments)
        return None
    if arguments.args:
        merge(m, receiver, argument(arguments, 0))
    merge(m, receiver, DictVal(dict(arguments.kwargs), arguments.double_star))
    return None


def count(m: Interpreter, target: DictVal, arguments: Arguments) -> None:
    """Add to a Counter what it is given: the numbers of a dict, or one for each element."""
    source = argument(arguments, 0, "iterable") if arguments.args else DictVal()
    if isinstance(source, DictVal):
        pairs, rest = list(source.items.items()), source.rest
    else:
        items, rest = listed(m, source)
        pairs = [(item, 1) for item in items]
    keys = [key_of(key) for key, _ in pairs]
    if MISSING in keys or rest is not None or target.rest is not None or arguments.double_star is not None:
        lists.loosen_entries(m, target)
        m.journal.set_attribute(target, "rest", counted("count"))
        return
    for key, number in [*zip(keys, (number for _, number in pairs), strict=True), *arguments.kwargs.items()]:
        before = target.items.get(key)
        total = unwrap(number) if before is None else operators.binary(m, cst.Add, before, unwrap(number))
        lists.set_entry(m, target, key, total)


@native("builtins.dict.most_common", on=DictVal)
def _most_common(_m: Machine, receiver: DictVal, arguments: Arguments) -> Value:
    numbers = {key: value for key, value in receiver.items.items() if isinstance(value, int)}
    most = argument(arguments, 0, "n")
    if receiver.rest is not None or len(numbers) < len(receiver.items) or not (most is None or isinstance(most, int)):
        return ListVal([], (Unknown("unknown-key"), Unknown("count")))
    return ListVal(list(Counter(numbers).most_common(most)))


@native("builtins.dict.elements", on=DictVal)
def _elements(_m: Machine, receiver: DictVal, _arguments: Arguments) -> Value:
    if receiver.rest is not None or not all(isinstance(value, int) for value in receiver.items.values()):
        return IterVal([], Unknown("unknown-key"))
    counts = {key: max(value, 0) for key, value in receiver.items.items() if isinstance(value, int)}
    if not bulk.may_hold(sum(counts.values())):
        return IterVal([], Unknown("unknown-length"))
    return IterVal([key for key, count in counts.items() for _ in range(count)])


@native("builtins.dict.move_to_end", on=DictVal)
def _move_to_end(m: Joins, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is MISSING or key not in receiver.items or argument(arguments, 1, "last", True) is not True:
        lists.loosen_entries(m, receiver)
        return None
    value = receiver.items[key]
    lists.remove_entry(m.journal, receiver, key)
    m.journal.set_item(receiver.items, key, value)
    return None


@native("builtins.dict.copy", on=DictVal)
def _dict_copy(m: Joins, receiver: DictVal, _arguments: Arguments) -> Value:
    out = DictVal(dict(receiver.items), receiver.rest, receiver.factory)
    m.journal.note_created(out.items)
    return out


@native("builtins.dict.fromkeys")
def _fromkeys(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    value = argument(arguments, 1)
    keys = [key_of(item) for item in items]
    known = rest is None and not any(key is MISSING for key in keys)
    return DictVal({key: value for key in keys if key is not MISSING}, None if known else further(value))


@native("builtins.dict.popitem", on=DictVal)
def _popitem(m: Interpreter, receiver: DictVal, arguments: Arguments) -> Value:
    if receiver.rest is not None:
        lists.loosen_entries(m, receiver)
        return Unknown("unknown-key"), receiver.rest
    if not receiver.items:
        exceptions.raise_builtin(m, "KeyError")
        return m.unknown("key-error")
    first = argument(arguments, 0, "last", True) is False
    key = next(iter(receiver.items) if first else reversed(receiver.items))
    value = receiver.items[key]
    lists.remove_entry(m.journal, receiver, key)
    return key, value


@native("builtins.dict.clear", on=DictVal)
def _dict_clear(m: Joins, receiver: DictVal, _arguments: Arguments) -> Value:
    for key in list(receiver.items):
        lists.remove_entry(m.journal, receiver, key)
    m.journal.set_attribute(receiver, "rest", None)
    return None


@native("operator.getitem")
def _operator_getitem(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return subscripts.item(m, argument(arguments, 0), argument(arguments, 1))


@native("operator.eq")
def _operator_eq(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return comparisons.compare(m, "eq", argument(arguments, 0), argument(arguments, 1))
