"""Classes derived from ``dict`` and ``list``: what their objects hold, and Python's own methods on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS, Machine, prop
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower import contents, subscripts
from dllint.lower.identity import key_of
from dllint.lower.machine import Interpreter
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.parts import Keeps


@native("builtins.dict.__init__", on=(InstanceVal, DictVal))
def _fill_dict(m: Keeps, receiver: InstanceVal | DictVal, arguments: Arguments) -> Value:
    return m.call(m.getattr(contents.plain(m, receiver), "update"), arguments)


@native("builtins.list.__init__", on=(InstanceVal, ListVal))
def _fill_list(m: Keeps, receiver: InstanceVal | ListVal, arguments: Arguments) -> Value:
    made = m.call(LibSymbol("builtins.list"), Arguments(tuple(contents.plain(m, given) for given in arguments.args)))
    if isinstance(receiver, InstanceVal) and isinstance(made, ListVal):
        contents.put(m, receiver, made)
    return None


@native("builtins.dict.__getitem__", "builtins.list.__getitem__", on=(DictVal, ListVal))
def _item(m: Machine, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    return m.getitem(receiver, argument(arguments, 0))


@native("builtins.dict.__setitem__", "builtins.list.__setitem__", on=(DictVal, ListVal))
def _put(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    subscripts.put_item(m, receiver, argument(arguments, 0), arguments.args[1] if len(arguments.args) > 1 else None)
    return None


@native("builtins.dict.__delitem__", "builtins.list.__delitem__", on=(DictVal, ListVal))
def _delete(m: Interpreter, receiver: DictVal | ListVal, arguments: Arguments) -> Value:
    subscripts.delete_item(m, receiver, argument(arguments, 0))
    return None


@native("builtins.dict.__contains__", on=DictVal)
def _contains(_m: Machine, receiver: DictVal, arguments: Arguments) -> Value:
    key = key_of(argument(arguments, 0))
    if key is not MISSING and key in receiver.items:
        return True
    return False if key is not MISSING and receiver.rest is None else Unknown("unknown-key")


@native("builtins.dict.__len__", "builtins.list.__len__", on=(DictVal, ListVal))
def _length(m: Machine, receiver: DictVal | ListVal, _arguments: Arguments) -> Value:
    return m.call(LibSymbol("builtins.len"), Arguments((receiver,)))


@native("builtins.dict.__iter__", "builtins.list.__iter__", on=(DictVal, ListVal))
def _iterator(_m: Machine, receiver: DictVal | ListVal, _arguments: Arguments) -> Value:
    return receiver


@native("builtins.dict.__setattr__", "builtins.list.__setattr__", "builtins.object.__setattr__")
def _put_attribute(m: Keeps, receiver: Value, arguments: Arguments) -> Value:
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
