"""Classes derived from ``dict`` and ``list``: what their objects hold, and Python's own methods on it."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS, Machine, prop
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, Value, unwrap
from dllint.lower import comparisons, contents, iteration, subscripts
from dllint.lower.machine import Interpreter
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.natives.sequences import listed, merge


@native("builtins.dict.__init__", on=(InstanceVal, DictVal))
def _fill_dict(m: Interpreter, receiver: InstanceVal | DictVal, arguments: Arguments) -> Value:
    held = contents.plain(m, receiver)
    if isinstance(held, DictVal):
        if arguments.args:
            merge(m, held, contents.plain(m, argument(arguments, 0)))
        merge(m, held, DictVal(dict(arguments.kwargs), arguments.double_star))
    return None


@native("builtins.list.__init__", on=(InstanceVal, ListVal))
def _fill_list(m: Interpreter, receiver: InstanceVal | ListVal, arguments: Arguments) -> Value:
    if isinstance(receiver, InstanceVal) and arguments.args:
        contents.put(m, receiver, ListVal(*listed(m, contents.plain(m, argument(arguments, 0)))))
    return None


@native("builtins.dict.__getitem__", "builtins.list.__getitem__", on=(DictVal, ListVal))
def _item(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    return subscripts.item(m, receiver, argument(arguments, 0))


@native("builtins.dict.__setitem__", "builtins.list.__setitem__", on=(DictVal, ListVal))
def _put(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    subscripts.put_item(m, receiver, argument(arguments, 0), arguments.args[1] if len(arguments.args) > 1 else None)
    return None


@native("builtins.dict.__delitem__", "builtins.list.__delitem__", on=(DictVal, ListVal))
def _delete(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    subscripts.delete_item(m, receiver, argument(arguments, 0))
    return None


@native("builtins.dict.__contains__", "builtins.list.__contains__", on=(DictVal, ListVal))
def _contains(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    return comparisons.compare(m, "in", argument(arguments, 0), receiver)


@native("builtins.dict.__len__", "builtins.list.__len__", on=(DictVal, ListVal))
def _length(m: Interpreter, receiver: DictVal | ListVal, _arguments: Arguments) -> Value:
    return m.call(m.symbol("builtins.len"), Arguments((receiver,)))


@native("builtins.dict.__iter__", "builtins.list.__iter__", on=(DictVal, ListVal))
def _iterator(m: Interpreter, receiver: DictVal | ListVal, _arguments: Arguments) -> Value:
    return iteration.iterator(m, receiver)


@native("builtins.dict.__setattr__", "builtins.list.__setattr__", "builtins.object.__setattr__")
def _put_attribute(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    """The attribute of an object as ``object`` sets it."""
    if receiver is None and arguments.args:
        receiver, arguments = unwrap(arguments.args[0]), Arguments(arguments.args[1:], arguments.kwargs)
    name, value = argument(arguments, 0), arguments.args[1] if len(arguments.args) > 1 else None
    if not isinstance(receiver, InstanceVal) or contents.of(m, receiver) is None or not isinstance(name, str):
        return HANDLERS["builtins.setattr"](m, receiver, arguments)
    m.journal.set_item(receiver.attrs, name, value)
    return None


@prop("collections.UserDict.data", "collections.UserList.data", on=InstanceVal)
def _data(machine: Machine, receiver: InstanceVal) -> Value:
    """The dict or list that an object of these classes wraps."""
    return contents.plain(machine, receiver) if isinstance(machine, Interpreter) else Unknown("foreign-machine")
