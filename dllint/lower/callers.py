"""Which methods of a class lead to those that train, in the order in which they call each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import libcst as cst

from dllint.ir.values import FuncVal
from dllint.ir.watched import answer
from dllint.lower import names
from dllint.source.walk import walk


def first(methods: Sequence[FuncVal], steps: Collection[str], others: Collection[str]) -> list[tuple[FuncVal, bool]]:
    """The methods of a class that call methods, or functions of modules, with names in ``steps`` or ``others``, and those that
    lead to ``steps`` by calls of methods of their own object; callers in front of what they call, else as they are defined.
    With each, whether it calls or leads to ``steps``."""
    called = {id(method): answer(_called, method) for method in methods}
    training = [method for method in methods if not called[id(method)].isdisjoint(steps)]
    levels = _levels(methods, training, called)
    found = (method for method in methods if id(method) in levels or not called[id(method)].isdisjoint(others))
    ordered = sorted(found, key=lambda method: -levels.get(id(method), 0))
    return [(method, id(method) in levels) for method in ordered]


def _levels(methods: Sequence[FuncVal], training: Iterable[FuncVal], called: dict[int, frozenset[str]]) -> dict[int, int]:
    """How many calls at least lie between each method that leads to training, and the step, by ``id``."""
    levels = {id(method): 0 for method in training}
    reached, level = {method.name for method in training}, 0
    while reached:
        level += 1
        more = [
            method
            for method in methods
            if id(method) not in levels
            and not called[id(method)].isdisjoint(reached)
            and not reached.isdisjoint(answer(_own_calls, method))
        ]
        levels.update({id(method): level for method in more})
        reached = {method.name for method in more}
    return levels


def _called(method: FuncVal) -> frozenset[str]:
    """The names of the methods, and of functions of modules, that a method calls."""
    return frozenset(names.methods_called(method.node.body))


def _own_calls(method: FuncVal) -> frozenset[str]:
    """The names of the methods that a method calls on its own object."""
    node: cst.FunctionDef | cst.Lambda = method.node
    parameters = (*node.params.posonly_params, *node.params.params)
    own = parameters[0].name.value if parameters else ""
    functions = (part.func for part in walk(node.body) if isinstance(part, cst.Call))
    return frozenset(
        func.attr.value
        for func in functions
        if isinstance(func, cst.Attribute) and isinstance(func.value, cst.Name) and func.value.value == own
    )
