"""Literals in the place of tensors: Python numbers, texts, and nested tuples of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import BOOL, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, INT64, STRING, DType, Kind
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import Framework

#: The element types Python numbers get when a framework makes a tensor of them.
PYTHON_TYPES: Mapping[Framework, Mapping[str, DType]] = {
    "torch": {"bool": BOOL, "int": INT64, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "numpy": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
    "keras": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "tensorflow": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX128, "string": STRING},
    "python": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
}


def is_number(value: object) -> TypeGuard[bool | int | float | complex | DimExpr | UnknownFloat]:
    """Whether an operand is a Python number (a symbolic size is an int)."""
    return isinstance(value, int | float | complex | DimExpr | UnknownFloat)


def number_kind(value: object) -> Kind:
    """The kind of a Python number or string."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | DimExpr):
        return "int"
    if isinstance(value, str | bytes):
        return "string"
    return "complex" if isinstance(value, complex) else "float"


def is_literal(value: object) -> bool:
    """Whether a value spells an array: a number, a text, or a sequence of such."""
    return is_number(value) or isinstance(value, str | bytes | tuple)


def literal_type(framework: Framework, value: object) -> TensorType:
    """The type of the array that a literal spells: numbers have rank 0, nested tuples the shape they show."""
    return TensorType(literal_shape(value), literal_dtype(framework, value))


def literal_shape(data: object) -> Shape | Unknown:
    """The shape of nested tuples of numbers and tensors; Unknown if they are ragged or not known."""
    if isinstance(data, TensorType):
        return data.shape
    if is_number(data) or isinstance(data, str | bytes):  # an unknown float is a number, too
        return ()
    if not isinstance(data, tuple):
        return data if isinstance(data, Unknown) else Unknown("no-argument", type(data).__name__)
    inner = literal_shape(data[0]) if data else ()
    if isinstance(inner, Unknown):
        return inner
    ragged = any(literal_shape(item) != inner for item in data[1:])
    return Unknown("ragged-literal") if ragged else (len(data), *inner)


def literal_dtype(framework: Framework, data: object) -> DType | Unknown:
    """The element type of nested tuples: of the tensors in it, else of the highest kind of number (default: float)."""
    leaves = list(_leaves(data))
    for leaf in leaves:
        if isinstance(leaf, TensorType):
            return leaf.dtype
        if not (is_number(leaf) or isinstance(leaf, str | bytes)):
            return leaf if isinstance(leaf, Unknown) else Unknown("no-argument", type(leaf).__name__)
    if any(isinstance(leaf, NumpyFloat) for leaf in leaves):
        return _numpy_dtype(framework, leaves)
    kinds = {number_kind(leaf) for leaf in leaves}
    order: tuple[Kind, ...] = ("string", "complex", "float", "int", "bool")
    kind = next((k for k in order if k in kinds), "float")
    return PYTHON_TYPES[framework][kind]


def _numpy_dtype(framework: Framework, leaves: list[object]) -> DType | Unknown:
    """The element type of numbers of numpy's types; not all backends of Keras keep that of a Python float."""
    types = {leaf.dtype if isinstance(leaf, NumpyFloat) else None for leaf in leaves}
    only = types.pop()
    if types or only is None or (framework == "keras" and only == FLOAT64):
        return Unknown("no-promotion", "numbers of numpy's types")
    return only


def _leaves(data: object) -> Iterator[object]:
    if isinstance(data, tuple):
        for item in data:
            yield from _leaves(item)
    else:
        yield data
