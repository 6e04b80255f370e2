"""Numbers as tensors hold them: rounded to a floating-point type, cut to a whole number, made a truth value."""

from __future__ import annotations

import math

from dllint.domains.dtype import DType
from dllint.domains.floating import BINARY32, FORMATS
from dllint.domains.integers import limits

#: Whole numbers beyond it are not exact as floating-point numbers.
_EXACT = 2**53

Number = bool | int | float | complex


def held(number: Number, dtype: DType) -> Number | None:
    """What an element of a type holds after a number was stored in it; ``None`` if that is not decided here, because the number
    does not fit."""
    if dtype.kind == "complex":
        return _complex(number, dtype)
    if isinstance(number, complex):
        return None
    if dtype.kind == "bool":
        return bool(number)
    if dtype.kind == "float":
        return _rounded(number, dtype)
    if dtype.kind != "int" or (isinstance(number, float) and not abs(number) <= _EXACT):
        return None
    low, high = limits(dtype)
    return int(number) if low <= int(number) <= high else None


def _rounded(number: float, dtype: DType) -> float | None:
    """Types of 16 bits are rounded by way of single precision."""
    if isinstance(number, int) and abs(number) > _EXACT:
        return None
    found = float(number)
    single = found if dtype.bits == 64 else BINARY32.round(found)
    return FORMATS[dtype].round(single)


def _complex(number: Number, dtype: DType) -> complex | None:
    if isinstance(number, int) and abs(number) > _EXACT:
        return None
    found = complex(number)
    if dtype.bits == 128:
        return found
    return complex(BINARY32.round(found.real), BINARY32.round(found.imag))


def fits(number: Number, dtype: DType) -> bool:
    """Whether torch stores a number in elements of a type; it refuses those beyond the type's ends. Unsigned elements take
    negative numbers, and whole ones cut what stands behind the point."""
    if dtype.kind in ("bool", "complex"):
        return True
    if isinstance(number, complex):
        if number.imag:
            return False
        number = number.real
    is_number = isinstance(number, int) or math.isfinite(number)
    if dtype.kind == "float":
        return not is_number or abs(number) <= FORMATS[dtype].largest
    low, high = limits(dtype)
    return is_number and (low if dtype.signed else -high) <= int(number) <= high
