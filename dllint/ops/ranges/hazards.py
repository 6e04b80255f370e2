"""Hazards: arguments at which an operation's derivative is not finite, or the operation itself is undefined.

The facts of the operations alone; which of them are worth a report is for rules to say::

    for hazard in hazards(op, ranges): ...        # ranges: how the operation sees its operands (``facts.ranges.at``)

A hazard whose ``value`` is finite is one of the gradient only (``sqrt`` at 0). Multiplied by 0, as what ``where`` does not
choose is, an infinite derivative is NaN: so an operand counts with its whole range, whatever happens to the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from dllint.domains.finite import finite
from dllint.domains.interval import Bound, Interval
from dllint.ir.program import Op
from dllint.ir.values import Value
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges import all as _families  # noqa: F401  (importing it declares the borders)
from dllint.ops.ranges.borders import BORDERS, DOMAINS, POLE, ROOT, Border, Domain
from dllint.ops.traits import Trait

Ranges = Callable[[Value], Interval]


@dataclass(frozen=True, slots=True)
class Hazard:
    """An operand that reaches a number where its operation has no finite derivative. ``point`` is that number, or the end of
    the domain that the operand exceeds (``beyond``); ``bound`` the end of the operand's range that shows it, with its origin;
    ``value`` says whether the result itself is finite there."""

    operand: str
    point: float
    bound: Bound
    value: bool
    beyond: bool = False


#: Operations that are roots of sums of squares, with 0 for a derivative at 0 in torch and none elsewhere.
_LENGTHS: Final = having_any(Trait.LENGTH | Trait.DEVIATION) | {"cdist"}
#: The orders of norms that are no roots.
_SMOOTH: Final = (1, math.inf, -math.inf)
#: Functions of two numbers that have no derivative where both are 0, in the frameworks that do not define one.
_PLANE: Final = {"hypot": ("torch", "keras", "tensorflow"), "atan2": ("keras", "tensorflow")}


def hazards(op: Op, ranges: Ranges) -> Iterator[Hazard]:
    """The operands of an operation that leave its domain or reach a number where the derivative is not finite."""
    yield from _outside(op, ranges)
    for border in borders(op):
        found = ranges(op.args.get(border.operand))
        if found.low.value <= border.point <= found.high.value and _holds(found, border.point):
            yield Hazard(border.operand, border.point, showing(found, border.point), border.value)
    if op.framework in _PLANE.get(op.kind, ()) and all(ranges(op.args.get(name)).has_zero for name in ("x", "y")):
        ends = [showing(ranges(op.args.get(name)), 0) for name in ("x", "y")]
        yield Hazard("x", 0, max(ends, key=lambda end: end.origin), True)


def is_gradient_finite(op: Op, ranges: Ranges) -> bool:
    """Whether the derivatives of an operation, by each operand, are surely finite numbers wherever its operands lie."""
    return next(hazards(op, ranges), None) is None


def borders(op: Op) -> tuple[Border, ...]:
    """The numbers where an operation's derivative is infinite."""
    if does(op, Trait.RAISES):
        return _power(op.args.get("y"))
    if op.kind in _LENGTHS:
        return () if op.framework == "torch" or op.args.get("p", op.args.get("ord")) in _SMOOTH else (ROOT,)
    return BORDERS.get(op.kind, ())


def domain(op: Op) -> Domain | None:
    """The ends of the numbers that an operation gives numbers for; ``None`` if it does for all, or that depends."""
    if does(op, Trait.RAISES) and (exponent := finite(op.args.get("y"))) is not None and exponent != math.floor(exponent):
        return (0, math.inf)
    return DOMAINS.get(op.kind)


def _power(exponent: Value) -> tuple[Border, ...]:
    """Borders of ``x ** exponent`` for exponents below 1: the derivative is infinite at 0, and for negative exponents the
    value, too."""
    number = finite(exponent)
    if number is None or number >= 1 or number == 0:
        return ()
    return (ROOT,) if number > 0 else (POLE,)


def _outside(op: Op, ranges: Ranges) -> Iterator[Hazard]:
    """Ends of an operand's range outside the domain."""
    ends = domain(op)
    if ends is None:
        return
    found = ranges(op.args.get("x"))
    if found.low.value < ends[0]:
        yield Hazard("x", ends[0], found.low, False, beyond=True)
    if found.high.value > ends[1]:
        yield Hazard("x", ends[1], found.high, False, beyond=True)


def _holds(found: Interval, point: float) -> bool:
    if point == 0:
        return found.has_zero
    return (found.low.value != point or found.low.closed) and (found.high.value != point or found.high.closed)


def showing(found: Interval, point: float) -> Bound:
    """The end of a range that proves that a number lies in it: the number itself, or the weaker end of those around it."""
    for end in (found.low, found.high):
        if end.value == point and end.closed:
            return end
    return max(found.low, found.high, key=lambda end: end.origin)
