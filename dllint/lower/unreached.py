"""Methods of models that neither the library nor the program calls (``sample``, ``encode``, ``fit``): which of them train, or
compute with tensors, and which of their parameters are tensors by the way they are used."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dllint.ir.values import ClassVal, FuncVal
from dllint.ir.watched import answer
from dllint.lower import callers
from dllint.source.memo import of_node
from dllint.source.receivers import is_receiver
from dllint.source.survey import TENSOR_METHODS
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.state import Trail


def methods(trail: Trail, cls: ClassVal) -> Iterator[FuncVal]:
    """The methods of a class that nothing has called and that compute with tensors."""
    for method in _own(cls):
        if id(method.origin_node) not in trail.called and (answer(_has_tensors, method) or any(_parts(cls, method))):
            yield method


def training(trail: Trail, cls: ClassVal, steps: Collection[str]) -> Iterator[FuncVal]:
    """The methods of a class that nothing has called and that lead to calls of methods with the names in ``steps``, those that
    call others of them first."""
    for method, _ in callers.first(list(_own(cls)), steps, ()) if steps else ():
        if id(method.origin_node) not in trail.called:
            yield method


def _own(cls: ClassVal) -> Iterator[FuncVal]:
    """The methods of a class, special ones left out."""
    for method in cls.attrs.values():
        if isinstance(method, FuncVal) and method.kind == "function" and not method.name.startswith("__"):
            yield method


def tensors(cls: ClassVal, method: FuncVal) -> frozenset[str]:
    """The names in a method that are given to parts of the model, or have methods called that only tensors have."""
    return answer(_tensors, method).union(name for _, name in _parts(cls, method) if name)


def _has_tensors(method: FuncVal) -> bool:
    """Whether a method calls methods that only tensors have."""
    return bool(_calls_of_tensors(method.node))


def _tensors(method: FuncVal) -> frozenset[str]:
    """The receivers of methods that only tensors have."""
    return _calls_of_tensors(method.node)


@of_node
def _calls_of_tensors(node: cst.FunctionDef) -> frozenset[str]:
    """The receivers of methods that only tensors have; the empty name stands for what is no name."""
    return frozenset(
        func.value.value if isinstance(func.value, cst.Name) else ""
        for func in (call.func for call in walk(node.body) if isinstance(call, cst.Call))
        if isinstance(func, cst.Attribute) and func.attr.value in TENSOR_METHODS
    )


def _parts(cls: ClassVal, method: FuncVal) -> Iterator[tuple[str, str]]:
    """The calls of what the model holds (``self.encoder(x)``), its methods left out: what is called, and the first argument, if
    that is a name."""
    return (call for call in answer(_called_on_self, method) if call[0] not in cls.attrs)


def _called_on_self(method: FuncVal) -> tuple[tuple[str, str], ...]:
    """What is called of the object of a method, each with its first argument, if that is a name."""
    return _calls_on_self(method.node)


@of_node
def _calls_on_self(node: cst.FunctionDef) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for call in walk(node.body):
        if not isinstance(call, cst.Call) or not isinstance(func := call.func, cst.Attribute):
            continue
        if is_receiver(func.value, node):
            given = next((part.value for part in call.args[:1] if part.keyword is None), None)
            found[func.attr.value, given.value if isinstance(given, cst.Name) else ""] = None
    return tuple(found)
