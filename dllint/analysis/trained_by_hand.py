"""Attributes that a program trains itself: it gathers them, or the parameters of the modules in them, for an optimizer, or
changes them by their gradients.

A purely syntactic fact of a document, by the name of the attribute: the object that has it may be called anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import libcst as cst

from dllint.source.document import Document
from dllint.source.memo import of_node
from dllint.source.walk import walk

#: Functions that make one tensor of the tensors in a list.
_JOINING: Final = frozenset(
    {"cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block_diag"}
)
_DISPLAYS: Final = (cst.List, cst.Tuple, cst.Set)


def trained_by_hand(document: Document) -> frozenset[str]:
    """The names of these attributes."""
    return frozenset().union(*map(_trained_in, document.body))


@of_node
def _trained_in(statement: cst.CSTNode) -> frozenset[str]:
    """The names of the tensors that a statement of the top level trains."""
    return frozenset(_trained(statement))


def _trained(statement: cst.CSTNode) -> Iterator[str]:
    passed_by: set[int] = set()
    for node in walk(statement):
        passed_by.update(id(display) for display in _no_gathering(node))
        if id(node) not in passed_by:
            yield from _attributes(_used(node))
            yield from _of_members(node)


def _no_gathering(node: cst.CSTNode) -> Iterator[Any]:
    """The lists below a node whose elements go on one by one or as one tensor."""
    if isinstance(node, cst.Call) and _last_name(node.func) in _JOINING:
        yield from (argument.value for argument in node.args)
    elif isinstance(node, cst.Assign) and any(isinstance(target.target, cst.Tuple) for target in node.targets):
        yield node.value


def _used(node: cst.CSTNode) -> Iterator[Any]:
    """The expressions that a node gathers in a container or changes."""
    if isinstance(node, _DISPLAYS):
        yield from (element.value for element in node.elements)
    elif isinstance(node, (cst.DictElement, cst.Yield)):
        yield node.value
    elif isinstance(node, cst.AugAssign):
        target = node.target.value if isinstance(node.target, cst.Subscript) else node.target
        yield target.value if _last_name(target) == "data" and isinstance(target, cst.Attribute) else target
    elif isinstance(node, cst.Attribute) and node.attr.value == "grad":
        yield node.value


def _of_members(node: cst.CSTNode) -> Iterator[str]:
    """The containers whose members' parameters are asked for, one by one or in a loop."""
    asked = _asked_for_parameters(node)
    if isinstance(asked, cst.Subscript):
        yield from _attributes(iter((asked.value,)))
    elif isinstance(node, (cst.For, cst.BaseSimpleComp, cst.DictComp)):
        loops = [node] if isinstance(node, cst.For) else [part for part in walk(node) if isinstance(part, cst.CompFor)]
        members = {_last_name(_asked_for_parameters(part)) for part in walk(node)} - {None}
        over = (loop.iter for loop in loops if members & {_last_name(target) for target in walk(loop.target)})
        yield from _attributes(part for iterable in over for part in walk(iterable))


def _asked_for_parameters(node: Any) -> Any:
    """The object whose parameters a call returns; ``None`` for any other node."""
    asks = isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
    return node.func.value if asks and node.func.attr.value in ("parameters", "named_parameters") else None


def _attributes(nodes: Iterator[Any]) -> Iterator[str]:
    return (node.attr.value for node in nodes if isinstance(node, cst.Attribute))


def _last_name(node: cst.CSTNode | None) -> str | None:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else None
