"""Shapes as values: static shapes, ``tf.shape``, lists of sizes put together, and functions whose old argument order
put the axis first."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.domains.shape import numel
from dllint.frameworks import kinds
from dllint.frameworks.keras.protocols.plain import argument, elements, is_size, plain
from dllint.frameworks.machine import Machine, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value


def _sizes(value: Value) -> tuple[Value, ...] | None:
    """A tuple of sizes at least one of which is symbolic: part of a shape, not data."""
    value = plain(value)
    if not isinstance(value, tuple) or not all(map(is_size, value)):
        return None
    return value if any(isinstance(size, DimExpr) for size in value) else None


@handler("tensorflow.stack")
def stack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``stack(values, axis=0)``; sizes stacked are a shape."""
    values, axis = elements(arguments, "values", 0), argument(arguments, "axis", 1, 0)
    if (sizes := _sizes(values)) is not None and axis == 0:
        return sizes
    return machine.emit("stack", {"tensors": values, "dim": axis}, framework="tensorflow", spelled="tensorflow.stack")


@handler("tensorflow.concat", "tensorflow.concat_v2")
def concat(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``concat(values, axis)``; before TensorFlow 1.0 ``concat(concat_dim, values)``. Parts of shapes make a shape."""
    values, axis = elements(arguments, "values", 0), argument(arguments, "axis", 1)
    old = "concat_dim" in arguments.kwargs
    if old:
        axis, values = plain(arguments.kwargs["concat_dim"]), argument(arguments, "values", 0)
    elif is_size(values) and (isinstance(axis, (tuple, TensorVal)) or "values" in arguments.kwargs):
        values, axis = (plain(arguments.kwargs["values"]) if "values" in arguments.kwargs else axis), values
    shapes = [sizes for part in values if (sizes := kinds.sizes(part)) is not None] if isinstance(values, tuple) else []
    if isinstance(values, tuple) and axis in (0, -1) and len(shapes) == len(values) and any(map(_sizes, shapes)):
        return tuple(size for shape in shapes for size in shape)
    return machine.emit("cat", {"tensors": values, "dim": axis}, framework="tensorflow", spelled="tensorflow.concat")


@handler("tensorflow.split")
def split(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``split(value, num_or_size_splits, axis=0)``; before TensorFlow 1.0 ``split(split_dim, num_split, value)``."""
    first, second, third = (argument(arguments, name, i) for i, name in enumerate(("value", "num_or_size_splits", "axis")))
    if "split_dim" in arguments.kwargs or (is_size(first) and len(arguments.args) > 0):
        axis = argument(arguments, "split_dim", 0)
        args = {"x": argument(arguments, "value", 2), "sections": argument(arguments, "num_split", 1), "dim": axis}
    else:
        args = {"x": first, "sections": second, "dim": 0 if third is None else third}
    return machine.emit("split", args, framework="tensorflow", spelled="tensorflow.split")


@handler("tensorflow.TensorShape")
def tensor_shape(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``TensorShape([None, 3])``: the sizes themselves; that of ``None`` is one of unknown rank."""
    dims = argument(arguments, "dims", 0)
    return Unknown("run-time", "rank") if dims is None else dims


@handler("tensorflow.Dimension")
def dimension(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Dimension(3)``: the size itself."""
    return argument(arguments, "value", 0)


@handler("tensorflow.Tensor.get_shape", "keras.KerasTensor.get_shape", "numpy.ndarray.get_shape")
def get_shape(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """The static shape."""
    return machine.getattr(tensor, "shape")


#: Names that tuples of sizes, unknown shapes and single sizes answer to as ``TensorShape`` and ``Dimension`` would.
_SHAPES: Final = ("builtins.tuple", "builtins.shape")


@handler(*(f"{home}.as_list" for home in _SHAPES))
def as_list(machine: Machine, shape: Value, arguments: Arguments) -> Value:
    """``TensorShape.as_list``: a shape is held as a tuple of sizes. One of unknown rank stays what it is."""
    return ListVal(list(shape)) if isinstance(shape, tuple) else shape


@handler(*(f"{home}.{name}" for home in _SHAPES for name in ("with_rank", "with_rank_at_least", "merge_with")))
def refined(machine: Machine, shape: Value, arguments: Arguments) -> Value:
    """The shape itself; what it asserts is not followed."""
    return shape


@handler("builtins.tuple.num_elements", on=tuple)
def num_elements(machine: Machine, shape: tuple[Value, ...], arguments: Arguments) -> Value:
    """The product of the sizes."""
    sizes = kinds.sizes(shape)
    return numel(sizes) if sizes is not None else machine.unknown("unknown-size", "num_elements")


@handler("builtins.tuple.is_fully_defined", on=tuple)
def is_fully_defined(machine: Machine, shape: tuple[Value, ...], arguments: Arguments) -> Value:
    """Whether all sizes are numbers."""
    return all(isinstance(size, int) for size in shape) or machine.unknown("undecided", "is_fully_defined")


@prop("builtins.tuple.ndims", "builtins.tuple.rank", on=tuple)
def ndims(machine: Machine, shape: tuple[Value, ...]) -> Value:
    """The number of axes."""
    return len(shape)


@prop("builtins.tuple.dims", "builtins.int.value", "builtins.int.dimension_value")
def itself(machine: Machine, value: Value) -> Value:
    """``Dimension.value``, ``TensorShape.dims``: sizes are numbers here."""
    return value


@handler("tensorflow.dimension_value")
def dimension_value(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The size itself."""
    return argument(arguments, "dimension", 0)
