"""Numbers as people read them."""

from __future__ import annotations

import math
from typing import Final

_PLAIN_FROM: Final = 1e-3
_PLAIN_TO: Final = 1e6


def shown(value: float, digits: int = 3) -> str:
    """A number with so many significant digits: ``0.0123``, ``4,096``, ``1.2e-7``, ``nan``."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < _PLAIN_TO:
        return f"{int(value):,}"
    if 1 <= abs(value) < _PLAIN_TO:
        places = max(digits - len(str(int(abs(value)))), 0)
        text = f"{value:,.{places}f}"
        return text.rstrip("0").rstrip(".") if places else text
    if _PLAIN_FROM <= abs(value) < 1:
        return f"{value:.{digits}g}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{share:.0%}" if share == 0 or share >= 0.1 else f"{share:.1%}"
