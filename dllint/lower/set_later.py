"""Attributes that are None until some method sets them, which runs when nobody knows.

What is None after ``__init__`` and is set by another method, or by a method that a library was given to call, is a default:
branches on it go both ways, and where it is used as an object, it has been set (:mod:`dllint.lower.defaults`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dllint.ir.values import Arguments, Assumed, BoundVal, ClassVal, FuncVal, InstanceVal
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
    """A library is given methods of objects: it may call them from now on."""
    for value in (*arguments.args, *arguments.kwargs.values()):
        if isinstance(value, BoundVal) and isinstance(value.receiver, InstanceVal) and isinstance(value.func, FuncVal):
            _open(m, value.receiver, _targets([value.func.node]))


def _open(m: Interpreter, instance: InstanceVal, names: Iterable[str]) -> None:
    for name in names:
        if name in instance.attrs and instance.attrs[name] is None:
            m.write(instance.attrs, name, Assumed(None, f"self.{name}"))


def _set_by(m: Interpreter, cls: ClassVal) -> tuple[str, ...]:
    """The attributes that methods of a class other than its constructor set, of whatever object."""
    methods = [value.node for key, value in cls.attrs.items() if isinstance(value, FuncVal) and key != "__init__"]
    return m.derive(("set-later", id(cls.node)), lambda: tuple(dict.fromkeys(_targets(methods))), cls.node)


def _targets(methods: Iterable[cst.CSTNode]) -> Iterator[str]:
    for part in (part for method in methods for part in walk(method)):
        if isinstance(part, cst.AssignTarget | cst.AnnAssign):
            yield from (inner.attr.value for inner in walk(part.target) if isinstance(inner, cst.Attribute))
