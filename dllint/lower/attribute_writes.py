"""Attribute assignment: ``x.name = v`` on every kind of value."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.ir.events import Instance
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LayerConfig,
    LibSymbol,
    ModuleVal,
    Value,
    unwrap,
)
from dllint.lower import attributes, branches, calling, contents, exceptions, library, lists, mro, tensors
from dllint.lower.lazy import ChoiceVal

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.journal import Journal
    from dllint.lower.machine import Interpreter


def put(m: Interpreter, receiver: Value, name: str, value: Value) -> None:
    """``receiver.name = value``, journalled."""
    if isinstance(receiver, InstanceVal):
        _put_instance(m, receiver, name, value)
    elif isinstance(receiver, (ClassVal, FuncVal, ModuleVal)):
        m.control.note_change()
        m.journal.set_item(receiver.attrs, name, value)
    elif isinstance(receiver, Assumed):
        put(m, receiver.value, name, value)
    elif isinstance(receiver, ChoiceVal):
        branches.each(m, [partial(put, m, option, name, value) for option in receiver.options])
    elif isinstance(receiver, TensorVal):
        tensors.put_attribute(m, receiver, name, value)
    elif isinstance(receiver, DictVal) and receiver.named:
        lists.set_entry(m, receiver, name, value)
    elif isinstance(receiver, LibSymbol) and name == "__version__":
        m.journal.set_item(m.state, f"{receiver.name}.{name}", value)
    elif isinstance(receiver, Unknown):
        m.known.keep(receiver)
        m.journal.set_item(m.trail.derived, ("attribute", id(receiver), name), value)
        if receiver.reason in _ANY_OBJECT:
            _put_any(m.journal, m.program, name)


#: Why a variable that held an object is not known: a loop or branches gave it one or another.
_ANY_OBJECT = frozenset({"loop", "joined-branches"})
#: In so many events and operations, the objects are looked for that may be the one that is written to.
_LONGEST_TRACE = 20_000


def _put_any(journal: Journal, program: Program, name: str) -> None:
    """An object that is not known gets an attribute: it may be any of those that have it, whose number is not known then."""
    for event in islice(program.trace, _LONGEST_TRACE):
        if isinstance(event, Instance):
            attributes = event.instance.attrs
            if isinstance(unwrap(attributes.get(name)), (int, float)):
                journal.set_item(attributes, name, Unknown("loop", name))


def _put_instance(m: Interpreter, receiver: InstanceVal, name: str, value: Value) -> None:
    found = mro.lookup(receiver.cls, name)
    if isinstance(found, FuncVal) and found.kind == "property":
        setter = mro.lookup(receiver.cls, f"{name}.setter")
        if isinstance(setter, FuncVal):
            calling.call(m, setter, Arguments((receiver, value)))
            return
        if not attributes.is_cached(found):
            exceptions.raise_builtin(m, "AttributeError")
            return
    handler = m.setter_of(receiver.cls)
    if contents.of(m, receiver) is not None and _put_by_own_method(m, receiver, name, value):
        return
    if handler is not None:
        handler(m, receiver, Arguments((name, value)))
    else:
        m.journal.set_item(receiver.attrs, name, receiver.stored(name, value))
    if receiver.layer is not None:
        _reconfigure(m.journal, receiver, name, value)


def _put_by_own_method(m: Interpreter, receiver: InstanceVal, name: str, value: Value) -> bool:
    """Set an attribute of an object that is a dict or a list as its class says; whether it does."""
    own = mro.lookup(receiver.cls, "__setattr__")
    if name == "__dict__":
        contents.share_attributes(m, receiver, value)
    elif isinstance(own, FuncVal):
        calling.call(m, own, Arguments((receiver, name, value)))
    elif isinstance(own, LibSymbol) and own.name == "builtins.dict.__setitem__":
        calling.call(m, BoundVal(own, receiver), Arguments((name, value)))
    else:
        return False
    return True


def _reconfigure(journal: Journal, receiver: InstanceVal, name: str, value: Value) -> None:
    """``conv.padding = (0, 0)``: what a layer does depends on its attributes, not on what it was built with."""
    config = receiver.layer
    assert config is not None
    canonical = library.renamer(config.row)(name)
    if canonical in config.args:
        args = {**config.args, canonical: unwrap(value)}
        journal.set_attribute(receiver, "layer", LayerConfig(config.row, args, config.nodes, config.defaulted - {canonical}))
