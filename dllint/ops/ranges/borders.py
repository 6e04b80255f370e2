"""Singularities: the points where derivatives of operations are infinite, and the numbers outside their domains.

steep("log", POLE, domain=(0, math.inf))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Border:
    """A number at which the derivative by an operand is infinite, or NaN; ``value``: the result is finite there."""

    point: float
    value: bool = False
    operand: str = "x"


#: The ends of the numbers that an operation gives numbers for.
Domain = tuple[float, float]

ROOT: Final = Border(0, value=True)
POLE: Final = Border(0)
#: Operation → where its derivative is infinite.
BORDERS: dict[str, tuple[Border, ...]] = {}
#: Operation → what its operand ``x`` must lie between; everything else is NaN.
DOMAINS: dict[str, Domain] = {}


def steep(name: str, *borders: Border, domain: Domain | None = None) -> None:
    """Declare where the derivative of an operation is infinite, and its domain if not all numbers have a result."""
    assert name not in BORDERS, f"the borders of {name} are declared twice"
    BORDERS[name] = borders
    if domain is not None:
        DOMAINS[name] = domain
