"""Asking a value what it is. A handler gets anything: what it does not find to be of the kind it needs is Unknown to it."""

from __future__ import annotations

from typing import TypeGuard

from dllint.domains.dim import Dim, DimExpr, opaque
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks.array_like import as_array
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, ListVal, SliceVal, Value, unwrap


def as_int(value: Value) -> int | None:
    """A whole number that is known."""
    value = unwrap(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_dim(value: Value) -> Dim | None:
    """A size, known or symbolic."""
    value = unwrap(value)
    return value if isinstance(value, (int, DimExpr)) and not isinstance(value, bool) else None


def as_flag(value: Value) -> bool | None:
    """A truth value that is known."""
    value = unwrap(value)
    return value if isinstance(value, bool) else None


def as_text(value: Value) -> str | None:
    """A text that is known."""
    value = unwrap(value)
    return value if isinstance(value, str) else None


def as_tensor(value: Value) -> TensorVal | None:
    """A tensor, or the array that an object stands for."""
    value = as_array(value)
    return value if isinstance(value, TensorVal) else None


def as_instance(value: Value) -> InstanceVal | None:
    """An object."""
    value = unwrap(value)
    return value if isinstance(value, InstanceVal) else None


def shape_of(value: Value) -> Shape | None:
    """The shape of a tensor whose rank is known."""
    tensor = as_tensor(value)
    return None if tensor is None or isinstance(tensor.shape, Unknown) else tensor.shape


def members(value: Value) -> tuple[Value, ...] | None:
    """The elements of a list or tuple of known length, without the marks of defaults."""
    value = unwrap(value)
    if isinstance(value, ListVal) and value.rest is None:
        value = tuple(value.items)
    return tuple(map(unwrap, value)) if isinstance(value, tuple) else None


def as_slice(value: SliceVal) -> slice[int | None, int | None, int | None] | None:
    """A slice whose bounds are known numbers."""
    start, stop, step = unwrap(value.start), unwrap(value.stop), unwrap(value.step)
    if not (_is_bound(start) and _is_bound(stop) and _is_bound(step)) or step == 0:
        return None
    return slice(start, stop, step)


def _is_bound(part: Value) -> TypeGuard[int | None]:
    return part is None or isinstance(part, int)


def as_shape(value: Value) -> Shape | Unknown:
    """A number of sizes, or one: a size that is not known is opaque; Unknown if it is not known how many they are."""
    value = unwrap(value)
    if isinstance(value, Unknown):
        return value
    if (size := as_dim(value)) is not None:
        return (size,)
    parts = members(value)
    if parts is None:
        return Unknown("no-shape", type(value).__name__)
    return tuple(size if (size := as_dim(part)) is not None else opaque("size") for part in parts)


def sizes(value: Value) -> Shape | None:
    """The members of a list or tuple, if all of them are sizes."""
    parts = members(value)
    found = tuple(size for part in parts or () if (size := as_dim(part)) is not None)
    return found if parts is not None and len(found) == len(parts) else None


def numbers(value: Value) -> tuple[float, ...] | None:
    """The members of a list or tuple, if all of them are known numbers."""
    parts = members(value)
    found = tuple(part for part in parts or () if isinstance(part, (int, float)))
    return found if parts is not None and len(found) == len(parts) else None
