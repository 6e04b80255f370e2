"""Reading operands: tensors, Python numbers, nested literals and things that are not known, all as tensor types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.dtype import BOOL, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, INT64, STRING, DType, Kind, dtype_named
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import Framework
from dllint.ir.values import LibSymbol
from dllint.ops.sizes import size
from dllint.ops.spec import Call

#: The element types Python numbers get when a framework makes a tensor of them.
PYTHON_TYPES: Mapping[Framework, Mapping[str, DType]] = {
    "torch": {"bool": BOOL, "int": INT64, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "numpy": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
    "keras": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "tensorflow": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX128, "string": STRING},
    "python": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
}
#: What Python's own number classes mean as ``dtype`` arguments (torch, numpy).
BUILTIN_TYPES: Mapping[str, DType] = {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "str": STRING}


def is_number(value: Any) -> TypeGuard[bool | int | float | complex | DimExpr | UnknownFloat]:
    """Whether an operand is a Python number (a symbolic size is an int)."""
    return isinstance(value, int | float | complex | DimExpr | UnknownFloat)


def number_kind(value: Any) -> Kind:
    """The kind of a Python number or string."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | DimExpr):
        return "int"
    if isinstance(value, str | bytes):
        return "string"
    return "complex" if isinstance(value, complex) else "float"


def as_tensor(call: Call, value: Any) -> TensorType:
    """An operand as a tensor type: numbers have rank 0, nested tuples the shape of the array they spell."""
    if isinstance(value, TensorType):
        return value
    if is_number(value) or isinstance(value, str | bytes):
        return TensorType((), PYTHON_TYPES[call.framework][number_kind(value)])
    if isinstance(value, tuple):
        return TensorType(literal_shape(value), literal_dtype(call.framework, value))
    unknown = value if isinstance(value, Unknown) else Unknown("no-argument", type(value).__name__)
    return TensorType(unknown, unknown)


def literal_shape(data: Any) -> Shape | Unknown:
    """The shape of nested tuples of numbers and tensors; Unknown if they are ragged or not known."""
    if isinstance(data, TensorType):
        return data.shape
    if data is None or isinstance(data, Unknown):
        return data or Unknown("no-argument", "None")
    if not isinstance(data, tuple):
        return ()
    inner = literal_shape(data[0]) if data else ()
    if isinstance(inner, Unknown):
        return inner
    ragged = any(literal_shape(item) != inner for item in data[1:])
    return Unknown("ragged-literal") if ragged else (len(data), *inner)


def literal_dtype(framework: Framework, data: Any) -> DType | Unknown:
    """The element type of nested tuples: of the tensors in it, else of the highest kind of number (default: float)."""
    leaves = list(_leaves(data))
    for leaf in leaves:
        if isinstance(leaf, TensorType):
            return leaf.dtype
        if not (is_number(leaf) or isinstance(leaf, str | bytes)):
            return leaf if isinstance(leaf, Unknown) else Unknown("no-argument", type(leaf).__name__)
    kinds = {number_kind(leaf) for leaf in leaves}
    order: tuple[Kind, ...] = ("string", "complex", "float", "int", "bool")
    kind = next((k for k in order if k in kinds), "float")
    return PYTHON_TYPES[framework][kind]


def _leaves(data: Any) -> Any:
    if isinstance(data, tuple):
        for item in data:
            yield from _leaves(item)
    else:
        yield data


def read_dtype(value: Any) -> DType | Unknown | None:
    """A ``dtype`` argument: a type, its name, a framework's symbol or a Python class; ``None`` if left out."""
    if value is None or isinstance(value, DType | Unknown):
        return value
    if isinstance(value, LibSymbol):
        home, _, name = value.name.rpartition(".")
        found = BUILTIN_TYPES.get(name) if home in ("", "builtins") else dtype_named(name)
    elif isinstance(value, str):
        found = BUILTIN_TYPES.get(value) or dtype_named(value.rpartition(".")[2])
    else:
        found = None
    return found or Unknown("no-argument", f"dtype {value}")


def is_axis_list(value: Any) -> TypeGuard[tuple[int, ...]]:
    """Whether an argument is a tuple of known axes."""
    return isinstance(value, tuple) and all(isinstance(v, int) for v in value)


def shape_argument(value: Any) -> tuple[Any, ...] | Unknown:
    """A target shape: a size, sizes, or one sequence of sizes; the elements are left as they are."""
    if isinstance(value, tuple):
        return shape_argument(value[0]) if len(value) == 1 and isinstance(value[0], tuple | Unknown) else value
    if isinstance(value, int | DimExpr):
        return (value,)
    return value if isinstance(value, Unknown) else Unknown("no-argument", "shape")


def dims_or_unknown(value: Any) -> tuple[Dim, ...] | Unknown:
    """A shape argument all of whose elements are sizes, unknown ones becoming opaque."""
    found = shape_argument(value)
    return found if isinstance(found, Unknown) else tuple(size(v) for v in found)
