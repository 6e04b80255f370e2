"""Conditions on a tensor's rank, sizes or element type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value

_NAMED = frozenset({cst.Name, cst.Attribute})
_RANKS = frozenset({"dim", "ndimension", "get_ndim"})


class Measure(NamedTuple):
    """An expression that reads the rank, a size or the element type of the tensor ``node`` names."""

    node: Any
    of: Callable[[TensorVal], Value]


def measure(node: cst.CSTNode) -> Measure | None:
    """``len(x.shape)``, ``x.dim()``, ``x.ndim``, ``x.shape[1]``, ``x.size(1)``, ``len(x)``, ``x.dtype``."""
    found = _call(node) if node.__class__ is cst.Call else _part(node)
    return found if found is not None and found.node.__class__ in _NAMED else None


def _call(node: cst.Call) -> Measure | None:
    args = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
    if len(args) != len(node.args) or len(args) > 1:
        return None
    func = node.func
    if isinstance(func, cst.Name) and func.value == "len" and args:
        subject = _subject_of_shape(args[0])
        return Measure(args[0], _size(0)) if subject is None else Measure(subject, _rank)
    if not isinstance(func, cst.Attribute):
        return None
    if func.attr.value in _RANKS and not args:
        return Measure(func.value, _rank)
    axis = _number(args[0]) if func.attr.value == "size" and args else None
    return Measure(func.value, _size(axis)) if axis is not None else None


def _part(node: cst.CSTNode) -> Measure | None:
    if isinstance(node, cst.Attribute):
        return {"ndim": Measure(node.value, _rank), "dtype": Measure(node.value, lambda x: x.dtype)}.get(node.attr.value)
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    subject, axis = _subject_of_shape(node.value), _number(node.slice[0].slice.value)
    return Measure(subject, _size(axis)) if subject is not None and axis is not None else None


def _subject_of_shape(node: cst.CSTNode) -> Any:
    """``x`` of ``x.shape``; ``None`` for any other expression."""
    return node.value if isinstance(node, cst.Attribute) and node.attr.value == "shape" else None


def _number(node: cst.CSTNode) -> int | None:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        number = _number(node.expression)
        return None if number is None else -number
    return int(node.value) if isinstance(node, cst.Integer) and node.value.isdigit() else None


def _rank(x: TensorVal) -> Value:
    return Unknown("unknown-rank") if x.type.rank is None else x.type.rank


def _size(axis: int) -> Callable[[TensorVal], Value]:
    def size(x: TensorVal) -> Value:
        shape = x.shape
        return shape[axis] if isinstance(shape, tuple) and -len(shape) <= axis < len(shape) else Unknown("unknown-size")

    return size
