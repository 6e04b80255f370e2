"""Attributes that are None until some method sets them, which runs when nobody knows.

What is None after ``__init__`` and is set by another method, or by a method that a library was given to call, is a default:
branches on it go both ways, and where it is used as an object, it has been set (:func:`dllint.lower.variants.settings.used`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from dllint.ir.values import Arguments, Assumed, BoundVal, ClassVal, FuncVal, InstanceVal, Value
from dllint.ir.watched import answer
from dllint.source import memo
from dllint.source.walk import walk_for


def by_methods(cls: ClassVal) -> frozenset[str]:
    """The attributes that methods of a class set, those of its bases and without constructors, of whatever object."""
    bases = [base for base in cls.mro if isinstance(base, ClassVal)]
    methods = [value for base in bases for key, value in base.attrs.items() if key != "__init__"]
    return frozenset(part.attr.value for method in methods if isinstance(method, FuncVal) for part in _targets(method.node))


def by_callbacks(arguments: Arguments) -> Iterator[tuple[InstanceVal, frozenset[str]]]:
    """Objects, and attributes of theirs which methods, or functions inside of methods, set that are among some arguments."""
    for value in (*arguments.args, *arguments.kwargs.values()):
        if isinstance(value, BoundVal) and isinstance(value.receiver, InstanceVal) and isinstance(value.func, FuncVal):
            yield value.receiver, frozenset(name for _, name in answer(_assigned_by, value.func))
        elif isinstance(value, FuncVal):
            for owner_name, name in answer(_assigned_by, value):
                owner = value.scope.vars.get(owner_name)
                if isinstance(owner, InstanceVal):
                    yield owner, frozenset((name,))


def _assigned_by(function: FuncVal) -> tuple[tuple[str, str], ...]:
    """The attributes that a function assigns to: the name of the object, empty if it has none, and the attribute."""
    parts = _targets(function.node)
    return tuple((part.value.value if isinstance(part.value, cst.Name) else "", part.attr.value) for part in parts)


def opened(instance: InstanceVal, names: Iterable[str]) -> dict[str, Value]:
    """What those of some attributes hold that are None and may be set at any time."""
    return {name: Assumed(None, f"self.{name}") for name in names if name in instance.attrs and instance.attrs[name] is None}


@memo.of_node
def _targets(method: cst.CSTNode) -> tuple[cst.Attribute, ...]:
    """The attributes that the statements of a method assign to."""
    places: Iterator[cst.AssignTarget | cst.AnnAssign] = walk_for(method, cst.AssignTarget, cst.AnnAssign)
    targets = (part.target for part in places)
    return tuple(part for target in targets for part in walk_for(target, cst.Attribute))
