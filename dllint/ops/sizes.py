"""Reading sizes out of arguments: an int for all axes, one per axis, or something unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from dllint.domains.dim import Dim, DimExpr, counted, opaque
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value


def is_dim(value: Value) -> TypeGuard[Dim]:
    """Whether an argument is a size (also a symbolic one)."""
    return isinstance(value, (int, DimExpr))


def is_whole_number(value: Value) -> bool:
    """Whether an argument is a tensor of one whole number."""
    return isinstance(value, TensorType) and value.shape == () and isinstance(value.dtype, DType) and value.dtype.kind == "int"


def size(value: Value, name: str = "size", lower: int = 0) -> Dim:
    """The argument as a size; a whole number in a tensor is one that the data decide, anything else a fresh opaque size."""
    if is_whole_number(value):
        return counted(name, lower)
    return value if is_dim(value) else opaque(name, lower)


def sizes(value: Value, count: int, name: str = "size", lower: int = 0) -> tuple[Dim, ...]:
    """``count`` sizes from a number for all axes, a sequence of one or of ``count`` numbers, or something unknown."""
    if is_dim(value):
        return (value,) * count
    if isinstance(value, tuple) and len(value) in (1, count) and value:
        return tuple(size(v, name, lower) for v in (value if len(value) == count else value * count))
    return tuple(opaque(name, lower) for _ in range(count))


def is_shape(value: Value) -> TypeGuard[tuple[Dim, ...]]:
    """Whether a value is a tuple of sizes."""
    return isinstance(value, tuple) and all(map(is_dim, value))


def whole_numbers(values: Iterable[Value]) -> tuple[int, ...] | None:
    """The values, if all are known whole numbers."""
    found = tuple(values)
    numbers = tuple(value for value in found if isinstance(value, int))
    return numbers if len(numbers) == len(found) else None


def given(value: Value) -> bool:
    """Whether an optional argument has a value, known or not (``None`` means left out)."""
    return value is not None


def unknown(*values: Value) -> bool:
    """Whether one of the arguments is not known."""
    return any(isinstance(v, Unknown) for v in values)
