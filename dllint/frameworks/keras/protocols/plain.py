"""Reading arguments: the plain value behind defaults and lists, and sizes given in Keras's many forms."""

from __future__ import annotations

from typing import TypeGuard

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.lattice import Unknown
from dllint.frameworks.array_like import as_array
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, DictVal, ListVal, Value, unwrap


def plain(value: Value) -> Value:
    """The value without ``Assumed`` wrappers, lists of known length as tuples, tables as arrays, recursively."""
    if isinstance(value, Assumed):
        return plain(value.value)
    if isinstance(value, ListVal):
        return tuple(plain(v) for v in value.items) if value.rest is None else Unknown("list-length", "")
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return as_array(value)


def elements(arguments: Arguments, name: str, position: int) -> Value:
    """A plain argument that is a sequence of tensors; a list of unknown length stays what it is."""
    raw = arguments.args[position] if position < len(arguments.args) else arguments.kwargs.get(name)
    given = unwrap(raw)
    return given if isinstance(given, ListVal) and given.rest is not None else argument(arguments, name, position)


def is_size(value: Value) -> TypeGuard[Dim]:
    """Whether a value is a number of elements (``True`` is not)."""
    return isinstance(value, (int, DimExpr)) and not isinstance(value, bool)


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
    if isinstance(value, DictVal):
        return tuple(t for v in value.items.values() for t in tensors(plain(v)))
    return ()


def is_of_tensors(value: Value) -> bool:
    """Whether a plain nested structure holds tensors and nothing else."""
    if isinstance(value, tuple):
        return all(map(is_of_tensors, value))
    if isinstance(value, DictVal):
        return all(is_of_tensors(plain(member)) for member in value.items.values())
    return isinstance(value, TensorVal)


def pairs(value: Value, spatial: int) -> tuple[tuple[Dim, Dim], ...] | Unknown:
    """Before and after amounts per axis, from an int, one number per axis, or pairs (one pair for one axis)."""
    value = plain(value)
    if is_size(value):
        return ((value, value),) * spatial
    if spatial == 1 and (pair := _pair(value)) is not None:
        return (pair,)
    if isinstance(value, tuple) and len(value) == spatial:
        out = [pair for v in value if (pair := (v, v) if is_size(v) else _pair(v)) is not None]
        if len(out) == spatial:
            return tuple(out)
    return Unknown("no-argument", "padding")


def _pair(value: Value) -> tuple[Dim, Dim] | None:
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    before, after = value
    return (before, after) if is_size(before) and is_size(after) else None
