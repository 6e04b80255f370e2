"""Reading operands: tensors, Python numbers, nested literals and things that are not known, all as tensor types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from dllint.domains.dim import Dim, DimExpr, counted
from dllint.domains.dtype import BOOL, COMPLEX128, FLOAT64, INT64, STRING, DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import LibSymbol, Value
from dllint.ops.literal import is_literal, literal_type
from dllint.ops.sizes import size
from dllint.ops.spec import Call

#: A tensor of more sizes is no shape.
_MOST_AXES = 32
#: What Python's own number classes mean as ``dtype`` arguments (torch, numpy).
BUILTIN_TYPES: Mapping[str, DType] = {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "str": STRING}


def as_tensor(call: Call, value: Value) -> TensorType:
    """An operand as a tensor type: numbers have rank 0, nested tuples the shape of the array they spell."""
    if isinstance(value, TensorType):
        return value
    if is_literal(value):
        return literal_type(call.framework, value)
    unknown = value if isinstance(value, Unknown) else Unknown("no-argument", type(value).__name__)
    return TensorType(unknown, unknown)


def read_dtype(value: Value) -> DType | Unknown | None:
    """A ``dtype`` argument: a type, its name, a framework's symbol or a Python class; ``None`` if left out."""
    if value is None or isinstance(value, (DType, Unknown)):
        return value
    if isinstance(value, LibSymbol):
        home, _, name = value.name.rpartition(".")
        found = BUILTIN_TYPES.get(name) if home in ("", "builtins") else dtype_named(name)
    elif isinstance(value, str):
        found = BUILTIN_TYPES.get(value) or dtype_named(value.rpartition(".")[2])
    else:
        found = None
    return found or Unknown("no-argument", f"dtype {value!r}")


def is_axis_list(value: Value) -> TypeGuard[tuple[int, ...]]:
    """Whether an argument is a tuple of known axes."""
    return isinstance(value, tuple) and all(isinstance(v, int) for v in value)


def shape_argument(value: Value) -> tuple[Value, ...] | Unknown:
    """A target shape: a size, sizes, or one sequence of sizes; the elements are left as they are."""
    if isinstance(value, tuple):
        return shape_argument(value[0]) if len(value) == 1 and isinstance(value[0], (tuple, Unknown)) else value
    if isinstance(value, (int, DimExpr)):
        return (value,)
    if isinstance(value, TensorType) and isinstance(value.dtype, DType) and value.dtype.kind == "int":
        return _sizes_in(value.shape)
    return value if isinstance(value, Unknown) else Unknown("no-argument", "shape")


def _sizes_in(shape: Shape | Unknown) -> tuple[Value, ...] | Unknown:
    """The sizes that are the elements of a tensor: a single number is one size, a vector of known length so many."""
    if isinstance(shape, Unknown) or len(shape) > 1:
        return Unknown("no-argument", "shape")
    count = shape[0] if shape else 1
    if not isinstance(count, int) or count > _MOST_AXES:
        return Unknown("no-argument", "shape")
    return tuple(counted("size") for _ in range(count))


def dims_or_unknown(value: Value) -> tuple[Dim, ...] | Unknown:
    """A shape argument all of whose elements are sizes, unknown ones becoming opaque."""
    found = shape_argument(value)
    return found if isinstance(found, Unknown) else tuple(size(v) for v in found)
