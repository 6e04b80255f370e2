"""Floating-point formats: their limits, and numbers rounded as their arithmetic rounds them."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Final

from dllint.domains.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, DType
from dllint.domains.finite import as_float

#: Units in the last place by which functions of libraries are off (vectorised exponentials: 2).
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary format. ``largest`` is its largest finite number, ``smallest`` the smallest positive one that arithmetic
    surely keeps: the smallest normal number, since processors may flush smaller ones to 0 (half precision keeps them)."""

    name: str
    largest: float
    smallest: float
    precision: int

    def round(self, value: float) -> float:
        """The number of the format that is nearest to a number; beyond the largest one it is infinite. Arithmetic on
        numbers of the format is rounded correctly if it is done in double precision first (Figueroa 1995)."""
        value = as_float(value)
        if not math.isfinite(value) or self.name == "float64" or value == 0:
            return value
        rounded = _nearest(self, value)
        return math.copysign(math.inf, value) if abs(rounded) > self.largest else rounded

    def above(self, value: float) -> float:
        """A number of the format that is certainly not below a result computed with an error of a few digits."""
        return self._stepped(value, 1)

    def below(self, value: float) -> float:
        """The greatest number of the format that is certainly not above such a result."""
        return self._stepped(value, -1)

    def flushed(self, value: float) -> float:
        """The number, or 0 if it is so small that arithmetic may take it for 0."""
        return 0.0 if abs(value) < self.smallest else value

    @property
    def spacing(self) -> float:
        """The distance between the numbers that are nearest to 0."""
        return self.smallest if self.name == "float16" else self.smallest * 2.0 ** (1 - self.precision)

    def _stepped(self, value: float, direction: int) -> float:
        """A few units in the last place further, after rounding."""
        rounded = self.round(value)
        if not math.isfinite(rounded) or value == 0:
            return rounded
        step = max(abs(rounded) * 2.0 ** (1 - self.precision), self.spacing)
        return self.round(rounded + direction * _DIGITS * step)


def _nearest(fmt: FloatFormat, value: float) -> float:
    try:
        if fmt.name == "bfloat16":
            step = max(math.frexp(value)[1] - fmt.precision, math.frexp(fmt.spacing)[1] - 1)
            return math.ldexp(round(math.ldexp(value, -step)), step)
        code = "<e" if fmt.name == "float16" else "<f"
        return float(struct.unpack(code, struct.pack(code, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


BINARY64: Final = FloatFormat("float64", 1.7976931348623157e308, 2.2250738585072014e-308, 53)
BINARY32: Final = FloatFormat("float32", 3.4028234663852886e38, 1.1754943508222875e-38, 24)
BINARY16: Final = FloatFormat("float16", 65504.0, 5.960464477539063e-08, 11)
BRAIN16: Final = FloatFormat("bfloat16", 3.3895313892515355e38, 1.1754943508222875e-38, 8)
FORMATS: Final[dict[DType, FloatFormat]] = {FLOAT64: BINARY64, FLOAT32: BINARY32, FLOAT16: BINARY16, BFLOAT16: BRAIN16}
