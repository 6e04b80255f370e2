"""Numbers of a program as floats. A whole number may be larger than any float, which conversion answers with an error."""

from __future__ import annotations

import math


def as_float(value: float) -> float:
    """A number as a float; a whole one beyond the largest is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def finite(value: object) -> float | None:
    """A real number as a float; ``None`` for what is none, or not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = as_float(value)
    return number if math.isfinite(number) else None
