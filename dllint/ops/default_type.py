"""The element type that torch gives to floating-point results where neither an operand nor an argument says one.

It is float32 unless the program has set another (``torch.set_default_dtype``); then it is kept in the interpreter's state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dtype import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value, each

#: The key in the interpreter's state under which the type is that the program has set.
DEFAULT_TYPE: Final = "torch.default_dtype"
_INEXACT: Final = ("float", "complex")


def default_type(state: Mapping[str, Value]) -> DType | Unknown:
    """The default element type at this place of a program."""
    found = state.get(DEFAULT_TYPE, FLOAT32)
    return found if isinstance(found, (DType, Unknown)) else Unknown("dtype", DEFAULT_TYPE)


def with_default(operands: Mapping[str, Value], result: Value, default: DType | Unknown) -> Value:
    """The result of an operation, as inferred for float32, under another default element type."""
    if isinstance(operands.get("dtype"), DType) or any(_is_inexact(value) for value in operands.values()):
        return result
    return _of_default(result, default)


def _is_inexact(value: Value) -> bool:
    """Whether an operand is, or holds, a tensor of floating-point numbers, whose type the result follows."""
    if isinstance(value, (tuple, list)):
        return any(map(_is_inexact, value))
    return isinstance(value, TensorType) and isinstance(value.dtype, DType) and value.dtype.kind in _INEXACT


def _of_default(result: Value, default: DType | Unknown) -> Value:
    if isinstance(result, tuple):
        return each(result, lambda part: _of_default(part, default))
    if isinstance(result, TensorType) and result.dtype == FLOAT32:
        return result.with_dtype(default)
    if isinstance(result, TensorType) and result.dtype == COMPLEX64:
        return result.with_dtype(COMPLEX128 if default == FLOAT64 else Unknown("dtype", DEFAULT_TYPE))
    return result
