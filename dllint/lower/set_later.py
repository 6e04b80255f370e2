"""Attributes that some method sets or changes, which runs when nobody knows.

What is None after ``__init__`` and is set by another method, or by a method that a library was given to call, is a default:
branches on it go both ways, and where it is used as an object, it has been set (:func:`dllint.lower.variants.settings.used`).
Numbers and elements of tensors that another method sets may be others by the time that a method is run by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, BoundVal, ClassVal, FuncVal, InstanceVal, ListVal, Value
from dllint.ir.watched import answer
from dllint.lower.changes import is_trained
from dllint.lower.writers import is_named_in_place
from dllint.source import memo
from dllint.source.receivers import receiver_of
from dllint.source.walk import walk_for

_CONSTRUCTOR: Final = "__init__"


def by_methods(cls: ClassVal) -> frozenset[str]:
    """The attributes that methods of a class set, those of its bases and without constructors, of whatever object."""
    bases = [base for base in cls.mro if isinstance(base, ClassVal)]
    methods = [value for base in bases for key, value in base.attrs.items() if key != _CONSTRUCTOR]
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


def changed_by_others(cls: ClassVal, method: FuncVal) -> frozenset[str]:
    """The attributes of an object that methods set or write to which neither the constructor nor a given method calls."""
    methods = {key: value for base in _classes(cls) for key, value in base.attrs.items() if isinstance(value, FuncVal)}
    called = _called(methods, (_CONSTRUCTOR, method.name))
    return frozenset(name for key, other in methods.items() if key not in called for name in _changed(other.node))


def forgotten(instance: InstanceVal, names: Iterable[str]) -> dict[str, Value]:
    """What those of some attributes hold that are numbers, lists of numbers or elements, which may be others by now: of a
    tensor, the type is known."""
    held = ((name, instance.attrs[name]) for name in names if name in instance.attrs)
    found = ((name, _forgotten(name, value)) for name, value in held)
    return {name: value for name, value in found if value is not None}


def _forgotten(name: str, value: Value) -> Value:
    if isinstance(value, TensorVal):
        return None if is_trained(value) else TensorVal(value.type, framework=value.framework, name=name)
    parts = value.items if isinstance(value, ListVal) else value if isinstance(value, tuple) else (value,)
    return Unknown("set-later", f"self.{name}") if parts and all(map(_is_number, parts)) else None


def _is_number(value: Value) -> bool:
    """Whether a value is a number: no bool, on which it may depend which attributes there are."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _classes(cls: ClassVal) -> list[ClassVal]:
    """The classes of the program among a class and its bases, the last first."""
    return [base for base in reversed(cls.mro) if isinstance(base, ClassVal)]


def _called(methods: dict[str, FuncVal], first: Iterable[str]) -> set[str]:
    """The methods that some of them call, and these call, by the attributes that they mention; those themselves, too."""
    called: set[str] = set()
    todo = list(first)
    while todo:
        name = todo.pop()
        if name not in called and name in methods:
            called.add(name)
            todo.extend(part.attr.value for part in walk_for(methods[name].node, cst.Attribute))
    return called


@memo.of_node
def _changed(method: cst.CSTNode) -> frozenset[str]:
    """The attributes of its object that a method assigns to, whose items it sets, or whose methods in place it calls."""
    receiver = receiver_of(method)
    assigned: Iterator[cst.AssignTarget | cst.AnnAssign | cst.AugAssign] = walk_for(
        method, cst.AssignTarget, cst.AnnAssign, cst.AugAssign
    )
    functions = (part.func for part in walk_for(method, cst.Call))
    receivers = (f.value for f in functions if isinstance(f, cst.Attribute) and is_named_in_place(f.attr.value))
    places = (*(part.target for part in assigned), *receivers)
    return frozenset(name for place in places for part in _unpacked(place) if (name := _own(part, receiver)))


def _unpacked(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The places that an assignment sets."""
    if isinstance(target, (cst.Tuple, cst.List)):
        yield from (part for element in target.elements for part in _unpacked(element.value))
    else:
        yield target


def _own(place: cst.CSTNode, receiver: str) -> str:
    """The attribute of an object that a place is, or is a part of (``self.sizes[0]``, ``self.sizes.data``); empty if none."""
    while isinstance(place, (cst.Subscript, cst.Attribute, cst.StarredElement)):
        if isinstance(place, cst.Attribute) and isinstance(place.value, cst.Name) and place.value.value == receiver:
            return place.attr.value
        place = place.value
    return ""
