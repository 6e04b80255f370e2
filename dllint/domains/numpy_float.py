"""A number of one of numpy's floating-point types, which is a Python float to everyone who does not ask for its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeAlias

from dllint.domains.dtype import DType
from dllint.domains.floating import FORMATS

_Method: TypeAlias = "Callable[[NumpyFloat, float], float]"


def _arithmetic(method: Callable[[float, float], float]) -> _Method:
    """A method of floats whose result has the wider type of the operands; Python's numbers have none."""

    def rounded(self: NumpyFloat, other: float) -> float:
        found = method(self, other)
        if not isinstance(found, float):
            return found
        types = [number.dtype for number in (self, other) if isinstance(number, NumpyFloat)]
        return NumpyFloat(found, max(types, key=lambda dtype: dtype.bits))

    return rounded


class NumpyFloat(float):
    """``np.float32(0.1)``: rounded to its type, which it brings into arithmetic and into arrays made of it."""

    __slots__ = ("dtype",)
    dtype: DType

    def __new__(cls, value: float, dtype: DType) -> Self:
        """The number of a type that is nearest to a value."""
        number = super().__new__(cls, FORMATS[dtype].round(value))
        number.dtype = dtype
        return number

    def __getnewargs__(self) -> tuple[float, DType]:  # type: ignore[override]
        """What a copy is made from."""
        return float(self), self.dtype

    def __neg__(self) -> NumpyFloat:
        """The negative number."""
        return NumpyFloat(-float(self), self.dtype)

    __add__ = __radd__ = _arithmetic(float.__add__)
    __sub__, __rsub__ = _arithmetic(float.__sub__), _arithmetic(float.__rsub__)
    __mul__ = __rmul__ = _arithmetic(float.__mul__)
    __truediv__, __rtruediv__ = _arithmetic(float.__truediv__), _arithmetic(float.__rtruediv__)
