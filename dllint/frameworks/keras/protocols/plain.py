"""Reading arguments: the plain value behind defaults and lists, and sizes given in Keras's many forms."""

from __future__ import annotations

from typing import Any

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.lattice import Unknown
from dllint.frameworks.array_like import as_array
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, ListVal, Value


def plain(value: Value) -> Value:
    """The value without ``Assumed`` wrappers, lists of known length as tuples, tables as arrays, recursively."""
    if isinstance(value, Assumed):
        return plain(value.value)
    if isinstance(value, ListVal):
        return tuple(plain(v) for v in value.items) if value.rest is None else Unknown("list-length", "")
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return as_array(value)


def is_size(value: Any) -> bool:
    """Whether a value is a number of elements (``True`` is not)."""
    return isinstance(value, int | DimExpr) and not isinstance(value, bool)


def argument(arguments: Arguments, name: str, position: int, default: Value = None) -> Value:
    """The plain value of an argument given by position or keyword."""
    if position < len(arguments.args):
        return plain(arguments.args[position])
    if name in arguments.kwargs:
        return plain(arguments.kwargs[name])
    if arguments.star is not None or arguments.double_star is not None:
        return Unknown("star-arguments", name)
    return default


def tensors(value: Value) -> tuple[TensorVal, ...]:
    """All tensors in a plain nested structure of tuples and dicts."""
    if isinstance(value, TensorVal):
        return (value,)
    if isinstance(value, tuple):
        return tuple(t for v in value for t in tensors(v))
    items = getattr(value, "items", None)
    if isinstance(items, dict):
        return tuple(t for v in items.values() for t in tensors(plain(v)))
    return ()


def pairs(value: Value, spatial: int) -> tuple[tuple[Dim, Dim], ...] | Unknown:
    """Before and after amounts per axis, from an int, one number per axis, or pairs (one pair for one axis)."""
    value = plain(value)
    if is_size(value):
        return ((value, value),) * spatial
    if isinstance(value, tuple) and spatial == 1 and len(value) == 2 and all(map(is_size, value)):
        return ((value[0], value[1]),)
    if isinstance(value, tuple) and len(value) == spatial:
        out = [(v, v) if is_size(v) else v for v in value]
        if all(isinstance(p, tuple) and len(p) == 2 and all(map(is_size, p)) for p in out):
            return tuple((p[0], p[1]) for p in out)
    return Unknown("no-argument", "padding")
