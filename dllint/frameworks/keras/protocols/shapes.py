"""The batch symbol, declared input shapes, and shapes as Python tuples."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.dtype import FLOAT32, DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.protocols.plain import is_size, plain
from dllint.frameworks.machine import Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import LibSymbol, Value

#: The batch size of every symbolic Keras tensor: one model is fed one batch at a time.
BATCH: Final[DimExpr] = symbol("B", "input")


def declared(shape: Value) -> Shape | Unknown:
    """A declared shape: a number stands for itself, ``None`` for a fresh free size."""
    shape = plain(shape)
    if is_size(shape):
        return (shape,)
    if isinstance(shape, Unknown) or not isinstance(shape, tuple):
        return shape if isinstance(shape, Unknown) else Unknown("no-argument", "shape")
    return tuple(_declared_dim(d, i) for i, d in enumerate(shape))


def _declared_dim(dim: Value, axis: int) -> Dim:
    if is_size(dim):
        return dim
    if dim is None:
        return symbol(f"N{axis + 1}", "input")
    return symbol(f"N{axis + 1}", "opaque", 0)


def batched(shape: Value, batch: Value = None) -> Shape | Unknown:
    """``(batch, *shape)``; the batch symbol unless a batch size is given."""
    inner = declared(shape)
    return inner if isinstance(inner, Unknown) else (batch if is_size(batch) else BATCH, *inner)


def dtype_of(value: Value, default: DType = FLOAT32) -> DType | Unknown:
    """An element type given as a string, a type object or nothing."""
    value = plain(value)
    if value is None:
        return default
    if isinstance(value, DType):
        return value
    name = value.name.rpartition(".")[2] if isinstance(value, LibSymbol) else value
    found = dtype_named(name) if isinstance(name, str) else None
    return found if found is not None else Unknown("no-argument", "dtype")


def shape_value(machine: Machine, value: Value) -> Value:
    """The shape of a tensor as a tuple (or of a nest of tensors as a tuple of tuples), as ``build`` receives it."""
    value = plain(value)
    if isinstance(value, TensorVal):
        return machine.getattr(value, "shape")
    if isinstance(value, tuple):
        return tuple(shape_value(machine, v) for v in value)
    return value if isinstance(value, Unknown) else Unknown("no-argument", "shape")


def one_batch(type_: TensorType) -> TensorType:
    """The type of one batch of a data set: the length is replaced by the batch symbol."""
    if isinstance(type_.shape, Unknown) or not type_.shape:
        return type_
    return TensorType((BATCH, *type_.shape[1:]), type_.dtype)
