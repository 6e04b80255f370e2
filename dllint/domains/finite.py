"""Numbers of a program as floats and as texts. A whole number may be larger than any float, or longer than Python writes, which
conversion answers with an error."""

from __future__ import annotations

import math
from typing import Final

#: Bits of a number that Python certainly writes: it refuses those of more than 4300 digits.
_WRITTEN: Final = 14_000


def as_float(value: float) -> float:
    """A number as a float; a whole one beyond the largest is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def finite(value: object) -> float | None:
    """A real number as a float; ``None`` for what is none, or not finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = as_float(value)
    return number if math.isfinite(number) else None


def written(number: int) -> str:
    """A whole number; of one with more digits than Python writes, about how large it is."""
    bits = number.bit_length()
    return str(number) if bits <= _WRITTEN else f"{'-' if number < 0 else ''}2**{bits - 1}"
