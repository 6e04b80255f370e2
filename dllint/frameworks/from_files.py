"""What lies in a file beside the code as values: arrays of known shape, and objects that hold them by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dtype import DTYPES, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.machine import LIBRARY_BASES, Handler, Machine, handler
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Arguments, Assumed, DictVal, InstanceVal, LibSymbol, ListVal, Value
from dllint.ops.stored import OBJECT_ELEMENTS
from dllint.source.data.held import ArrayHead, Held

#: The state under which an opened file keeps what it holds by name.
MEMBERS: Final = "members"
#: Methods that an opened file answers as the dict of what it holds does.
_AS_DICT: Final = ("keys", "values", "items", "get")


def dtype_of(head: ArrayHead) -> DType | Unknown:
    """The element type of an array in a file; one of other things than numbers is an array of objects."""
    return DTYPES.get(head.dtype, Unknown(OBJECT_ELEMENTS, "data-file"))


def value(machine: Machine, held: Held, framework: Framework, source: str) -> Value:
    """What a file holds as values; ``source`` is what the reader sees of a number in it."""
    if isinstance(held, ArrayHead):
        return machine.tensor(TensorType(held.shape, dtype_of(held)), framework=framework, name=source)
    if isinstance(held, dict):
        return DictVal({key: value(machine, inner, framework, source) for key, inner in held.items()}, read=True)
    if isinstance(held, list):
        return ListVal([value(machine, inner, framework, source) for inner in held])
    if isinstance(held, tuple) and type(held) is tuple:
        return tuple(value(machine, inner, framework, source) for inner in held)
    if held is None or isinstance(held, (bool, int, float, str)):
        return Assumed(held, source)
    return Unknown("data-file", source)


def opened(machine: Machine, name: str, members: Value) -> InstanceVal:
    """An opened file, an object of a class that :func:`opens` has made known."""
    return InstanceVal(LibSymbol(name), site=machine.site, open=Unknown("data-file", name), state={MEMBERS: members})


def again(machine: Machine, found: Value, spelled: str) -> Value:
    """An array of a file, read here."""
    if not isinstance(found, TensorVal):
        return found
    args = {"shape": found.shape, "dtype": found.dtype}
    return machine.emit("stored_data", args, framework=found.framework, spelled=spelled)


def _itself(_machine: Machine, file: InstanceVal, _arguments: Arguments) -> Value:
    return file


def _nothing(_machine: Machine, _file: InstanceVal, _arguments: Arguments) -> Value:
    return None


def _members(_machine: Machine, file: InstanceVal, _arguments: Arguments) -> Value:
    return file.kept(MEMBERS)


def _member(machine: Machine, file: InstanceVal, arguments: Arguments) -> Value:
    spelled = f"{file.cls.name}[]" if isinstance(file.cls, LibSymbol) else ""
    return again(machine, machine.getitem(file.kept(MEMBERS), arguments.positional(0)), spelled)


def _length(_machine: Machine, file: InstanceVal, _arguments: Arguments) -> Value:
    members = file.kept(MEMBERS)
    return Assumed(len(members.items), "len") if isinstance(members, DictVal) else Unknown("data-file", "len")


def _contains(_machine: Machine, file: InstanceVal, arguments: Arguments) -> Value:
    """What is there now may be missing another time, and the other way round."""
    members, name = file.kept(MEMBERS), arguments.positional(0)
    known = isinstance(members, DictVal) and isinstance(name, str)
    return Assumed(name in members.items, "in") if known and isinstance(members, DictVal) else Unknown("data-file", "in")


def _as_dict(method: str) -> Handler:
    def call(machine: Machine, file: Value, arguments: Arguments) -> Value:
        members = file.kept(MEMBERS) if isinstance(file, InstanceVal) else Unknown("data-file", method)
        return machine.call_method(members, method, *arguments.args, **arguments.kwargs)

    return call


def opens(name: str, get: Callable[[Machine, InstanceVal, Arguments], Value] = _member) -> None:
    """Make a class of opened files known: mappings, which close themselves when a ``with`` ends; ``get`` is ``file[key]``."""
    LIBRARY_BASES[name] = ()
    handler(f"{name}.__enter__", on=InstanceVal)(_itself)
    handler(f"{name}.__exit__", f"{name}.close", on=InstanceVal)(_nothing)
    handler(f"{name}.__getitem__", on=InstanceVal)(get)
    handler(f"{name}.__iter__", on=InstanceVal)(_members)
    handler(f"{name}.__len__", on=InstanceVal)(_length)
    handler(f"{name}.__contains__", on=InstanceVal)(_contains)
    for method in _AS_DICT:
        handler(f"{name}.{method}", on=InstanceVal)(_as_dict(method))
