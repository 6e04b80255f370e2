"""Literals in the place of tensors: Python numbers, texts, and nested tuples of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Final, TypeGuard

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    STRING,
    DType,
    Kind,
    numpy_pair,
    promote_same_kind,
)
from dllint.domains.lattice import UNKNOWN_NUMBERS, Unknown, UnknownBool, UnknownFloat, UnknownInt
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import Framework
from dllint.ir.values import Value

#: The element types Python numbers get when a framework makes a tensor of them.
PYTHON_TYPES: Mapping[Framework, Mapping[str, DType]] = {
    "torch": {"bool": BOOL, "int": INT64, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "numpy": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
    "keras": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX64, "string": STRING},
    "tensorflow": {"bool": BOOL, "int": INT32, "float": FLOAT32, "complex": COMPLEX128, "string": STRING},
    "python": {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128, "string": STRING},
}


def is_number(value: Value) -> TypeGuard[bool | int | float | complex | DimExpr | UnknownFloat | UnknownInt | UnknownBool]:
    """Whether an operand is a Python number (a symbolic size is an int)."""
    return isinstance(value, (int, float, complex, DimExpr, *UNKNOWN_NUMBERS))


def number_kind(value: Value) -> Kind:
    """The kind of a Python number or string."""
    if isinstance(value, (bool, UnknownBool)):
        return "bool"
    if isinstance(value, (int, DimExpr, UnknownInt)):
        return "int"
    if isinstance(value, (str, bytes)):
        return "string"
    return "complex" if isinstance(value, complex) else "float"


def is_literal(value: Value) -> bool:
    """Whether a value spells an array: a number, a text, or a sequence of such."""
    return is_number(value) or isinstance(value, (str, bytes, tuple))


def literal_type(framework: Framework, value: Value) -> TensorType:
    """The type of the array that a literal spells: numbers have rank 0, nested tuples the shape they show."""
    return TensorType(literal_shape(value), literal_dtype(framework, value))


def literal_shape(data: Value) -> Shape | Unknown:
    """The shape of nested tuples of numbers and tensors; Unknown if they are ragged or not known."""
    if isinstance(data, TensorType):
        return data.shape
    if is_number(data) or isinstance(data, (str, bytes)):  # a float, int or bool of unknown value is a number, too
        return ()
    if not isinstance(data, tuple):
        return data if isinstance(data, Unknown) else Unknown("no-argument", type(data).__name__)
    inner = literal_shape(data[0]) if data else ()
    if isinstance(inner, Unknown):
        return inner
    ragged = any(literal_shape(item) != inner for item in data[1:])
    return Unknown("ragged-literal") if ragged else (len(data), *inner)


def refused_data(data: Value) -> str:
    """Why torch makes no tensor of nested tuples (2.13, run): texts in them, or rows of numbers of different lengths. Empty if
    it may. It takes the sizes from the first elements, and looks no further if one is 0."""
    first = data
    while isinstance(first, tuple) and first:
        first = first[0]
    if not is_number(first) and not isinstance(first, str):
        return ""
    if any(isinstance(leaf, str) for leaf in _leaves(data)):
        return "texts are no numbers"
    if all(map(is_number, _leaves(data))) and isinstance(literal_shape(data), Unknown):
        return "its rows have different lengths"
    return ""


def literal_dtype(framework: Framework, data: Value) -> DType | Unknown:
    """The element type of nested tuples: the common one of its tensors and the highest kind of number (default: float)."""
    leaves = list(_leaves(data))
    for leaf in leaves:
        if not (is_number(leaf) or isinstance(leaf, (TensorType, str, bytes))):
            return leaf if isinstance(leaf, Unknown) else Unknown("no-argument", type(leaf).__name__)
    strong = [leaf.dtype for leaf in leaves if isinstance(leaf, (TensorType, NumpyFloat))]
    kinds = {number_kind(leaf) for leaf in leaves if not isinstance(leaf, (TensorType, NumpyFloat))}
    kind = next((k for k in _ORDER if k in kinds), None if strong else "float")
    number = PYTHON_TYPES[framework][kind] if kind is not None else None
    if not strong:
        return PYTHON_TYPES[framework][kind or "float"]
    if framework == "keras" and any(isinstance(leaf, NumpyFloat) and leaf.dtype == FLOAT64 for leaf in leaves):
        return Unknown("backend", "numbers of numpy's types")
    return _common(framework, strong, number)


#: Kinds of elements from the highest to the lowest.
_ORDER: Final[tuple[Kind, ...]] = ("string", "complex", "float", "int", "bool")


def _common(framework: Framework, strong: list[DType | Unknown], number: DType | None) -> DType | Unknown:
    """The type of an array of tensors (and numbers) of these types: torch and numpy promote them."""
    known: list[DType] = []
    for dtype in strong:
        if isinstance(dtype, Unknown):
            return dtype
        known.append(dtype)
    if framework in ("numpy", "python"):
        return reduce(numpy_pair, known if number is None else [*known, number])
    if framework == "torch":
        found = reduce(promote_same_kind, known)
        is_higher = number is not None and _ORDER.index(number.kind) < _ORDER.index(found.kind)
        return number if is_higher and number is not None else found
    return known[0] if len(set(known)) == 1 else Unknown("no-promotion", "tensors of several types")


def _leaves(data: Value) -> Iterator[Value]:
    if isinstance(data, tuple):
        for item in data:
            yield from _leaves(item)
    else:
        yield data
