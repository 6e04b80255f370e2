"""Attributes that are None until some method sets them, which runs when nobody knows.

What is None after ``__init__`` and is set by another method, or by a method that a library was given to call, is a default:
branches on it go both ways, and where it is used as an object, it has been set (:mod:`dllint.lower.defaults`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dllint.ir.values import Arguments, Assumed, BoundVal, ClassVal, FuncVal, InstanceVal, Value
from dllint.lower.scopes import Scope
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


def by_methods(m: Interpreter, cls: ClassVal, instance: InstanceVal) -> None:
    """A method of an object is run by itself: others may have run before."""
    if any(value is None for value in instance.attrs.values()):
        for base in cls.mro:
            if isinstance(base, ClassVal):
                _open(m, instance, _set_by(m, base))


def by_callbacks(m: Interpreter, arguments: Arguments) -> None:
    """A library is given methods of objects, or functions inside of methods: it may call them from now on."""
    for value in (*arguments.args, *arguments.kwargs.values()):
        if isinstance(value, BoundVal) and isinstance(value.receiver, InstanceVal) and isinstance(value.func, FuncVal):
            _expect(m, value.receiver, (part.attr.value for part in _targets([value.func.node])))
        elif isinstance(value, FuncVal) and isinstance(value.scope, Scope):
            for part in _targets([value.node]):
                owner = value.scope.vars.get(part.value.value) if isinstance(part.value, cst.Name) else None
                if isinstance(owner, InstanceVal):
                    _expect(m, owner, (part.attr.value,))


def stored(instance: InstanceVal, name: str, value: Value) -> Value:
    """What an attribute holds after ``value`` has been assigned to it: None only until a callback sets it."""
    return Assumed(None, f"self.{name}") if value is None and name in instance.later else value


def _expect(m: Interpreter, instance: InstanceVal, names: Iterable[str]) -> None:
    """Callbacks set some attributes of an object from now on."""
    found = frozenset(names)
    if not found <= instance.later:
        m.journal.set_attribute(instance, "later", instance.later | found)
    _open(m, instance, found)


def _open(m: Interpreter, instance: InstanceVal, names: Iterable[str]) -> None:
    for name in names:
        if name in instance.attrs and instance.attrs[name] is None:
            m.write(instance.attrs, name, Assumed(None, f"self.{name}"))


def _set_by(m: Interpreter, cls: ClassVal) -> tuple[str, ...]:
    """The attributes that methods of a class other than its constructor set, of whatever object."""
    methods = [value.node for key, value in cls.attrs.items() if isinstance(value, FuncVal) and key != "__init__"]
    return m.derive(("set-later", id(cls.node)), lambda: tuple({part.attr.value: None for part in _targets(methods)}), cls.node)


def _targets(methods: Iterable[cst.CSTNode]) -> Iterator[cst.Attribute]:
    for part in (part for method in methods for part in walk(method)):
        if isinstance(part, cst.AssignTarget | cst.AnnAssign):
            yield from (inner for inner in walk(part.target) if isinstance(inner, cst.Attribute))
